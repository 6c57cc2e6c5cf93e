// Compares back-tests of a million candles with a hand-written loop that makes the same trades, and checks that the
// cost of a candle does not grow.
import type { Columns } from "../../src/domain/candles/CandleFile.ts"
import { section } from "../../src/domain/candles/CandleRowReader.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import * as Backtest from "../../src/trading/Backtest.ts"
import { alert, BTC, market, settings } from "../trading/scenario.ts"
import { compare } from "./compare.ts"
import { type HandTrade, handwritten, type Rules } from "./handwritten.ts"
import type { Line } from "./line.ts"

/** How many candles the lines are about. */
export const CANDLES = 1_000_000
const MINUTE = 60_000
const FLOOR = 0.25
const FOLLOW_FLOOR = 0.15
const MOST = 1.3
const ROUNDS = 15
const WARM_UPS = 10
const SHORT_ROUNDS = 7

/** Minute candles of a random walk in cents, the same at every run. */
export const walkOf = (length: number): Columns => {
  const names = ["at", "open", "high", "low", "close"] as const
  const [at, open, high, low, close] = names.map(() => new Float64Array(length))
  const columns = { at, open, high, low, close }
  let seed = 42
  const next = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0
    return (seed >>> 0) / 4_294_967_296
  }
  let price = 2_500_000
  for (let i = 0; i < length; i++) {
    const from = price
    const to = Math.max(500_000, Math.round(from * (1 + (next() - 0.5) * 0.002)))
    price = to
    put(columns.at, i, i * MINUTE)
    put(columns.open, i, from / 100)
    put(columns.close, i, to / 100)
    put(columns.high, i, (Math.max(from, to) + Math.round(next() * 1000)) / 100)
    put(columns.low, i, (Math.min(from, to) - Math.round(next() * 1000)) / 100)
  }
  return { at: full(at), open: full(open), high: full(high), low: full(low), close: full(close), length }
}

const full = (column: Float64Array | undefined): Float64Array => column ?? new Float64Array(0)
const put = (column: Float64Array | undefined, index: number, value: number): void => {
  if (column !== undefined) column[index] = value
}

const RULES: Rules = {
  taker: 0.001,
  buyShare: 0.5,
  turn: 0.002,
  minProfit: 0.005,
  arm: 0.012,
  trail: 0.004,
  stop: 0.06,
  dcaTrigger: 0.02,
  dcaShare: 0.5,
  dcaMost: 2,
  dcaWaitMs: 60 * MINUTE,
  holdMs: 4320 * MINUTE,
  balanceUp: 0.08,
  balanceDown: 0.05,
  coolMs: 120 * MINUTE,
  amountStep: 0.00001
}

const SETTINGS = settings({
  takerFeePercent: 0.1,
  makerFeePercent: 0.1,
  buyPercent: 50,
  trailingBuy: { percent: 0.2 },
  minProfitPercent: 0.5,
  trailingSell: { armPercent: 1.2, percent: 0.4 },
  stopLoss: { percent: 6 },
  dca: { waitMinutes: 60, maxRetries: 2, triggerPercent: 2, orderSizePercent: 50 },
  autoClose: { minutes: 4320 },
  balanceTakeProfit: { triggerPercent: 8, cooldownMinutes: 120 },
  balanceStopLoss: { triggerPercent: 5, cooldownMinutes: 120 }
})

/** A back-test of a walk's first candles, with an alert every 500. */
export const prepared = (columns: Columns, length: number) => {
  const first = section(columns, 0, length)
  const minutes = Array.from({ length: length / 500 }, (_, index) => index * 500)
  const alertAt = Float64Array.from(minutes, (minute) => minute * MINUTE)
  const alerts = minutes.map((minute) => alert(minute, "buy"))
  const balance = Decimal.unsafeFromText("10000")
  const engine = () =>
    Backtest.run({
      settings: SETTINGS,
      balance,
      series: [{ exchange: "binance", pair: BTC, columns: first }],
      alerts,
      market: (id) => market(id, { amountStep: "0.00001" }),
      fees: () => ({ makerFeePercent: Decimal.zero, takerFeePercent: Decimal.zero })
    })
  return { engine, hand: () => handwritten(first, alertAt, RULES, 10_000) }
}

/** One million candles, all rules on: the engine against a hand-written loop that makes the same trades. */
const loop = async (columns: Columns, rounds = ROUNDS): Promise<Line> => {
  const { engine, hand } = prepared(columns, columns.length)
  const { trades } = engine()
  const difference = agree(trades, hand())
  const { left, ratio, right } = await compare(engine, hand, rounds, WARM_UPS)
  const text =
    `${columns.length} candles, all rules on, ${trades.length} trades: ${left.toFixed(1)} ms; hand-written ${right.toFixed(1)} ms; ` +
    `ratio ${ratio.toFixed(2)} (floor ${FLOOR}, goal 0.6); ${difference ?? "the same trades"}`
  return { name: "backtest.loop", text, ok: ratio >= FLOOR && difference === undefined, ratio }
}

/** What following a chart adds: steps, break even, entries added and sized by risk, beside the same trail and stops. */
const FOLLOWING = settings({
  ...SETTINGS,
  takeProfitSteps: [
    { profitPercent: 0.6, closePercent: 30 },
    { profitPercent: 1.2, closePercent: 30 }
  ],
  breakEvenAfter: 1,
  maxEntries: 3,
  riskPercent: 2
})

/** One million candles that are followed with parts, steps and added entries, against the loop that has none of them. */
const follow = async (columns: Columns): Promise<Line> => {
  const { hand } = prepared(columns, CANDLES)
  const alerts = Array.from({ length: CANDLES / 500 }, (_, index) =>
    alert(index * 500, index % 4 === 3 ? "sell" : "buy", index % 4 === 3 ? { closePercent: 50 } : {})
  )
  const engine = () =>
    Backtest.run({
      settings: FOLLOWING,
      balance: Decimal.unsafeFromText("10000"),
      series: [{ exchange: "binance", pair: BTC, columns }],
      alerts,
      market: (id) => market(id, { amountStep: "0.00001" }),
      fees: () => ({ makerFeePercent: Decimal.zero, takerFeePercent: Decimal.zero })
    })
  const { trades } = engine()
  const exits = trades.reduce((sum, { exits: count = 1 }) => sum + count, 0)
  const entries = trades.reduce((sum, trade) => sum + trade.entries, 0)
  const { left, ratio, right } = await compare(engine, hand, ROUNDS, WARM_UPS)
  const text =
    `1,000,000 candles with parts, steps, break even and added entries, ${trades.length} trades of ${entries} entries and ` +
    `${exits} exits: ${left.toFixed(1)} ms; hand-written without them ${right.toFixed(1)} ms; ratio ${ratio.toFixed(2)} (floor ${FOLLOW_FLOOR})`
  return { name: "backtest.follow", text, ok: ratio >= FOLLOW_FLOOR && exits > trades.length, ratio }
}

/** Checks that the cost of a candle does not grow with the number of candles. */
const scale = async (columns: Columns): Promise<Line> => {
  const [large, small] = [prepared(columns, CANDLES), prepared(columns, CANDLES / 10)]
  const ten = () => {
    for (let i = 0; i < 10; i++) small.engine()
  }
  const { left, ratio, right } = await compare(large.engine, ten, ROUNDS, WARM_UPS)
  const grows = 1 / ratio
  const nanoseconds = (ms: number) => `${((ms * 1e6) / CANDLES).toFixed(1)} ns`
  const text = `${nanoseconds(left)} a candle at 1,000,000; ${nanoseconds(right)} at 100,000; ratio ${grows.toFixed(2)} (at most ${MOST}, goal 1.0)`
  return { name: "backtest.scale", text, ok: grows <= MOST }
}

export default async (): Promise<ReadonlyArray<Line>> => {
  const columns = walkOf(CANDLES)
  return [await loop(columns), await follow(columns), await scale(columns)]
}

/** The line that takes seconds only, and whose ratio releases keep. */
export const short = async (): Promise<ReadonlyArray<Line>> => {
  const line = await loop(walkOf(CANDLES / 5), SHORT_ROUNDS)
  return [{ ...line, name: "backtest.short" }]
}

/** The first difference between two lists of trades; equal is up to one part in a million. */
const agree = (
  ours: ReturnType<typeof Backtest.run>["trades"],
  theirs: ReadonlyArray<HandTrade>
): string | undefined => {
  if (ours.length !== theirs.length) return `${ours.length} trades against ${theirs.length}`
  const close = (left: number, right: number) => Math.abs(left - right) <= 1e-6 * Math.max(1, Math.abs(right))
  for (const [index, trade] of ours.entries()) {
    const other = theirs[index]
    if (other === undefined) return `trade ${index} is missing`
    const same =
      trade.openedAt === other.openedAt &&
      trade.closedAt === other.closedAt &&
      trade.exitReason === other.reason &&
      close(trade.exitPrice, other.exitPrice) &&
      close(Decimal.toNumber(trade.pnl), other.pnl)
    if (!same)
      return `trade ${index}: ${trade.exitReason} at ${trade.exitPrice}, not ${other.reason} at ${other.exitPrice}`
  }
  return undefined
}
