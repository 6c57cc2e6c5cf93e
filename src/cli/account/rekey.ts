// `signalbox account rekey`: replaces an account's keys with new keys of the same account at the exchange.
import * as Command from "@effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ExchangeAccountId } from "../../domain/Arming.ts"
import { ExchangeAccounts } from "../../services/ExchangeAccounts.ts"
import type { Rights } from "../../services/money/Wallets.ts"
import { database, json } from "../program/shared.ts"
import { noCheck } from "./connect.ts"
import * as KeyCheck from "./KeyCheck.ts"
import * as Keys from "./Keys.ts"
import * as Master from "./Master.ts"
import { AccountFailed, accountNamed, exchangeUrls, name, onAccounts, owner } from "./Reach.ts"

export const rekey = Command.make(
  "rekey",
  { name, owner, noCheck, newMasterKey: Master.newMasterKey, json, db: database, exchangeUrls },
  (options) =>
    Effect.gen(function* () {
      const { account } = yield* accountNamed(options.name, options.owner)
      const { exchange, id, sandbox } = account
      const accounts = yield* ExchangeAccounts
      const credentials = yield* Keys.ask(exchange)
      const found = options.noCheck ? undefined : yield* KeyCheck.demand(exchange, sandbox, credentials)
      const isSame = found === undefined ? undefined : yield* compared(id, found)
      if (isSame === false)
        return yield* new AccountFailed({
          message: `these keys belong to another account at ${exchange} than those of ${account.name}: connect that account under its own name`
        })
      const master = yield* Master.ready(options.newMasterKey)
      yield* accounts.rekey(account.account, id, credentials)
      if (found !== undefined) yield* accounts.checked(account.account, id, Option.none())
      if (options.json) {
        const checked = found === undefined ? null : KeyCheck.document(found)
        return yield* Console.log(
          JSON.stringify({
            id,
            name: account.name,
            master_key: { id: master.id },
            same_account: isSame ?? null,
            checked
          })
        )
      }
      const known =
        isSame === true
          ? ""
          : `\nIt is not known whether they belong to the same account: the exchange does not say, or the old keys no longer work.`
      yield* Console.log(
        `${found === undefined ? "The keys were not checked." : KeyCheck.words(found)}\n${account.name} has new keys.${known}\nDelete the old keys at the exchange.`
      )
    }).pipe(onAccounts(options))
).pipe(Command.withDescription("replace an account's keys with new keys of the same account at the exchange"))

/** Whether the new keys and the stored ones belong to the same account; undefined if the exchange does not say. */
const compared = Effect.fnUntraced(function* (id: ExchangeAccountId, { identity }: Rights) {
  const { unlock } = yield* ExchangeAccounts
  const before = yield* Effect.gen(function* () {
    const { account, credentials } = yield* unlock(id)
    return (yield* KeyCheck.ask(account.exchange, account.sandbox, credentials)).identity
  }).pipe(Effect.orElseSucceed(() => undefined))
  return identity === undefined || before === undefined ? undefined : before === identity
})
