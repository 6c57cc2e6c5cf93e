// What a rule raises over years of candles, as a server raises it that runs all the time. Functions that never forget
// begin at an anchor, so that what they give at a candle depends on that candle, and not on where a file begins.
import * as DateTime from "effect/DateTime"
import { millisOf } from "../../domain/candles/Timeframe.ts"
import type { CheckedRule } from "../../domain/signalRule/SignalRule.ts"
import type { Bars } from "../indicators/Plan.ts"
import { firstAt } from "../watch/Scan.ts"
import { type Raised, type RuleAlert, raisedBy, warmupsOf } from "./RuleAlerts.ts"
import { rowsOf } from "./RuleCandles.ts"

/** Whole UTC years before the year of a candle, from which on functions that never forget are computed for it. */
export const ANCHOR_YEARS = 2

/** The anchor of a candle that opens at a time (both ms): the beginning of the UTC year before last. */
export const anchorOf = (at: number): number => yearOf(at, -ANCHOR_YEARS)

/** The time (ms) from which on candles have another anchor than one that opens at a time. */
export const anchoredUntil = (at: number): number => yearOf(at, 1)

/** The beginning of the UTC year of a time, or of one some years later. */
export const yearOf = (at: number, later = 0): number =>
  DateTime.unsafeMake(at).pipe(
    DateTime.startOf("year"),
    DateTime.add({ years: later }),
    DateTime.toEpochMillis
  )

/** Whether a rule has a function that never forgets. */
export const isAnchored = (rule: CheckedRule): boolean => warmupsOf(rule).some(({ anchored }) => anchored)

/**
 * What each of some rules of one timeframe raises over the same candles, at candles that close from `from` (ms) on. A rule
 * with a function that never forgets is computed anew for each UTC year, from that year's anchor on.
 */
export const raisedOver = (
  rules: ReadonlyArray<CheckedRule>,
  bars: Bars,
  from: number
): ReadonlyArray<Raised> => {
  const anchored = rules.filter(isAnchored)
  const others = anchored.length === 0 ? rules : rules.filter((rule) => !anchored.includes(rule))
  const found = new Map([
    ...paired(others, since(raisedBy(others, bars), from)),
    ...paired(anchored, yearly(anchored, bars, from))
  ])
  return rules.flatMap((rule) => found.get(rule) ?? [])
}

const paired = (rules: ReadonlyArray<CheckedRule>, raised: ReadonlyArray<Raised>) =>
  rules.flatMap((rule, index) => {
    const one = raised[index]
    return one === undefined ? [] : [[rule, one] as const]
  })

const since = (raised: ReadonlyArray<Raised>, from: number): ReadonlyArray<Raised> =>
  raised.map((one) => ({ ...one, alerts: one.alerts.filter(({ at }) => at >= from) }))

const yearly = (rules: ReadonlyArray<CheckedRule>, bars: Bars, from: number): ReadonlyArray<Raised> => {
  const [rule] = rules
  if (rule === undefined || bars.length === 0) return []
  const step = millisOf(rule.timeframe)
  const last = bars.at[bars.length - 1] ?? 0
  const all = rules.map(() => ({ alerts: [] as RuleAlert[], readyAt: [] as number[] }))
  for (let year = yearOf(Math.max(from - step, bars.at[0] ?? 0)); year <= last; year = yearOf(year, 1)) {
    const next = yearOf(year, 1)
    const section = rowsOf(bars, firstAt(bars.at, anchorOf(year), 0), firstAt(bars.at, next, 0))
    for (const [index, { alerts, readyAt }] of raisedBy(rules, section).entries()) {
      all[index]?.alerts.push(...alerts.filter(({ at }) => at - step >= year && at >= from))
      if (readyAt !== undefined) all[index]?.readyAt.push(readyAt)
    }
  }
  return all.map(({ alerts, readyAt }) => ({ alerts, readyAt: readyAt[0] }))
}
