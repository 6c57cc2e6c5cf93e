import type { AlertType } from "../../src/domain/Alert.ts"
import type { Columns } from "../../src/domain/candles/CandleFile.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { Pair } from "../../src/domain/Market.ts"
import type { OnOpposite, Settings } from "../../src/domain/Strategy.ts"
import type { Backtest, TimedAlert } from "../../src/trading/Backtest.ts"
import type { CaseMarket } from "./oracle/Case.ts"
import { BTC, ETH, MINUTE, market, settings } from "./scenario.ts"

/** A random strategy, its candles with holes and gaps, and alerts of all kinds: one world a seed. */
export interface World {
  readonly backtest: Backtest
  readonly market: CaseMarket
}

/** Mulberry32: small, and good enough to draw worlds with. */
export const drawing = (seed: number) => {
  let state = Math.imul(seed, 7919) | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    chance: (share: number) => next() < share,
    between: (low: number, high: number) => Math.round((low + (high - low) * next()) * 100) / 100,
    pick: <A>(first: A, ...others: ReadonlyArray<A>): A =>
      [first, ...others][Math.floor(next() * (others.length + 1))] ?? first
  }
}
export type Draw = ReturnType<typeof drawing>

const cents = (price: number) => Math.max(0.01, Math.round(price * 100) / 100)

const candles = (draw: Draw, volatility: number): Columns => {
  const length = 150 + Math.floor(draw.next() * 200)
  const rows: Array<readonly [number, number, number, number, number]> = []
  let price = 100
  let at = 0
  for (let i = 0; i < length; i++) {
    at += MINUTE * (draw.chance(0.05) ? 1 + Math.floor(draw.next() * 10) : 1)
    const open = cents(draw.chance(0.1) ? price * (1 + (draw.next() - 0.5) * volatility * 3) : price)
    const close = cents(open * (1 + (draw.next() - 0.5) * volatility * 2))
    const high = Math.max(open, close, cents(Math.max(open, close) * (1 + draw.next() * volatility)))
    const low = Math.min(open, close, cents(Math.min(open, close) * (1 - draw.next() * volatility)))
    rows.push([at, open, high, low, close])
    price = close < 5 ? 100 : close
  }
  const column = (index: number) => Float64Array.from(rows, (row) => row[index] ?? 0)
  return { at: column(0), open: column(1), high: column(2), low: column(3), close: column(4), length }
}

const strategy = (draw: Draw, scale: number) =>
  settings({
    takerFeePercent: draw.pick(0, 0.1, 0.5),
    makerFeePercent: draw.pick(0, 0.02, 0.1),
    buyPercent: draw.pick(100, 50, 20, 5),
    signalIgnoresMinProfit: draw.chance(0.3),
    ...(draw.chance(0.5) ? { minProfitPercent: draw.between(0.2, scale * 3) } : {}),
    ...(draw.chance(0.3) ? { trailingBuy: { percent: draw.between(0.1, scale) } } : {}),
    ...(draw.chance(0.5)
      ? {
          dca: {
            waitMinutes: draw.pick(0, 1, 5, 30),
            maxRetries: draw.pick(1, 2, 5),
            triggerPercent: draw.between(0.1, scale * 1.5),
            orderSizePercent: draw.pick(10, 50, 100, 300)
          }
        }
      : {}),
    ...(draw.chance(0.5)
      ? { trailingSell: { armPercent: draw.between(0.1, scale * 2), percent: draw.between(0.1, scale) } }
      : {}),
    ...(draw.chance(0.5) ? { stopLoss: { percent: draw.between(0.5, Math.min(60, scale * 4)) } } : {}),
    ...(draw.chance(0.3)
      ? {
          balanceTakeProfit: {
            triggerPercent: draw.between(0.3, scale * 2),
            cooldownMinutes: draw.pick(0, 5, 30)
          }
        }
      : {}),
    ...(draw.chance(0.3)
      ? {
          balanceStopLoss: {
            triggerPercent: draw.between(0.6, Math.min(80, scale * 3)),
            cooldownMinutes: draw.pick(0, 5, 30)
          }
        }
      : {}),
    ...(draw.chance(0.3) ? { autoClose: { minutes: draw.pick(1, 7, 30, 100) } } : {})
  })

const SPOT: ReadonlyArray<AlertType> = ["buy", "sell"]
const SWAP: ReadonlyArray<AlertType> = ["long", "short", "close_long", "close_short"]

const alertsFor = (draw: Draw, series: Backtest["series"], volatility: number): ReadonlyArray<TimedAlert> => {
  const types = draw.pick(SPOT, SWAP, [...SPOT, ...SWAP])
  const last = Math.max(...series.map(({ columns }) => columns.at[columns.length - 1] ?? 0))
  return Array.from({ length: 10 + Math.floor(draw.next() * 60) }, () => {
    const at = Math.floor(draw.next() * (last + 200_000))
    const type = types[Math.floor(draw.next() * types.length)] ?? "buy"
    const [{ columns, pair } = { columns: undefined, pair: BTC }] = draw.chance(0.5)
      ? series
      : series.slice(-1)
    const price = columns?.open[columns.at.findIndex((time) => time >= at)] ?? 100
    const way = type === "short" ? -1 : 1
    const target = (sign: number) => cents(price * (1 + sign * way * (draw.next() - 0.1) * volatility * 5))
    return {
      type,
      pair,
      at,
      ...(draw.chance(0.25) ? { tp: target(1) } : {}),
      ...(draw.chance(0.25) ? { sl: target(-1) } : {})
    }
  })
}

/** Worlds of seeds above this follow a chart: they close in steps, add, turn, and take parts and ladders. */
const FOLLOWING = 1_000_000

const followingSettings = (draw: Draw, scale: number): Partial<Settings> => {
  const count = draw.pick(1, 2, 3, 5)
  const share = draw.pick(100 / count, 50 / count, 33.3 / count)
  const first = draw.between(0.1, scale)
  const hasSteps = draw.chance(0.6)
  const takeProfitSteps = Array.from({ length: count }, (_, index) => ({
    profitPercent: first * (index + 1),
    closePercent: Math.floor(share * 10) / 10
  }))
  return {
    ...(hasSteps ? { takeProfitSteps } : {}),
    ...(draw.chance(0.5) ? { breakEvenAfter: draw.pick(1, Math.min(2, hasSteps ? count : 2)) } : {}),
    ...(draw.chance(0.5) ? { maxEntries: draw.pick(2, 3, 10) } : {}),
    ...(draw.chance(0.4) ? { onOpposite: draw.pick<OnOpposite>("close", "reverse", "ignore") } : {}),
    ...(draw.chance(0.3) ? { riskPercent: draw.between(0.1, 5) } : {})
  }
}

const followingAlert = (draw: Draw, alert: TimedAlert): TimedAlert => {
  const { tp, ...rest } = alert
  if (alert.type === "sell" || alert.type === "close_long" || alert.type === "close_short")
    return draw.chance(0.6) ? { ...alert, closePercent: draw.pick(10, 33.3, 50, 99.9, 100) } : alert
  const turns = alert.type !== "buy" && draw.chance(0.4) ? { reverse: draw.chance(0.8) } : {}
  const sized = draw.chance(0.3) ? { buyPercentage: draw.pick(1, 10, 40, 100) } : {}
  if (tp === undefined || draw.chance(0.4)) return { ...alert, ...turns, ...sized }
  const way = alert.type === "short" ? -1 : 1
  const tps = [0, 1, 2].slice(0, draw.pick(1, 2, 3)).map((place) => ({
    price: cents(tp * (1 + way * place * 0.01)),
    percent: draw.pick(20, 33.3)
  }))
  return { ...rest, ...turns, ...sized, tps }
}

/** The world of a seed, with one pair or two. In a wild one prices double within a candle or two. */
export const world = (seed: number, pairs: 1 | 2, isWild = false): World => {
  const draw = drawing(seed)
  const volatility = isWild ? draw.pick(0.2, 0.3, 0.5) : draw.pick(0.002, 0.01, 0.03, 0.08)
  const one = (pair: Pair) => ({ exchange: "binance" as const, pair, columns: candles(draw, volatility) })
  const series = pairs === 1 ? [one(BTC)] : draw.chance(0.5) ? [one(BTC), one(ETH)] : [one(ETH), one(BTC)]
  const steps = {
    amountStep: draw.pick("0.000001", "0.01"),
    priceStep: draw.pick("0.01", "0.1"),
    minCost: draw.pick("0", "5", "300")
  }
  // In a wild world the strategy expects what tame ones bring, or all that comes.
  const chosen = strategy(draw, (isWild ? draw.pick(0.08, volatility) : volatility) * 100)
  const follows = seed > FOLLOWING ? drawing(seed) : undefined
  const alerts = alertsFor(draw, series, volatility)
  const fees = { makerFeePercent: Decimal.zero, takerFeePercent: Decimal.zero }
  return {
    backtest: {
      settings:
        follows === undefined ? chosen : { ...chosen, ...followingSettings(follows, volatility * 100) },
      balance: Decimal.unsafeFromText("10000"),
      series,
      alerts: follows === undefined ? alerts : alerts.map((each) => followingAlert(follows, each)),
      market: (id) => market(id, steps),
      fees: () => fees
    },
    market: {
      price_step: Number(steps.priceStep),
      amount_step: Number(steps.amountStep),
      min_amount: 0,
      min_cost: Number(steps.minCost)
    }
  }
}
