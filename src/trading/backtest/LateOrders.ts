// Orders of a back-test that reach the market late. The books have each at the time of its decision; only its price, and
// what its money buys, are those of its arrival.

import type { Fill } from "../../domain/Fill.ts"
import type { FillModel } from "../../domain/fills/FillModel.ts"
import type { Order } from "../../domain/Order.ts"
import type { Fees } from "../books/Fees.ts"
import * as Matching from "../books/Matching.ts"
import type { Event } from "../Decision.ts"
import * as Latency from "./Latency.ts"
import type { Track } from "./Tracks.ts"
import type { Cursor } from "./Walk.ts"

/** The candles of each pair with their length, and how many orders had none left. */
export interface LateOrders {
  readonly lateMs: number
  readonly series: ReadonlyMap<string, Latency.Timed>
  afterEnd: number
}

/** The candles of a run whose orders are late; undefined where they are not. */
export const of = (model: FillModel | undefined, tracks: ReadonlyArray<Track>): LateOrders | undefined =>
  model?.latencyMs === undefined || model.latencyMs === 0
    ? undefined
    : {
        lateMs: model.latencyMs,
        series: new Map(tracks.map(({ series: { columns, pair } }) => [pair, Latency.timed(columns)])),
        afterEnd: 0
      }

/** What becomes of an order whose money buys nothing any more. */
export const tooDear = (order: Order): Event => ({
  _tag: "Rejected",
  market: order,
  order: order.id,
  reason: Matching.TOO_DEAR
})

/** When an order was decided (ms), the fees of its market, and where in a candle it was, if in one. */
export interface Decided {
  readonly now: number
  readonly fees: Fees
  readonly cursor: Cursor | undefined
}

/** Fills an order some time after its decision; undefined where its money buys nothing any more. */
export const fill = (late: LateOrders, order: Order, { cursor, fees, now }: Decided): Fill | undefined => {
  const series = late.series.get(order.pair)
  if (series === undefined || !Matching.isTaker(order)) return Matching.fill(order, fees, now)
  const { isAfterEnd, price } =
    cursor?.markets.some(({ exchange, pair }) => pair === order.pair && exchange === order.exchange) === true
      ? Latency.after(series, cursor, order.side, late.lateMs)
      : Latency.at(series, now + late.lateMs, order.side)
  if (isAfterEnd) late.afterEnd++
  return Matching.fillLate(order, fees, now, price)
}
