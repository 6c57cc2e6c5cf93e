// Rules and candles for tests of their back-test.
import * as Either from "effect/Either"
import type { Columns } from "../../src/domain/candles/CandleFile.ts"
import type { Timeframe } from "../../src/domain/candles/Timeframe.ts"
import * as RuleReading from "../../src/domain/signalRule/RuleReading.ts"
import type { Series } from "../../src/trading/backtest/Tracks.ts"
import type { Bars } from "../../src/trading/indicators/Plan.ts"
import { groundOf, type RuleRun, runsOf, type Tested } from "../../src/trading/signalRule/RuleRecording.ts"
import { BTC, MINUTE } from "./scenario.ts"

/** A rule on BTC, unless told. */
export const document = (more: Readonly<Record<string, unknown>> = {}) => ({
  markets: [{ exchange: "binance", kind: "spot", pairs: ["BTC/USDT"] }],
  timeframe: "1m" as Timeframe,
  params: {},
  on: [{ type: "buy", when: "close > open" }],
  ...more
})

/** A rule that has no errors. */
export const ruleOf = (value: unknown): RuleReading.ReadRule =>
  Either.getOrThrowWith(RuleReading.read(value), (errors) => new Error(JSON.stringify(errors)))

export const seriesOf = (columns: Columns): ReadonlyArray<Series> => [
  { exchange: "binance", pair: BTC, columns }
]

/** Candles with a volume; 0 where they have none. */
export const barsOf = (columns: Columns): Bars => ({
  ...columns,
  volume: columns.volume ?? new Float64Array(columns.length)
})

export const ALL: Tested = { from: 0, until: Number.POSITIVE_INFINITY }

/** What a rule raises over candles. */
export const runOf = (value: unknown, series: ReadonlyArray<Series>, tested = ALL): RuleRun => {
  const rule = ruleOf(value)
  const ground = Either.getOrThrowWith(groundOf(rule.rule, series, tested), ({ text }) => new Error(text))
  const [run] = runsOf([rule], ground)
  if (run === undefined) throw new Error("there is one rule")
  return run
}

/** Candles whose closes are these prices, and whose opens are the closes before; `every` minutes apart. */
export const closing = (prices: ReadonlyArray<number>, from = 0, every = 1): Columns => {
  const close = Float64Array.from(prices)
  const open = close.map((price, row) => close[row - 1] ?? price)
  return {
    at: close.map((_, row) => from + row * every * MINUTE),
    open,
    high: close.map((price, row) => Math.max(price, open[row] ?? price)),
    low: close.map((price, row) => Math.min(price, open[row] ?? price)),
    close,
    volume: close.map((_, row) => 1 + (row % 7)),
    length: close.length
  }
}

/** A walk of so many minutes, the same at every run. */
export const walk = (count: number, from = 0, seed = 7): Columns => {
  let state = seed
  let price = 100
  return closing(
    Array.from({ length: count }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
      price = Math.max(1, price * (1 + ((state >>> 0) / 4_294_967_296 - 0.5) * 0.01))
      return price
    }),
    from
  )
}
