// The equity of a finished back-test, marked at the close of every candle: one sample for each time that any series
// has a candle of. A pass of its own over candles and fills, so that the run itself pays nothing for it.
import * as Decimal from "../../domain/Decimal.ts"
import type { EquityPoint } from "../../domain/equity/EquityFigures.ts"
import { marketKey } from "../../domain/Market.ts"
import type { Settings } from "../../domain/Strategy.ts"
import type { BacktestResult } from "../Backtest.ts"
import type { Series } from "../backtest/Tracks.ts"
import { tradableOf } from "../Routing.ts"
import * as CurveThinner from "./CurveThinner.ts"
import * as EquityFold from "./EquityFold.ts"
import type { Measured } from "./Figures.ts"
import * as HoldBasket from "./HoldBasket.ts"
import * as Holdings from "./Holdings.ts"
import * as TradeGroups from "./TradeGroups.ts"

/** A back-test that has ended: its input, its result and all its fills in sequence. */
export interface Ended {
  readonly settings: Settings
  readonly series: ReadonlyArray<Series>
  readonly result: Pick<BacktestResult, "postings" | "tally" | "trades">
  readonly fills: ReadonlyArray<Holdings.Filled>
}

/** What the figures are made of, and the thinned curve (times in ms). */
export interface Marked {
  readonly measured: Measured
  readonly points: ReadonlyArray<EquityPoint>
}

/** Marks a back-test to the market; the curve has at most `most` points. */
export const measure = (ended: Ended, most: number): Marked => {
  const pass = passOf(ended)
  const thinner = CurveThinner.make(countTimes(ended.series) + 1, most)
  const { basket, draft } = pass
  CurveThinner.take(thinner, [draft.since, draft.starting, 0, HoldBasket.worth(basket)])
  walk(pass, (sample) => {
    EquityFold.take(draft, sample)
    const drawdown = EquityFold.drawdownNow(draft) * 100
    CurveThinner.take(thinner, [sample.at, draft.equity, drawdown, HoldBasket.worth(basket)])
  })
  const measured = {
    currency: ended.settings.quote,
    state: draft,
    hold: HoldBasket.worth(basket),
    groups: TradeGroups.groupsOf(ended.result.trades)
  }
  return { measured, points: CurveThinner.points(thinner) }
}

/** Calls `take` with the equity at the close of every candle, in sequence. */
export const eachEquity = (ended: Ended, take: (at: number, equity: number) => void): void =>
  walk(passOf(ended), ({ at, equity }) => take(at, equity))

/** Calls `take` with a sample at the close of every candle, in sequence. */
export const eachSample = (ended: Ended, take: (sample: EquityFold.Sample) => void): void =>
  walk(passOf(ended), take)

const walk = (pass: Pass, take: (sample: EquityFold.Sample) => void): void => {
  for (;;) {
    const at = nextTime(pass)
    if (at === Number.POSITIVE_INFINITY) return
    Holdings.advance(pass.holdings, at)
    markAt(pass, at)
    take(sampleAt(pass, at))
  }
}

/** `next` is the next candle of each series, `prices` its last close; `inBasket` its index in the basket. */
interface Pass {
  readonly series: ReadonlyArray<Series>
  readonly next: Array<number>
  readonly prices: Array<number>
  readonly seriesOf: ReadonlyMap<string, number>
  readonly inBasket: ReadonlyArray<number>
  readonly holdings: Holdings.Holdings
  readonly basket: HoldBasket.Draft
  readonly draft: EquityFold.Draft
}

const passOf = ({ fills, result, series, settings }: Ended): Pass => {
  const starting = Decimal.toNumber(result.tally.starting)
  const tradable = tradableOf(settings)
  const listed = series.filter(({ exchange, pair }) => tradable.get(pair)?.exchange === exchange)
  const keys = (["spot", "swap"] as const).flatMap((kind) =>
    series.map((one, index) => [marketKey({ ...one, kind }), index] as const)
  )
  return {
    series,
    next: series.map(() => 0),
    prices: series.map(() => 0),
    seriesOf: new Map(keys),
    inBasket: series.map((one) => listed.indexOf(one)),
    holdings: Holdings.make(result.postings, fills),
    basket: HoldBasket.split(starting, listed.map(HoldBasket.nameOf)),
    draft: { ...EquityFold.begin(starting, result.tally.createdAt) }
  }
}

/** The time of the next candle of any series; infinite after the last. */
const nextTime = ({ next, series }: Pick<Pass, "series" | "next">): number => {
  let time = Number.POSITIVE_INFINITY
  for (let index = 0; index < series.length; index++) {
    const at = timeAt(series[index], next[index])
    if (at < time) time = at
  }
  return time
}

const timeAt = (series: Series | undefined, index = 0): number =>
  series === undefined || index >= series.columns.length
    ? Number.POSITIVE_INFINITY
    : (series.columns.at[index] ?? Number.POSITIVE_INFINITY)

/** The number of different times over all series. */
export const countTimes = (series: ReadonlyArray<Series>): number => {
  const [only] = series
  if (only !== undefined && series.length === 1) return only.columns.length
  const next = series.map(() => 0)
  for (let count = 0; ; count++) {
    const at = nextTime({ series, next })
    if (at === Number.POSITIVE_INFINITY) return count
    for (let index = 0; index < series.length; index++)
      if (timeAt(series[index], next[index]) === at) next[index] = (next[index] ?? 0) + 1
  }
}

/** Takes the candles of a time: their closes are the prices. Holding buys at the open of a series' first candle. */
const markAt = ({ basket, inBasket, next, prices, series }: Pass, at: number): void => {
  for (let index = 0; index < series.length; index++) {
    const candle = next[index] ?? 0
    const one = series[index]
    if (one === undefined || timeAt(one, candle) !== at) continue
    const close = one.columns.close[candle] ?? 0
    const place = inBasket[index] ?? -1
    if (candle === 0) HoldBasket.mark(basket, place, one.columns.open[0] ?? 0)
    HoldBasket.mark(basket, place, close)
    prices[index] = close
    next[index] = candle + 1
  }
}

const sampleAt = ({ holdings, prices, seriesOf }: Pass, at: number): EquityFold.Sample => {
  let equity = holdings.cash
  let notional = 0
  for (const [market, held] of holdings.positions) {
    const price = prices[seriesOf.get(market) ?? -1] ?? 0
    equity += Holdings.worth(held, price)
    notional += held.quantity * price
  }
  return { at, equity, notional, isHeld: holdings.positions.size > 0, weight: 1 }
}
