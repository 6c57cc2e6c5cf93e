// The alerts that a rule raises over the candles of a back-test, market by market, as the back-test takes them. A rule is
// looked at on all candles there are; what it raises counts from the first to the last moment that is tested.
import * as Either from "effect/Either"
import type { AlertType } from "../../domain/Alert.ts"
import { millisOf } from "../../domain/candles/Timeframe.ts"
import type { MarketId } from "../../domain/Market.ts"
import type { CheckedRule, FullRule } from "../../domain/signalRule/SignalRule.ts"
import type { TimedAlert } from "../Backtest.ts"
import type { Series } from "../backtest/Tracks.ts"
import type { Warmup } from "../expressions/Compile.ts"
import type { Bars } from "../indicators/Plan.ts"
import { firstAt } from "../watch/Scan.ts"
import { type PartValue, type RuleAlert, warmupsOf } from "./RuleAlerts.ts"
import * as RuleCandles from "./RuleCandles.ts"
import * as RuleHistory from "./RuleHistory.ts"
import { instructionOf } from "./RuleInstruction.ts"
import { timesOf } from "./RuleTimes.ts"

/** A rule without errors. */
export interface TestedRule {
  readonly rule: FullRule
  readonly checked: CheckedRule
}

/** The most alerts of a rule over a back-test, on all of its markets. */
export const MAX_RAISED = 1_000_000

/** What is tested, in ms: alerts from `from` up to and without `until` count. */
export interface Tested {
  readonly from: number
  readonly until: number
}

/** A market with its candles in the rule's timeframe. Its schedule comes true from the first candle to the last. */
export interface RuleMarket {
  readonly id: MarketId
  readonly bars: Bars
  readonly first: number
  readonly last: number
}

/** The markets of a rule that have candles. */
export interface RuleGround extends Tested {
  readonly markets: ReadonlyArray<RuleMarket>
  /** The markets that have none. */
  readonly lacking: ReadonlyArray<MarketId>
}

/** What is wrong with the candles of a market. */
export interface GroundError {
  readonly market: MarketId
  readonly text: string
}

/**
 * The candles of a rule's markets. Those of a pair serve all of its markets, whichever exchange and kind they are of.
 * `series` go back as far as there are candles, so that indicators are warm when the test begins.
 */
export const groundOf = (
  rule: FullRule,
  series: ReadonlyArray<Series>,
  tested: Tested
): Either.Either<RuleGround, GroundError> => {
  const markets: Array<RuleMarket> = []
  const lacking: Array<MarketId> = []
  const known = new Map<string, Either.Either<Bars, string>>()
  for (const id of rule.markets) {
    const found = series.find(({ pair }) => pair === id.pair)
    if (found === undefined) {
      lacking.push(id)
      continue
    }
    const { columns } = found
    const made = known.get(id.pair) ?? RuleCandles.ofTimeframe(columns, rule.timeframe)
    if (Either.isLeft(made)) return Either.left({ market: id, text: made.left })
    known.set(id.pair, made)
    const first = columns.at[firstAt(columns.at, tested.from, 0)] ?? Number.POSITIVE_INFINITY
    const last = columns.at[columns.length - 1] ?? 0
    markets.push({ id, bars: made.right, first, last: Math.min(last, tested.until - 1) })
  }
  return Either.right({ ...tested, markets, lacking })
}

/** An alert of a rule, as a back-test takes it, or why it is withheld. */
export interface RaisedAlert {
  readonly market: MarketId
  /** The place in `on` or `schedule`, from 0, as a rule is written: `on[0]`. */
  readonly by: string
  readonly type: AlertType
  readonly at: number
  /** The close of its candle (quote); undefined for the alert of a schedule. */
  readonly close?: number
  readonly values: ReadonlyArray<PartValue>
  readonly alert: TimedAlert | undefined
  readonly withheld?: string
}

/** How warm a rule is on a market. */
export interface MarketWarmth {
  readonly market: MarketId
  /** From when on the rule may raise alerts (ms); undefined if the candles are too few. */
  readonly readyAt: number | undefined
  /** Candles of the rule's timeframe that closed before the test begins. */
  readonly before: number
  /** The first candle's opening time (ms). */
  readonly first: number | undefined
}

/** What a rule raised. `isCut` where it raised more than `MAX_RAISED` alerts. */
export interface RuleRun {
  readonly raised: ReadonlyArray<RaisedAlert>
  readonly warmups: ReadonlyArray<Warmup>
  readonly warmth: ReadonlyArray<MarketWarmth>
  readonly isCut: boolean
}

/** What each of some rules raises, which differ in their parameters only. What they share is computed once. */
export const runsOf = (rules: ReadonlyArray<TestedRule>, ground: RuleGround): ReadonlyArray<RuleRun> => {
  const { from, until } = ground
  const checked = rules.map((rule) => rule.checked)
  const known = new Map<Bars, ReturnType<typeof RuleHistory.raisedOver>>()
  const runs = rules.map(() => ({ raised: [] as RaisedAlert[], warmth: [] as MarketWarmth[], isCut: false }))
  for (const { bars, first, id, last } of ground.markets) {
    const found = known.get(bars) ?? RuleHistory.raisedOver(checked, bars, from)
    known.set(bars, found)
    for (const [index, run] of runs.entries()) {
      const rule = rules[index]
      const of = found[index]
      if (rule === undefined || of === undefined) continue
      const room = MAX_RAISED + 1 - run.raised.length
      const timed = scheduled(rule.rule, id, { from: Math.max(from, first), to: last, most: room })
      const own = of.alerts.flatMap((alert) => (alert.at < until ? [raisedAlert(rule.rule, id, alert)] : []))
      const all = timed.length === 0 ? own : [...own, ...timed].sort((one, other) => one.at - other.at)
      run.isCut ||= all.length >= room
      for (const one of all.slice(0, room - 1)) run.raised.push(one)
      run.warmth.push({ market: id, readyAt: of.readyAt, ...before(rule.rule, bars, from) })
    }
  }
  return runs.map((run, index) => {
    const rule = checked[index]
    return { ...run, warmups: rule === undefined ? [] : warmupsOf(rule) }
  })
}

/** The alerts that a back-test takes, in the sequence of the rule's markets. */
export const timedAlerts = ({ raised }: Pick<RuleRun, "raised">): ReadonlyArray<TimedAlert> =>
  raised.flatMap(({ alert }) => (alert === undefined ? [] : [alert]))

const before = ({ timeframe }: FullRule, bars: Bars, from: number) => {
  const step = millisOf(timeframe)
  return { before: firstAt(bars.at, from - step + 1, 0), first: bars.at[0] }
}

const raisedAlert = (rule: FullRule, market: MarketId, alert: RuleAlert): RaisedAlert => {
  const { at, close, entry, type, values } = alert
  const of = rule.on[entry]
  const found = of === undefined ? Either.left("there is no such entry") : instructionOf(of, alert)
  return {
    market,
    by: `on[${entry}]`,
    type,
    at,
    close,
    values,
    alert: Either.isRight(found) ? { ...found.right, pair: market.pair, at } : undefined,
    ...(Either.isLeft(found) ? { withheld: found.left } : {})
  }
}

const scheduled = (
  { schedule }: FullRule,
  market: MarketId,
  span: Parameters<typeof timesOf>[1]
): ReadonlyArray<RaisedAlert> =>
  schedule.flatMap((one, index) =>
    timesOf(one, span).map((at) => ({
      market,
      by: `schedule[${index}]`,
      type: one.type,
      at,
      values: [],
      alert: { type: one.type, pair: market.pair, at }
    }))
  )
