// The candles of a test with the moments at which the bot really decided: at each a point, a candle of one price, that of
// the decision. Such a minute consists of its open, its points and its close, since what its extremes would have led to
// came to nothing. Where a trail decided, the minute keeps them: the trail followed them.
import type { Candle } from "../../domain/Candle.ts"
import type { Columns } from "../../domain/candles/CandleFile.ts"
import { candleAt, type Series } from "../backtest/Tracks.ts"
import { isByHand, type LiveRecord, type RecordedOrder } from "./LiveRecord.ts"

const CANDLE_MS = 60_000

/** A decision: when (ms), at which price, and what made it. */
interface Moment {
  readonly at: number
  readonly price: number
  readonly of: RecordedOrder
  readonly by: "alert" | "trail" | "other"
}

type Row = Omit<Candle, "volume">

/** The series with the moments of its orders, but for those that the test decides alike without. */
export const withMoments = (
  one: Series,
  { alerts, orders }: LiveRecord,
  repeated: ReadonlySet<RecordedOrder>
): Series => {
  const actedAt = new Map(alerts.map(({ actedAt, id }) => [id, actedAt]))
  const moments = inSequence(
    orders
      .filter(({ order }) => order.pair === one.pair && order.exchange === one.exchange)
      .flatMap((recorded) => momentsOf(recorded, actedAt))
      .sort((left, right) => left.at - right.at)
  ).filter(({ of }) => !repeated.has(of))
  return moments.length === 0 ? one : { ...one, columns: withPoints(one.columns, moments) }
}

/** A stop that rests decides when it fills, at its level; any other order when it is made. */
const momentsOf = (of: RecordedOrder, actedAt: ReadonlyMap<number, number>): ReadonlyArray<Moment> => {
  const { fills, order } = of
  const moment = { at: order.at, price: order.price, of }
  if (order.type === "stop") return fills.slice(0, 1).map(({ at }) => ({ ...moment, at, by: "other" }))
  if (order.exitReason === "trailing_sell") return [{ ...moment, by: "trail" }]
  if (order.purpose !== "entry") return [{ ...moment, by: order.exitReason === "signal" ? "alert" : "other" }]
  // A trailing buy enters later than its alert.
  const isLater = order.at > (actedAt.get(order.alert ?? 0) ?? order.at)
  return [{ ...moment, by: isLater ? "trail" : "alert" }]
}

/** What the owner ordered, and what a bot decided before an alert of the same millisecond, comes so much (ms) earlier. */
export const EARLIER_MS = 0.5

/** At an open a test answers alerts before all rules but exits, and makes the owner's closes before both. */
const inSequence = (moments: ReadonlyArray<Moment>): ReadonlyArray<Moment> =>
  moments.map((one, index) => {
    const isBefore = moments.some(
      ({ at, by }, other) => other > index && at === one.at && by === "alert" && one.by !== "alert"
    )
    return isBefore || isByHand(one.of) ? { ...one, at: one.at - EARLIER_MS } : one
  })

const withPoints = (columns: Columns, moments: ReadonlyArray<Moment>): Columns => {
  const rows: Array<Row> = []
  let next = 0
  const take = (until: number): ReadonlyArray<Moment> => {
    const from = next
    while ((moments[next]?.at ?? Number.POSITIVE_INFINITY) < until) next++
    return moments.slice(from, next)
  }
  for (let index = 0; index < columns.length; index++) {
    const candle = candleAt(columns, index)
    rows.push(...take(candle.at).map(pointOf))
    rows.push(...minuteOf(candle, take(candle.at + CANDLE_MS - 1)))
  }
  rows.push(...take(Number.POSITIVE_INFINITY).map(pointOf))
  return columnsOf(rows)
}

const minuteOf = (candle: Row, moments: ReadonlyArray<Moment>): ReadonlyArray<Row> => {
  if (moments.length === 0) return [candle]
  const isAtOpen = ({ at, by }: Moment) => by === "alert" && at === candle.at
  const first = moments.filter((one) => isAtOpen(one) && one.price !== candle.open).map(pointOf)
  const later = moments.filter((one) => !isAtOpen(one))
  if (later.every(({ by }) => by === "trail")) return [...first, candle, ...later.map(pointOf)]
  const open = pointOf({ at: candle.at, price: candle.open })
  const close = pointOf({ at: candle.at + CANDLE_MS - 1, price: candle.close })
  return [...first, open, ...later.map(pointOf), close]
}

const pointOf = ({ at, price }: Pick<Moment, "at" | "price">): Row => ({
  at,
  open: price,
  high: price,
  low: price,
  close: price
})

const columnsOf = (rows: ReadonlyArray<Row>): Columns => {
  const column = (field: keyof Row) => Float64Array.from(rows, (row) => row[field])
  return {
    at: column("at"),
    open: column("open"),
    high: column("high"),
    low: column("low"),
    close: column("close"),
    length: rows.length
  }
}
