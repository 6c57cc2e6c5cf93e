import { between } from "../../../src/domain/candles/CandleRange.ts"
import * as Decimal from "../../../src/domain/Decimal.ts"
import type { Fill } from "../../../src/domain/Fill.ts"
import { baseOf } from "../../../src/domain/Market.ts"
import { OrderId } from "../../../src/domain/Order.ts"
import * as Backtest from "../../../src/trading/Backtest.ts"
import { rateOf } from "../../../src/trading/books/Fees.ts"
import type { Comparison } from "../../../src/trading/compare/Compare.ts"
import type { LiveRecord, RecordedAlert, RecordedOrder } from "../../../src/trading/compare/LiveRecord.ts"
import { PARTS, type Part } from "../../../src/trading/compare/Parts.ts"
import type { Approved } from "../../../src/trading/Risk.ts"
import { type Draw, drawing, world } from "../world.ts"

/** What a stub exchange makes of an order: no fill at all, or fills, each a share at a price with a fee. */
export interface Executed {
  /** The part of the order that is traded; the rest is cancelled. */
  readonly share?: number
  /** The price of the fill over that of the decision. */
  readonly slip?: number
  /** The fee over the one expected. */
  readonly fee?: number
  /** An exit is refused first, and sent again at this price over the first. */
  readonly again?: number
  /** A fee of a purchase is taken from the coin bought. */
  readonly inCoin?: boolean
  /** In how many fills. */
  readonly fills?: number
}

export type Venue = (order: Approved, draw: Draw) => Executed

/** Lives a strategy's life at a stub exchange, whose orders and fills become the record. */
export const lived = (
  seed: number,
  venue: Venue,
  change: (record: LiveRecord, draw: Draw) => Partial<LiveRecord> = () => ({})
): LiveRecord => {
  const { backtest } = world(seed, seed % 2 === 0 ? 1 : 2)
  const draw = drawing(seed + 77)
  const from = Math.max(...backtest.series.map(({ columns }) => columns.at[0] ?? 0))
  const until =
    Math.min(...backtest.series.map(({ columns }) => columns.at[columns.length - 1] ?? 0)) + 60_000
  const plain: LiveRecord = {
    ...backtest,
    series: backtest.series.map((one) => ({ ...one, columns: between(one.columns, from, until) })),
    past: [],
    from,
    until,
    trades: [],
    orders: [],
    alerts: inTurn(backtest.alerts),
    halts: [],
    outages: []
  }
  return recordedBy({ ...plain, ...change(plain, draw) }, venue, draw)
}

/**
 * Lives the life of a seed over four prices a minute, the open, the extremes in any sequence, and the close, while its
 * test has the candles of these minutes. Alerts act at the next of these prices.
 */
export const livedByTicks = (seed: number): LiveRecord => {
  const life = lived(seed, () => ({}))
  const draw = drawing(seed)
  const series = life.series.map((one) => ({ ...one, columns: ticksOf(one.columns, draw) }))
  const alerts = life.alerts.map((one) => {
    const times = series.find(({ pair }) => pair === one.alert.pair)?.columns.at ?? []
    const at = times.find((time) => time >= one.alert.at) ?? one.alert.at
    return { ...one, alert: { ...one.alert, at }, actedAt: at }
  })
  return { ...recordedBy({ ...life, series, alerts }, () => ({})), series: life.series }
}

const ticksOf = (
  { at, close, high, length, low, open }: Backtest.Backtest["series"][number]["columns"],
  draw: Draw
) => {
  const prices = Array.from({ length }, (_, row) => {
    const extremes = draw.chance(0.5) ? [low[row], high[row]] : [high[row], low[row]]
    return [open[row], ...extremes, close[row]]
  }).flat()
  const price = Float64Array.from(prices, (one) => one ?? 0)
  const times = Float64Array.from(prices, (_, tick) => (at[Math.floor(tick / 4)] ?? 0) + (tick % 4) * 15_000)
  return { at: times, open: price, high: price, low: price, close: price, length: price.length }
}

const inTurn = (alerts: ReadonlyArray<Backtest.TimedAlert>): ReadonlyArray<RecordedAlert> =>
  alerts
    .toSorted((one, other) => one.at - other.at)
    .map((alert, index) => ({ id: index + 1, alert, actedAt: alert.at, reason: "opened" }))

/** The record's life as it really went: its circumstances and the venue decide. */
export const recordedBy = (record: LiveRecord, venue: Venue, draw: Draw = drawing(1)): LiveRecord => {
  const orders: Array<RecordedOrder> = []
  const alerts = record.alerts
    .filter(({ reason }) => reason === "opened")
    .map((one) => ({ ...one, alert: { ...one.alert, at: one.actedAt } }))
    .toSorted((one, other) => one.alert.at - other.alert.at || one.id - other.id)
  const known = [...record.past, { until: Number.POSITIVE_INFINITY, settings: record.settings }]
  const result = Backtest.run({
    ...record,
    settings: known[0]?.settings ?? record.settings,
    changes: [
      ...record.past.map(({ until }, index) => ({
        at: until,
        settings: known[index + 1]?.settings ?? record.settings
      })),
      ...record.halts.flatMap(({ from, until }) => [
        { at: from, halted: true },
        { at: until, halted: false }
      ])
    ].sort((one, other) => one.at - other.at),
    series: record.series.map((one) => ({ ...one, columns: outside(one.columns, record) })),
    alerts: alerts.map(({ alert }) => alert),
    answer: (order, fill, fees) => {
      const made = venue(order, draw)
      const renumbered = { ...order, alert: alerts[(order.alert ?? 0) - 1]?.id ?? 0 }
      const id = () => OrderId.make(`o${orders.length + 1}`)
      const mine = { ...renumbered, id: id() }
      const again = order.purpose === "exit" ? made.again : undefined
      if (again !== undefined) orders.push({ order: mine, status: "rejected", fills: [] })
      const sent = { ...mine, id: id(), price: order.price * (again ?? 1) }
      const quantity =
        made.share === undefined
          ? order.quantity
          : Decimal.floorToStep(
              Decimal.multiply(order.quantity, Decimal.fromNumber(made.share)),
              Decimal.unsafeFromText("0.000001")
            )
      if (!Decimal.isPositive(quantity)) {
        orders.push({ order: sent, status: "rejected", fills: [] })
        return { _tag: "Rejected", market: order, order: order.id }
      }
      const fills = split(quantity, made.fills ?? 1).map((part, index): Fill => {
        const price = sent.price * (made.slip ?? 1)
        const notional = Decimal.multiply(part, Decimal.fromNumber(price))
        const rate = order.exitReason === "liquidation" ? Decimal.zero : rateOf(order, fees)
        const fee = Decimal.multiply(notional, rate)
        const whole: Fill = {
          ...fill,
          order: sent.id,
          id: String(index + 1),
          quantity: part,
          price,
          notional,
          fee: made.fee === undefined ? fee : Decimal.multiply(fee, Decimal.fromNumber(made.fee))
        }
        return made.inCoin === true && order.side === "buy" ? takenFromCoin(whole, rate) : whole
      })
      orders.push({ order: sent, status: "filled", fills })
      const sum = (of: (one: Fill) => Decimal.Decimal) => Decimal.sum(fills.map(of))
      const total = {
        quantity: sum((it) => it.quantity),
        notional: sum((it) => it.notional),
        fee: sum((it) => it.fee)
      }
      const price = fills[0]?.price ?? sent.price
      return { _tag: "Filled", market: order, fill: { ...fill, ...total, price }, done: true }
    }
  })
  return { ...record, trades: result.trades, orders }
}

/** The fill of a purchase whose fee, at this rate, is taken from the coin: what arrived, and the worth of the rest. */
const takenFromCoin = (fill: Fill, feeRate: Decimal.Decimal): Fill => {
  const rate = Decimal.fromNumber(fill.price)
  const amount = Decimal.multiply(fill.quantity, feeRate)
  const quantity = Decimal.subtract(fill.quantity, amount)
  return {
    ...fill,
    quantity,
    notional: Decimal.multiply(quantity, rate),
    fee: Decimal.multiply(amount, rate),
    paid: { asset: baseOf(fill.pair), amount, rate }
  }
}

const outside = (columns: Backtest.Backtest["series"][number]["columns"], { outages }: LiveRecord) => {
  const rows = Array.from(columns.at.slice(0, columns.length), (at, row) => ({ at, row }))
    .filter(({ at }) => !outages.some(({ from, until }) => at >= from && at < until))
    .map(({ row }) => row)
  const pick = (column: Float64Array) => Float64Array.from(rows, (row) => column[row] ?? 0)
  const { at, close, high, low, open } = columns
  return {
    at: pick(at),
    open: pick(open),
    high: pick(high),
    low: pick(low),
    close: pick(close),
    length: rows.length
  }
}

const split = (quantity: Decimal.Decimal, parts: number): ReadonlyArray<Decimal.Decimal> => {
  const step = Decimal.unsafeFromText("0.000001")
  const part = Decimal.floorToStep(Decimal.divide(quantity, Decimal.fromNumber(parts)), step)
  if (parts === 1 || !Decimal.isPositive(part)) return [quantity]
  const others = Array.from({ length: parts - 1 }, () => part)
  return [...others, Decimal.subtract(quantity, Decimal.sum(others))]
}

/** The parts that are not 0 in any trade, in their sequence. */
export const partsOf = (comparison: Comparison): ReadonlyArray<Part | "remainder"> => [
  ...PARTS.filter((part) => comparison.trades.some(({ parts }) => !Decimal.isZero(parts[part]))),
  ...(comparison.trades.some(({ remainder }) => !Decimal.isZero(remainder)) ? (["remainder"] as const) : [])
]

/** Whether the parts and the remainder add up exactly, in all and in each trade. */
export const addsUp = (comparison: Comparison): boolean =>
  [comparison, ...comparison.trades].every(({ difference, parts, remainder }) =>
    Decimal.equals(difference, Decimal.add(remainder, Decimal.sum(PARTS.map((part) => parts[part]))))
  ) && Decimal.equals(comparison.difference, Decimal.subtract(comparison.live, comparison.test))
