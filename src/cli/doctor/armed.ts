// Checks the exchange accounts of strategies that trade with real money, active or not: without keys that work at the
// strategy's exchange nothing is bought, and nothing that is open is closed.
import * as Option from "effect/Option"
import type { SealedAccount } from "../../sql/ExchangeAccounts.ts"
import type { Facts, Tradeable } from "../../sqlite/readers/Tradeable.ts"
import { plain } from "../program/table.ts"
import { type Check, fail, GUIDE, type Say } from "./Check.ts"

/** The exchange accounts of a database, and why the keys of some do not open, by id. */
export interface Accounts {
  readonly all: ReadonlyArray<SealedAccount>
  readonly locked: ReadonlyMap<number, string>
}

/** The failures, by strategy. */
export const broken = (
  { strategies }: Pick<Facts, "strategies">,
  accounts: Accounts,
  say: Say
): ReadonlyMap<number, Check> =>
  new Map(
    strategies.flatMap((strategy): ReadonlyArray<[number, Check]> => {
      const fault = faultOf(strategy, accounts, say)
      return fault === undefined ? [] : [[strategy.id, fault]]
    })
  )

const faultOf = (
  { id, settings, state }: Tradeable,
  { all, locked }: Accounts,
  say: Say
): Check | undefined => {
  const live = Option.getOrUndefined(state ?? Option.none())?.live
  if (live === undefined) return undefined
  const account = all.find((it) => it.id === live.account)
  const who = `strategy ${id} trades with real money, and its exchange account`
  if (account === undefined) {
    const advice = `connect the account anew, and then: ${say(`strategy disarm ${id} --forget`)}`
    return fail("live", `${who} ${live.account} is not in this database`, advice, GUIDE.connect)
  }
  const { exchange, name, owner, problem } = account
  const its = `${who} ${plain(name)} (${exchange})`
  const lock = locked.get(account.id)
  if (lock !== undefined)
    return fail(
      "live",
      `${its} is locked: ${lock}`,
      say(`account rekey ${name} --owner ${owner}`),
      GUIDE.masterKey
    )
  const elsewhere = Option.toArray(settings)
    .flatMap(({ exchanges }) => exchanges)
    .find((listed) => listed.exchange !== exchange)
  if (elsewhere !== undefined) {
    const advice = `list pairs of ${exchange} alone, or disarm it: ${say(`strategy disarm ${id}`)}`
    return fail("live", `${its} cannot trade its pairs on ${elsewhere.exchange}`, advice, GUIDE.arm)
  }
  if (Option.isNone(problem)) return undefined
  const advice = `mend that at the exchange, and then: ${say(`account check ${name} --owner ${owner}`)}`
  return fail("live", `${its} failed its last check: ${plain(problem.value)}`, advice, GUIDE.keys)
}
