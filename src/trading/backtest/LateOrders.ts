// Orders of a back-test that reach the market late. The books have each at the time of its decision; only its price, and
// what its money buys, are those of its arrival.

import type { Fill } from "../../domain/Fill.ts"
import type { FillModel } from "../../domain/fills/FillModel.ts"
import type { Order } from "../../domain/Order.ts"
import type { Fees } from "../books/Fees.ts"
import * as Matching from "../books/Matching.ts"
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

/** Fills an order that was decided at the cursor; undefined where its money buys nothing any more. */
export const fill = (late: LateOrders, order: Order, fees: Fees, cursor: Cursor): Fill | undefined => {
  const now = cursor.candle.at
  const series = late.series.get(order.pair)
  if (series === undefined || !Matching.isTaker(order)) return Matching.fill(order, fees, now)
  const isHere = cursor.markets.some(
    ({ exchange, pair }) => pair === order.pair && exchange === order.exchange
  )
  const { isAfterEnd, price } = isHere
    ? Latency.after(series, cursor, order.side, late.lateMs)
    : Latency.at(series, now + late.lateMs, order.side)
  if (isAfterEnd) late.afterEnd++
  return Matching.fillLate(order, fees, now, price)
}
