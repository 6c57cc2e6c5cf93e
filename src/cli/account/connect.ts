// `signalbox account connect`: asks for an exchange account's keys, tries them at the exchange, and stores them
// sealed.
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { descriptors } from "../../ccxt/descriptors.ts"
import { ExchangeAccountName } from "../../domain/ExchangeAccount.ts"
import { NO_SANDBOX } from "../../exchange/Venue.ts"
import { ExchangeAccountNameTaken, ExchangeAccounts } from "../../services/ExchangeAccounts.ts"
import { exchangeNamed } from "../exchange.ts"
import { database, json } from "../program/shared.ts"
import { usage } from "../program/usage.ts"
import * as KeyCheck from "./KeyCheck.ts"
import * as Keys from "./Keys.ts"
import * as Master from "./Master.ts"
import { AccountFailed, exchangeUrls, onAccounts, owner, ownerOf } from "./Reach.ts"

const exchange = Args.text({ name: "exchange" }).pipe(Args.withDescription("an exchange, like binance"))
const label = Options.text("name").pipe(
  Options.optional,
  Options.withDescription("a name for it; by default the exchange's")
)
const sandbox = Options.boolean("sandbox").pipe(
  Options.withDescription("an account of the exchange's test network, without real money")
)
export const noCheck = Options.boolean("no-check").pipe(
  Options.withDescription("store the keys without asking the exchange whether they work")
)

const isName = Schema.is(ExchangeAccountName)

export const connect = Command.make(
  "connect",
  {
    exchange,
    name: label,
    owner,
    sandbox,
    noCheck,
    newMasterKey: Master.newMasterKey,
    json,
    db: database,
    exchangeUrls
  },
  (options) =>
    Effect.gen(function* () {
      const exchange = yield* exchangeNamed(options.exchange)
      const name = Option.getOrElse(options.name, () => (options.sandbox ? `${exchange}-sandbox` : exchange))
      if (!isName(name))
        return yield* usage("--name takes up to 32 letters, digits, dots, dashes and underscores")
      if (options.sandbox && !descriptors[exchange].hasSandbox)
        return yield* new AccountFailed({ message: `${exchange}: ${NO_SANDBOX}` })
      const { id: owner, name: whose } = yield* ownerOf(options.owner)
      const accounts = yield* ExchangeAccounts
      // Check the name before the user types the keys.
      if ((yield* accounts.list(owner)).some((it) => it.name === name))
        return yield* new ExchangeAccountNameTaken({ name })
      const credentials = yield* Keys.ask(exchange)
      const found = options.noCheck
        ? undefined
        : yield* KeyCheck.demand(exchange, options.sandbox, credentials)
      const master = yield* Master.ready(options.newMasterKey)
      const account = yield* accounts.add(owner, { name, exchange, sandbox: options.sandbox, credentials })
      if (found !== undefined) yield* accounts.checked(owner, account.id, Option.none())
      if (options.json) {
        const facts = { id: account.id, owner: whose, name, exchange, sandbox: options.sandbox }
        const checked = found === undefined ? null : KeyCheck.document(found)
        return yield* Console.log(
          JSON.stringify({ ...facts, master_key: { id: master.id, from: master.where }, checked })
        )
      }
      const made = master.isNew ? "a new master key" : "master key"
      yield* Console.log(
        `${found === undefined ? `The keys were not checked; to check them: signalbox account check ${name}` : KeyCheck.words(found)}\n` +
          `${exchange}${options.sandbox ? " (test network)" : ""} is connected as ${name}, for ${whose}. ` +
          `Its keys are sealed with ${made} ${master.id} (${master.where}), which is in no backup: keep a copy of it elsewhere.`
      )
    }).pipe(onAccounts(options))
).pipe(
  Command.withDescription(
    "connect an account at an exchange; asks for its keys, or reads them from standard input, never from arguments"
  )
)
