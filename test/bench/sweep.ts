// What the settings of a sweep share: many of them over one recording, against as many single runs, each of which reads
// its candles and alerts itself. Both run on one core.
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { type Columns, parse } from "../../src/domain/candles/CandleFile.ts"
import { real } from "../../src/domain/candles/CandleTime.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import * as AlertsFile from "../../src/trading/backtest/AlertsFile.ts"
import type { BacktestMarkets } from "../../src/trading/backtest/BacktestMarkets.ts"
import { type Family, settingsReader, trial } from "../../src/trading/Sweep.ts"
import { WIDTH, write } from "../../src/trading/sweep/SweepFigures.ts"
import { count, type Grid } from "../../src/trading/sweep/SweepGrid.ts"
import type { Recording } from "../../src/trading/sweep/SweepSplit.ts"
import { BTC, MINUTE, market } from "../trading/scenario.ts"
import { walkOf } from "./backtest.ts"
import { compare } from "./compare.ts"
import type { Line } from "./line.ts"

const CANDLES = 66_000
const ROUNDS = 3
/** How many times faster the settings are together. */
const FLOOR = 3
/** The most that thousands of settings may take beside their recording (MB). */
const MOST_MB = 250

const BEGAN = 1_600_000_000_000
const TIMES = real(BEGAN + 10 * CANDLES * MINUTE)

/** So many values, each a step above the one before. */
const steps = (count: number, step: number) => Array.from({ length: count }, (_, index) => step * (index + 1))

const GRID: Grid = [
  { field: "stop_loss_percentage", values: [1, 3, 6] },
  { field: "sell_minprofitpercent", values: [0.5, 1, 2] },
  { field: "buy_percentage", values: [25, 50, 100] }
]
/** 5,000 combinations. */
const MANY: Grid = [
  { field: "stop_loss_percentage", values: steps(25, 0.5) },
  { field: "sell_minprofitpercent", values: steps(20, 0.25) },
  { field: "buy_percentage", values: steps(10, 10) }
]
const familyOf = (grid: Grid): Family => ({
  grid,
  body: {
    name: "sweep",
    description: "",
    public: false,
    default_exchange_name: "binance",
    active: true,
    exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT"] }],
    default_quote_currency: "USDT",
    stop_loss: true,
    taker_fee: 0.1,
    maker_fee: 0.1
  }
})

const MARKETS: BacktestMarkets = {
  balance: Decimal.unsafeFromText("10000"),
  market: (id) => market(id, { amountStep: "0.00001" }),
  fees: () => ({ makerFeePercent: Decimal.zero, takerFeePercent: Decimal.zero })
}

/** A candle file, and a file with an alert every 500 candles. */
const files = (columns: Columns) => {
  const encoder = new TextEncoder()
  const { close, high, low, open } = columns
  const lines = Array.from(open, (price, i) => {
    const prices = [price, high[i] ?? 0, low[i] ?? 0, close[i] ?? 0].map((each) => each.toFixed(2))
    return `${BEGAN + i * MINUTE},${prices.join(",")},1`
  })
  const alerts = Array.from({ length: CANDLES / 500 }, (_, i) =>
    JSON.stringify({ time: BEGAN + i * 500 * MINUTE, type: "buy", coin: "BTC", quote_currency: "USDT" })
  )
  return { candles: encoder.encode(lines.join("\n")), alerts: encoder.encode(alerts.join("\n")) }
}

const recordingOf = ({ alerts, candles }: ReturnType<typeof files>): Recording => ({
  series: [{ exchange: "binance", pair: BTC, columns: Either.getOrThrow(parse(candles, TIMES)) }],
  alerts: Either.getOrThrow(AlertsFile.parse(alerts, TIMES))
})

/** The figures of all combinations, row by row. */
const figuresOf = (grid: Grid, recordingAt: () => Recording): Float64Array => {
  const results = new Float64Array(count(grid) * WIDTH)
  const settingsAt = settingsReader(familyOf(grid))
  for (let index = 0; index < count(grid); index++) {
    const tried = trial(Either.getOrThrow(settingsAt(index)), MARKETS, recordingAt())
    write(Option.getOrThrow(tried).summary, results, index * WIDTH)
  }
  return results
}

/** The two ways to try a grid: over one recording, and each combination from the files. */
const waysOf = (grid: Grid) => {
  const made = files(walkOf(CANDLES))
  return {
    together: () => {
      const recording = recordingOf(made)
      return figuresOf(grid, () => recording)
    },
    singly: () => figuresOf(grid, () => recordingOf(made))
  }
}

export default async (): Promise<ReadonlyArray<Line>> => {
  const { singly, together } = waysOf(GRID)
  const same = together().join() === singly().join()
  const { left, ratio, right } = await compare(together, singly, ROUNDS)
  return [lineOf("sweep.sharing", GRID, { left, ratio, right, same })]
}

/** The same of thousands of settings, once: it takes minutes. */
export const many = async (): Promise<ReadonlyArray<Line>> => {
  const { singly, together } = waysOf(MANY)
  const before = process.memoryUsage.rss()
  const [left, ours] = timed(together)
  const grown = (process.memoryUsage.rss() - before) / 2 ** 20
  const [right, theirs] = timed(singly)
  const same = ours.join() === theirs.join()
  const line = lineOf("sweep.many", MANY, { left, ratio: right / left, right, same })
  return [
    {
      ...line,
      text: `${line.text}; together they took ${grown.toFixed(0)} MB more (at most ${MOST_MB})`,
      ok: line.ok && grown <= MOST_MB
    }
  ]
}

const timed = <A>(run: () => A): readonly [ms: number, A] => {
  const from = performance.now()
  const made = run()
  return [performance.now() - from, made]
}

interface Times {
  readonly left: number
  readonly right: number
  readonly ratio: number
  readonly same: boolean
}

const lineOf = (name: string, grid: Grid, { left, ratio, right, same }: Times): Line => {
  const each = (ms: number) => `${(ms / count(grid)).toFixed(2)} ms`
  return {
    name,
    text:
      `${count(grid)} settings over 66,000 candles on one core: ${each(left)} each; single runs from files ${each(right)}; ` +
      `ratio ${ratio.toFixed(2)} (floor ${FLOOR}); ${same ? "the same figures" : "OTHER FIGURES"}`,
    ok: ratio >= FLOOR && same,
    ratio
  }
}
