// Bounds of rules at work, so that one account's rules leave memory, time and requests to exchanges for everybody else's.
import * as Context from "effect/Context"
import type { AccountId } from "../../domain/Account.ts"
import { heldBy } from "../../domain/signalRule/RuleMemory.ts"
import { WATCHES } from "../../trading/signalRule/RuleYears.ts"
import { seriesKey } from "../feeds/CandleStore.ts"
import { seriesOf, type WorkingRule } from "./WorkingRule.ts"

/** The bounds, of one account and of all: entries times markets, series of candles, and numbers kept in memory. */
export interface RuleBounds {
  readonly places: number
  readonly series: number
  readonly numbers: number
}

/** The bounds as a reference. */
export class RuleLimits extends Context.Reference<RuleLimits>()("signalbox/services/rules/RuleLimits", {
  defaultValue: (): { readonly account: RuleBounds; readonly all: RuleBounds } => ({
    account: { places: 20_000, series: 1_000, numbers: 16_000_000 },
    all: { places: 60_000, series: 3_000, numbers: 64_000_000 }
  })
}) {}

/** What rules occupy so far. */
interface Tally {
  places: number
  readonly series: Set<string>
  numbers: number
}

/** The rules that may work, in their sequence, and why others may not. */
export interface Admitted {
  readonly admitted: ReadonlyArray<WorkingRule>
  readonly refused: ReadonlyMap<WorkingRule, string>
}

/** Admits rules within the bounds, older signals first. */
export const admit = (
  rules: ReadonlyArray<WorkingRule>,
  { account: own, all }: typeof RuleLimits.Service
): Admitted => {
  const tallies = new Map<AccountId, Tally>()
  const total = blank()
  const admitted: Array<WorkingRule> = []
  const refused = new Map<WorkingRule, string>()
  for (const rule of rules) {
    const tally = tallies.get(rule.account) ?? blank()
    tallies.set(rule.account, tally)
    const reason = excess(rule, tally, own, "of an account") ?? excess(rule, total, all, "of this server")
    if (reason === undefined) {
      for (const one of [tally, total]) add(rule, one)
      admitted.push(rule)
    } else refused.set(rule, reason)
  }
  return { admitted, refused }
}

const blank = (): Tally => ({ places: 0, series: new Set(), numbers: 0 })

const numbersOf = ({ checked, isAnchored, rule: { markets } }: WorkingRule): number =>
  heldBy(checked) * markets.length * (isAnchored ? WATCHES : 1)

/** Each entry and each line of a schedule may raise an alert on each market, perhaps each minute. */
const placesOf = ({ rule: { markets, on, schedule } }: WorkingRule): number =>
  markets.length * Math.max(1, on.length + schedule.length)

const add = (rule: WorkingRule, tally: Tally): void => {
  tally.places += placesOf(rule)
  tally.numbers += numbersOf(rule)
  for (const series of seriesOf(rule)) tally.series.add(seriesKey(series))
}

/** Why a rule does not fit beside the others; undefined if it does. */
const excess = (rule: WorkingRule, tally: Tally, bounds: RuleBounds, whose: string): string | undefined => {
  if (tally.places + placesOf(rule) > bounds.places)
    return `the rules ${whose} look at ${bounds.places} markets at most, counted for each entry and each line of a schedule: ${ADVICE}`
  const fresh = seriesOf(rule).filter((series) => !tally.series.has(seriesKey(series))).length
  if (tally.series.size + fresh > bounds.series)
    return `the rules ${whose} look at ${bounds.series} series of candles at most: ${ADVICE}`
  if (tally.numbers + numbersOf(rule) > bounds.numbers)
    return `the rules ${whose} keep ${bounds.numbers} numbers in memory at most: ${ADVICE}`
  return undefined
}

const ADVICE = "switch off signals whose rules are not needed, or take markets out of them"
