// What a server keeps of a strategy's equity in one period: the fold over its samples, and what buying and holding its
// pairs would be worth. A new period or currency begins anew.
import * as Schema from "effect/Schema"
import type { EquityPoint } from "../../domain/equity/EquityFigures.ts"
import { LEAST_POINTS } from "../backtest/Thinning.ts"
import * as CurveThinner from "./CurveThinner.ts"
import * as EquityFold from "./EquityFold.ts"
import { shownPoint } from "./Figures.ts"
import * as HoldBasket from "./HoldBasket.ts"

/** The equity of one strategy in one period, as it is stored. */
export const Tracked = Schema.Struct({
  period: Schema.Int,
  currency: Schema.String,
  state: EquityFold.EquityState,
  basket: HoldBasket.Basket
})
export type Tracked = typeof Tracked.Type

/** The last price (quote) of a pair that the strategy trades; undefined where there is none. */
export interface PairPrice {
  readonly name: string
  readonly price: number | undefined
}

/** When a period began (ms), and with what. */
export interface Beginning extends Pick<Tracked, "period" | "currency"> {
  readonly since: number
  readonly starting: number
}

/** A strategy at one moment. */
export interface Moment {
  readonly beginning: Beginning
  readonly sample: EquityFold.Sample
  readonly prices: ReadonlyArray<PairPrice>
}

/** Before the first sample of a period. */
export const begin = ({ currency, period, since, starting }: Beginning): Tracked => ({
  period,
  currency,
  state: EquityFold.begin(starting, since),
  basket: HoldBasket.split(starting, [])
})

/** Whether it belongs to this period. */
export const isOf = (tracked: Tracked, { currency, period }: Beginning): boolean =>
  tracked.period === period && tracked.currency === currency

/** Adds a sample, at the last known price of pairs that have none now. */
export const sampled = (before: Tracked | undefined, { beginning, prices, sample }: Moment): Tracked => {
  const tracked = before !== undefined && isOf(before, beginning) ? before : begin(beginning)
  const names = prices.map(({ name }) => name)
  const isSame = HoldBasket.isOver(tracked.basket, names)
  // The worth that is split anew is that at the present prices.
  const basket = HoldBasket.copied(tracked.basket)
  markAll(basket, prices)
  const next = isSame ? basket : HoldBasket.split(HoldBasket.total(basket), names)
  if (!isSame) markAll(next, prices)
  return { ...tracked, state: EquityFold.add(tracked.state, sample), basket: next }
}

const markAll = (basket: HoldBasket.Draft, prices: ReadonlyArray<PairPrice>): void => {
  const known = new Map(prices.map(({ name, price }) => [name, price]))
  for (const [index, { name }] of basket.holdings.entries())
    HoldBasket.mark(basket, index, known.get(name) ?? Number.NaN)
}

/** The curve's point after the last sample (time in ms). */
export const pointOf = ({ basket, state }: Tracked): EquityPoint =>
  shownPoint([state.at, state.equity, EquityFold.drawdownNow(state) * 100, HoldBasket.worth(basket)])

/** The first, last, lowest, highest and most fallen point of a stretch: nothing that matters of it is lost. */
export const gist = (points: ReadonlyArray<EquityPoint>): ReadonlyArray<EquityPoint> =>
  thinned(points, LEAST_POINTS)

/** At most so many points of a curve, as `Thinning.thinned` keeps them. */
export const thinned = (points: ReadonlyArray<EquityPoint>, most: number): ReadonlyArray<EquityPoint> => {
  const thinner = CurveThinner.make(points.length, most)
  for (const point of points) CurveThinner.take(thinner, point)
  return CurveThinner.points(thinner)
}
