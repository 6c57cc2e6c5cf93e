// The joined record of a walk: the tests run one after the other, each with what the one before it left. Every test begins
// without a position; what is open at its end is sold at the last price, with the taker fee.
import * as Option from "effect/Option"
import type { Slot } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { EquityPoint } from "../../domain/equity/EquityFigures.ts"
import type { Settings } from "../../domain/Strategy.ts"
import type { BacktestMarkets } from "../backtest/BacktestMarkets.ts"
import * as Spreads from "../backtest/Spreads.ts"
import type { Series } from "../backtest/Tracks.ts"
import { feesOf } from "../books/Fees.ts"
import { marketPrice } from "../books/FillPrice.ts"
import * as CurveThinner from "../equity/CurveThinner.ts"
import * as EquityFold from "../equity/EquityFold.ts"
import { countTimes, eachSample } from "../equity/MarkedRun.ts"
import { dayOf, MONEY_PLACES, rounded } from "../Performance.ts"
import { type Trial, trial } from "../Sweep.ts"
import type { Recording } from "./SweepSplit.ts"

/** The test of one stretch: its candles and alerts, and the chosen settings; undefined where none had a result. */
export interface Leg {
  readonly recording: Recording
  readonly settings: Settings | undefined
}

/** What a test came to, in quote. `overran` says that its bot acted without end, so that nothing of it counts. */
export interface LegResult {
  readonly starting: number
  readonly ending: number
  readonly trades: number
  readonly overran: boolean
}

/** The joined record. `points` are thinned (times in ms); `returns` are those of each UTC day, `results` of each trade. */
export interface Joined {
  readonly legs: ReadonlyArray<LegResult>
  readonly state: EquityFold.EquityState
  readonly points: ReadonlyArray<EquityPoint>
  readonly returns: Float64Array
  readonly results: Float64Array
}

/** Joins the tests, in their sequence, from the balance of the markets on; the curve has at most `most` points. */
export const join = (markets: BacktestMarkets, legs: ReadonlyArray<Leg>, most: number): Joined => {
  const times = legs.reduce((sum, { recording }) => sum + countTimes(recording.series) + 1, 1)
  const curve = curveFrom(Decimal.toNumber(markets.balance), legs, CurveThinner.make(times, most))
  const results: Array<number> = []
  const made = legs.map((leg): LegResult => {
    const starting = rounded(curve.draft.equity, MONEY_PLACES)
    if (leg.settings === undefined || starting <= 0)
      return { starting, ending: starting, trades: 0, overran: false }
    const balance = Decimal.fromNumber(starting)
    const tried = Option.getOrUndefined(trial(leg.settings, { ...markets, balance }, leg.recording))
    if (tried === undefined) return { starting, ending: starting, trades: 0, overran: true }
    const own = addLeg(curve, leg.recording.series, tried, markets)
    for (const result of own) results.push(result)
    return { starting, ending: rounded(curve.draft.equity, MONEY_PLACES), trades: own.length, overran: false }
  })
  closeDay(curve)
  return {
    legs: made,
    state: curve.draft,
    points: pointsOf(curve),
    returns: curve.returns,
    results: Float64Array.from(results)
  }
}

/** A curve in the making. `before` is the equity at the end of the day before `day`. */
interface Curve {
  readonly draft: EquityFold.Draft
  readonly thinner: CurveThinner.CurveThinner
  readonly first: number
  readonly returns: Float64Array
  day: number
  before: number
}

const curveFrom = (starting: number, legs: ReadonlyArray<Leg>, thinner: CurveThinner.CurveThinner): Curve => {
  const times = legs.flatMap(({ recording }) =>
    recording.series.flatMap(({ columns: { at, length } }) =>
      length === 0 ? [] : [at[0] ?? 0, at[length - 1] ?? 0]
    )
  )
  const since = times.reduce((least, at) => Math.min(least, at), Infinity)
  const until = times.reduce((latest, at) => Math.max(latest, at), -Infinity)
  const draft = { ...EquityFold.begin(starting, Number.isFinite(since) ? since : 0) }
  const [first, last] = [dayOf(draft.since), Number.isFinite(until) ? dayOf(until) : 0]
  CurveThinner.take(thinner, pointOf(draft))
  return {
    draft,
    thinner,
    first,
    returns: new Float64Array(times.length === 0 ? 0 : last - first + 1),
    day: first,
    before: starting
  }
}

const pointOf = (draft: EquityFold.EquityState): EquityPoint => [
  draft.at,
  draft.equity,
  EquityFold.drawdownNow(draft) * 100,
  null
]

/** The kept points, with the last one. */
const pointsOf = ({ draft, thinner }: Curve): ReadonlyArray<EquityPoint> => {
  const [points, last] = [CurveThinner.points(thinner), pointOf(draft)]
  const [at, equity] = points.at(-1) ?? []
  return at === last[0] && equity === last[1] ? points : [...points, last]
}

const take = (curve: Curve, sample: EquityFold.Sample): void => {
  const day = dayOf(sample.at)
  if (day > curve.day) closeDay(curve)
  curve.day = day
  EquityFold.take(curve.draft, sample)
  CurveThinner.take(curve.thinner, pointOf(curve.draft))
}

const closeDay = (curve: Curve): void => {
  const { equity } = curve.draft
  if (curve.before > 0 && curve.returns.length > 0)
    curve.returns[curve.day - curve.first] = equity / curve.before - 1
  curve.before = equity
}

/** Adds a test to the curve; returns the results of its trades, that of what was open at its end included. */
const addLeg = (
  curve: Curve,
  series: ReadonlyArray<Series>,
  { ended, open }: Trial,
  markets: BacktestMarkets
): ReadonlyArray<number> => {
  eachSample({ ...ended, series }, (sample) => take(curve, sample))
  const results = ended.result.trades.map(({ pnl }) => Decimal.toNumber(pnl))
  if (open.length === 0) return results
  const fees = open.reduce((sum, slot) => sum + closingCost(slot, ended.settings, series, markets), 0)
  const equity = curve.draft.equity - fees
  take(curve, { at: curve.draft.at, equity, notional: 0, isHeld: false, weight: 0 })
  const rest = results.reduce(
    (left, result) => left - result,
    equity - Decimal.toNumber(ended.result.tally.starting)
  )
  return [...results, rest]
}

/** What closing all that a slot holds at its last price costs: the taker fee, and what a fill model takes beside it. */
const closingCost = (
  slot: Slot,
  settings: Settings,
  series: ReadonlyArray<Series>,
  markets: BacktestMarkets
): number => {
  const columns = series.find(
    ({ exchange, pair }) => exchange === slot.exchange && pair === slot.pair
  )?.columns
  if (slot.position === undefined || columns === undefined) return 0
  const { fillModel } = markets
  const market = markets.market(slot)
  const last = columns.at[columns.length - 1] ?? 0
  const model = fillModel && Spreads.modelAt(fillModel, markets.spreads?.(slot), last)
  const fills = model && market && { model, market }
  const { takerRate } = feesOf(settings, markets.fees(slot))
  const price = columns.close[columns.length - 1] ?? 0
  const filled =
    fills === undefined ? price : marketPrice(slot.position.side === "long" ? "sell" : "buy", price, fills)
  return Decimal.toNumber(slot.position.quantity) * (Math.abs(price - filled) + filled * takerRate)
}
