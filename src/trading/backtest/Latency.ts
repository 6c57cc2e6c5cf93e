// The price that a late order meets. Within a candle the price walks its path at an even speed: the path of the slot
// while that is walked, and otherwise the one whose extreme against the order comes first.

import type { Candle } from "../../domain/Candle.ts"
import type { Columns } from "../../domain/candles/CandleFile.ts"
import type { OrderSide } from "../../domain/Order.ts"
import { firstAt } from "../watch/Scan.ts"
import { type CandlePath, pointOf } from "./CandlePath.ts"
import { candleAt } from "./Tracks.ts"
import type { Cursor } from "./Walk.ts"

/** Candles with their length in ms: the shortest time between two of them. */
export interface Timed {
  readonly columns: Columns
  readonly span: number
}

/** The price that a late order meets; `isAfterEnd` where no candle is left for it, so that it gets the last close. */
export interface Arrival {
  readonly price: number
  readonly isAfterEnd: boolean
}

/** Candles with their length. */
export const timed = (columns: Columns): Timed => {
  let span = Number.POSITIVE_INFINITY
  for (let index = 1; index < columns.length; index++) {
    const length = (columns.at[index] ?? 0) - (columns.at[index - 1] ?? 0)
    if (length > 0 && length < span) span = length
  }
  return { columns, span: Number.isFinite(span) ? span : MINUTE_MS }
}

const MINUTE_MS = 60_000

/** The price `lateMs` after the cursor's moment, for an order of a market that the cursor's candle prices. */
export const after = (series: Timed, cursor: Cursor, side: OrderSide, lateMs: number): Arrival => {
  const { candle, stage } = cursor
  const walked = stage === "walk" ? cursor.paths[cursor.market] : undefined
  const points = pointsOf(candle, walked === undefined || walked === "none" ? against(side) : walked)
  const whole = lengthOf(points)
  const done = stage === "walk" ? walkedSoFar(points, cursor) : 0
  const elapsed = whole === 0 ? 0 : (done / whole) * series.span
  const moment = elapsed + lateMs
  return moment < series.span
    ? { price: along(points, (moment / series.span) * whole), isAfterEnd: false }
    : at(series, candle.at + moment, side)
}

/** The price at a time (ms): in the candle of that time, in a gap the open of the next, after the last its close. */
export const at = ({ columns, span }: Timed, time: number, side: OrderSide): Arrival => {
  const next = firstAt(columns.at, Math.floor(time) + 1, 0)
  const index = next - 1
  const began = columns.at[index]
  if (began !== undefined && time - began < span) {
    const points = pointsOf(candleAt(columns, index), against(side))
    return { price: along(points, ((time - began) / span) * lengthOf(points)), isAfterEnd: false }
  }
  const open = columns.open[next]
  return open === undefined
    ? { price: columns.close[index] ?? 0, isAfterEnd: true }
    : { price: open, isAfterEnd: false }
}

/** The path on which the extreme against an order comes first. */
const against = (side: OrderSide): CandlePath => (side === "buy" ? "high_first" : "low_first")

const pointsOf = (candle: Candle, path: CandlePath): ReadonlyArray<number> => [
  candle.open,
  ...[1, 2, 3].map((leg) => pointOf(candle, path, leg))
]

const lengthOf = (points: ReadonlyArray<number>): number =>
  points.reduce((sum, point, index) => sum + Math.abs(point - (points[index - 1] ?? point)), 0)

/** How far the cursor has come along the path. */
const walkedSoFar = (points: ReadonlyArray<number>, { leg, price }: Cursor): number => {
  if (leg === 0) return 0
  const passed = points.slice(0, leg)
  return lengthOf(passed) + Math.abs(price - (passed.at(-1) ?? price))
}

/** The point of the path at a distance from its start. */
const along = (points: ReadonlyArray<number>, distance: number): number => {
  let left = distance
  let from = points[0] ?? 0
  for (const point of points.slice(1)) {
    const length = Math.abs(point - from)
    if (left < length) return from + Math.sign(point - from) * left
    left -= length
    from = point
  }
  return from
}
