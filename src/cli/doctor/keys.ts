import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { placeOf, type SealedAccount } from "../../sqlite/ExchangeAccounts.ts"
import * as MasterKey from "../../vault/MasterKey.ts"
import type { Sources } from "../../vault/Sources.ts"
import * as Vault from "../../vault/Vault.ts"
import { moment } from "../table.ts"
import { type Check, fail, ok, type Say, warn } from "./Check.ts"

const DAY = 86_400
/** How long ago a check may have been that found nothing wrong. In seconds. */
const STALE = 90 * DAY

/** The master key, and whether it opens the keys of every exchange account. `now` in seconds. */
export const keys = Effect.fnUntraced(function* (
  places: Sources,
  accounts: ReadonlyArray<SealedAccount>,
  now: number,
  say: Say
) {
  const origin = yield* MasterKey.find(places)
  // Most trade on paper alone.
  if (Option.isNone(origin) && accounts.length === 0) return []
  const read = yield* Effect.either(MasterKey.read(places))
  const key: Check =
    read._tag === "Right" && Option.isSome(origin)
      ? ok("keys", `master key ${read.right.id}, ${MasterKey.describe(origin.value)}`)
      : fail(
          "keys",
          read._tag === "Left" ? read.left.message : "there is no master key",
          "without it no order can be sent, and no stop taken back"
        )
  const { open } = Vault.of(places)
  const opened = yield* Effect.forEach(accounts, (account) =>
    Effect.map(
      Effect.either(open(placeOf(account.account, account.id, account.exchange), account)),
      (opened) => judged(account, opened._tag === "Left" ? opened.left.message : undefined, now, say)
    )
  )
  const faults = read._tag === "Left" ? [] : opened.flat()
  const whole = accounts.length - faults.length
  return [key, ...faults, ...(whole > 0 && read._tag === "Right" ? [ok("keys", words(whole))] : [])]
})

const words = (count: number) =>
  `${count} exchange ${count === 1 ? "account opens, and was" : "accounts open, and were"} well when checked last`

const judged = (
  { checkedAt, createdAt, exchange, name, owner, problem }: SealedAccount,
  locked: string | undefined,
  now: number,
  say: Say
): ReadonlyArray<Check> => {
  const who = `${name} of ${owner} (${exchange})`
  const again = say(`account check ${name} --owner ${owner}`)
  if (locked !== undefined)
    return [fail("keys", `${who} is locked: ${locked}`, say(`account rekey ${name} --owner ${owner}`))]
  if (Option.isSome(problem)) {
    const at = Option.match(checkedAt, { onNone: () => "", onSome: (at) => ` on ${moment(at)}` })
    return [warn("keys", `${who} was not well when checked${at}: ${problem.value}`, again)]
  }
  const last = Option.getOrElse(checkedAt, () => createdAt)
  if (Option.isNone(checkedAt)) return [warn("keys", `${who} was never checked`, again)]
  return last + STALE < now ? [warn("keys", `${who} was checked last on ${moment(last)}`, again)] : []
}
