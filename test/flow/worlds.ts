// Seeded worlds: candles of several pairs, alerts at random, and strategies with every feature on and off.
import { ALERT_TYPES } from "../../src/domain/Alert.ts"
import type { Columns } from "../../src/domain/candles/CandleFile.ts"
import { Pair } from "../../src/domain/Market.ts"
import type { Recording } from "../../src/prices/CandleFiles.ts"
import type { TimedAlert } from "../../src/trading/Backtest.ts"
import type { Body } from "../lib/flow.ts"

const MINUTE = 60_000

/** A linear congruential generator (Numerical Recipes); its upper bits are good enough to draw worlds with. */
export const dice = (seed: number) => {
  let state = BigInt(seed) * 2_654_435_761n
  const next = () => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) & 0xffff_ffff_ffff_ffffn
    return Number(state >> 32n) / 4_294_967_296
  }
  return {
    next,
    chance: (share: number) => next() < share,
    whole: (low: number, high: number) => low + Math.floor(next() * (high - low + 1)),
    percent: (low: number, high: number) => Math.round((low + next() * (high - low)) * 1000) / 1000,
    one: <A>(all: ReadonlyArray<A>, or: A): A => all[Math.floor(next() * all.length)] ?? or
  }
}
export type Dice = ReturnType<typeof dice>

/** A walk of a pair, a candle a minute with some missing; prices on whole cents. */
export const walk = (dice: Dice, begin: number, length: number, price: number, swing: number): Columns => {
  const cents = (value: number) => Math.max(1, Math.round(value * 100)) / 100
  const rows: Array<readonly [number, number, number, number, number]> = []
  let last = price
  for (let minute = 0; minute < length; minute++) {
    const open = cents(dice.chance(0.1) ? last * (1 + (dice.next() - 0.5) * swing * 4) : last)
    const close = cents(open * (1 + (dice.next() - 0.5) * swing * 2))
    const high = cents(Math.max(open, close) * (1 + dice.next() * swing))
    const low = cents(Math.min(open, close) * (1 - dice.next() * swing))
    last = close
    if (dice.chance(0.07)) continue
    rows.push([begin + minute * MINUTE, open, Math.max(high, open, close), Math.min(low, open, close), close])
  }
  return columnsOf(rows)
}

const columnsOf = (rows: ReadonlyArray<readonly [number, number, number, number, number]>): Columns => {
  const column = (index: number) => Float64Array.from(rows, (row) => row[index] ?? 0)
  const [at, open, high, low, close] = [column(0), column(1), column(2), column(3), column(4)]
  return { at, open, high, low, close, length: rows.length }
}

/** Some rows of a recording. */
export const part = ({ at, close, high, low, open }: Columns, from: number, length: number): Columns => {
  const cut = (values: Float64Array) => values.slice(from, from + length)
  return { at: cut(at), open: cut(open), high: cut(high), low: cut(low), close: cut(close), length }
}

export const PAIRS = ["BTC/USDT", "ETH/USDT", "SOL/USDT"].map((pair) => Pair.make(pair))

/** Alerts sorted by time, some for pairs without candles, some after the last candle. */
export const alertsOf = (
  dice: Dice,
  recordings: ReadonlyArray<Recording>,
  count: number
): ReadonlyArray<TimedAlert> => {
  const [first] = recordings
  const begin = first?.columns.at[0] ?? 0
  const alerts = Array.from({ length: count }, (): TimedAlert => {
    const at = begin + dice.whole(-60_000, 620 * MINUTE)
    const type = dice.one(ALERT_TYPES, "buy")
    const pair = dice.chance(0.03) ? Pair.make("XRP/USDT") : dice.one(PAIRS, Pair.make("BTC/USDT"))
    const columns = recordings.find((recording) => recording.pair === pair)?.columns
    const price = columns?.open[columns.at.findIndex((time) => time >= at)] ?? 100
    const sign = type === "short" ? -1 : 1
    const target = (way: number) =>
      Math.round(price * (1 + sign * way * (dice.next() - 0.1) * 0.02) * 100) / 100
    return {
      type,
      pair,
      at,
      ...(dice.chance(0.2) ? { tp: target(1) } : {}),
      ...(dice.chance(0.2) ? { sl: target(-1) } : {})
    }
  })
  return alerts.sort((one, other) => one.at - other.at)
}

/** The same items, shuffled. */
export const shuffled = <A>(dice: Dice, all: ReadonlyArray<A>): ReadonlyArray<A> =>
  all
    .map((one) => ({ one, place: dice.next() }))
    .sort((left, right) => left.place - right.place)
    .map(({ one }) => one)

/** A strategy in the request dialect, with its pairs in a sequence of its own. */
export const strategyOf = (dice: Dice): Body => ({
  default_exchange_name: "bybit",
  exchanges: [{ exchange_name: "bybit", coin_pairs: shuffled(dice, PAIRS.slice(dice.chance(0.2) ? 1 : 0)) }],
  active: !dice.chance(0.04),
  buy_percentage: dice.one([100, 50, 30, 10, 0.04, 0], 10),
  signal_ignores_sell_min_profit_percent: dice.chance(0.3),
  ...(dice.chance(0.5) ? { taker_fee: dice.one([0, 0.05, 0.4], 0), maker_fee: dice.one([0, 0.1], 0) } : {}),
  ...(dice.chance(0.5) ? { sell_minprofitpercent: dice.percent(0.05, 2) } : {}),
  ...(dice.chance(0.3)
    ? { strategy_trailing_buy_switch: true, trailing_buy_percentage: dice.percent(0.05, 0.8) }
    : {}),
  ...(dice.chance(0.5)
    ? {
        strategy_dca_switch: true,
        dca_aftertime: dice.one([0, 1, 7, 30], 0),
        dca_maxretries: dice.whole(1, 6),
        dca_percentagetrigger: dice.percent(0.1, 1.5),
        dca_ordersize: dice.one([5, 50, 100, 400], 50)
      }
    : {}),
  ...(dice.chance(0.4)
    ? {
        trailing_sell: true,
        trailing_sell_arm: dice.percent(0.1, 1.5),
        trailing_sell_percentage: dice.percent(0.05, 0.8)
      }
    : {}),
  ...(dice.chance(0.5) ? { stop_loss: true, stop_loss_percentage: dice.percent(0.3, 4) } : {}),
  ...(dice.chance(0.3)
    ? {
        balance_take_profit: true,
        balance_take_profit_trigger: dice.percent(0.2, 2),
        balance_take_profit_cooldown: dice.one([0, 5, 40], 0)
      }
    : {}),
  ...(dice.chance(0.3)
    ? {
        balance_stop_loss: true,
        balance_stop_loss_trigger: dice.percent(0.3, 3),
        balance_stop_loss_cooldown: dice.one([0, 5, 40], 0)
      }
    : {}),
  ...(dice.chance(0.3)
    ? { auto_close_position_enabled: true, auto_close_position_value: dice.one([1, 9, 45, 120], 9) }
    : {})
})
