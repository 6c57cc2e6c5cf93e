// Holds the signals of our rules against those that others recorded: every one at its bar, and none more.

import * as Schema from "effect/Schema"
import type { Bars } from "../../src/trading/signalRule/Evaluate.ts"
import type { Row } from "./columns.ts"
import type { Result } from "./compare.ts"
import { valuesOf } from "./evaluate.ts"
import { barsOfRows, rowsOf } from "./tables.ts"

/** A signal: its bar, and the side. */
interface Signal {
  readonly row: number
  readonly side: string
}

interface Sides {
  readonly buy: string
  readonly sell: string
}

const RULES: Readonly<Record<string, Sides>> = {
  macd_12_26_9: {
    buy: "crossover(macd(close, 12, 26, 9).histogram, 0)",
    sell: "crossunder(macd(close, 12, 26, 9).histogram, 0)"
  },
  rsi_14_30_70: { buy: "crossover(rsi(close, 14), 30)", sell: "crossunder(rsi(close, 14), 70)" },
  supertrend_10_3: {
    buy: "supertrend(3, 10).direction < 0 and supertrend(3, 10).direction[1] > 0",
    sell: "supertrend(3, 10).direction > 0 and supertrend(3, 10).direction[1] < 0"
  }
}

/** The bars at which a rule fires; one that fires again before the other side did is not counted. */
const fired = ({ buy, sell }: Sides, bars: Bars): ReadonlyArray<Signal> => {
  const [over, under] = [valuesOf(buy, bars, "boolean"), valuesOf(sell, bars, "boolean")]
  const signals: Array<Signal> = []
  let last = ""
  for (let row = 0; row < bars.length; row++) {
    const side = over[row] === 1 ? "buy" : under[row] === 1 ? "sell" : last
    if (side !== last) signals.push({ row, side })
    last = side
  }
  return signals
}

const same = (got: ReadonlyArray<string>, want: ReadonlyArray<string>): Result => {
  const [ours, theirs] = [new Set(got), new Set(want)]
  const missing = want.filter((it) => !ours.has(it)).length
  const extra = got.filter((it) => !theirs.has(it)).length
  const ok = missing === 0 && extra === 0
  return { compared: want.length, worst: 0, ok, note: ok ? "" : `${missing} missing, ${extra} extra` }
}

/** The entries of three strategies; filled at the open of the next bar. */
const entries = async (folder: string): Promise<ReadonlyArray<Row>> => {
  const file = "signals/eurusd_1h_entries.csv.gz"
  const bars = barsOfRows(await rowsOf(`${folder}/signals/eurusd_1h.csv.gz`))
  const wanted = await rowsOf(`${folder}/${file}`)
  return Object.entries(RULES).map(([rule, sides]) => {
    const got = fired(sides, bars).flatMap(({ row, side }) => {
      const next = [bars.at[row + 1], bars.open[row + 1]]
      return next[0] === undefined ? [] : [[side, bars.at[row], ...next].join()]
    })
    const want = wanted
      .filter((it) => it["rule"] === rule)
      .map((it) =>
        [
          it["side"],
          Number(it["signal_time_ms"]),
          Number(it["fill_time_ms"]),
          Number(it["fill_price"])
        ].join()
      )
    return { file, table: "entries", what: rule, ...same(got, want) }
  })
}

const crosses = async (folder: string): Promise<ReadonlyArray<Row>> => {
  const file = "signals/eurusd_30m_ema5_ema11.csv"
  const rows = await rowsOf(`${folder}/${file}`)
  const bars = barsOfRows(rows)
  return [
    ["ema5_over_ema11", "crossover(ema(close, 5), ema(close, 11))"],
    ["ema5_under_ema11", "crossunder(ema(close, 5), ema(close, 11))"]
  ].map(([what = "", text = ""]) => {
    const got = [...valuesOf(text, bars, "boolean")].flatMap((value, row) => (value === 1 ? [`${row}`] : []))
    const want = rows.flatMap((row, index) => (Number(row[what]) === 1 ? [`${index}`] : []))
    return { file, table: "crosses", what, ...same(got, want) }
  })
}

/** The trades of a strategy that is always in the market: it enters at the bar after the averages crossed. */
const trades = async (folder: string): Promise<ReadonlyArray<Row>> => {
  const file = "signals/goog_1d_sma10_sma30_trades.csv"
  const bars = barsOfRows(await rowsOf(`${folder}/signals/goog_1d.csv.gz`))
  const sides = {
    buy: "crossover(sma(close, 10), sma(close, 30))",
    sell: "crossunder(sma(close, 10), sma(close, 30))"
  }
  const got = fired(sides, bars).flatMap(({ row, side }) =>
    row + 1 < bars.length ? [`${side} ${row} ${bars.open[row + 1]}`] : []
  )
  const want = (await rowsOf(`${folder}/${file}`)).map(
    (it) => `${it["side"]} ${it["signal_bar"]} ${Number(it["entry_price"])}`
  )
  return [{ file, table: "trades", what: "sma_10_30", ...same(got, want) }]
}

const Edges = Schema.Struct({
  cases: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      a: Schema.Array(Schema.Number),
      b: Schema.Number,
      fired: Schema.Record({ key: Schema.String, value: Schema.Array(Schema.Number) }),
      measured_bars: Schema.optional(Schema.Array(Schema.Number))
    })
  )
})

const edges = async (folder: string): Promise<ReadonlyArray<Row>> => {
  const file = "signals/cross_edges.json"
  const { cases } = Schema.decodeUnknownSync(Edges)(await Bun.file(`${folder}/${file}`).json())
  return cases.flatMap(({ a, b, fired, id, measured_bars: [from = 0, to = a.length] = [] }) =>
    Object.entries(fired).map(([name, rows]) => {
      const close = Float64Array.from(a)
      const bars = {
        at: close.map((_, row) => row),
        open: close,
        high: close,
        low: close,
        close,
        volume: close,
        length: a.length
      }
      const values = valuesOf(`${name}(close, ${b})`, bars, "boolean")
      const got = [...values].flatMap((value, row) =>
        value === 1 && row >= from && row <= to ? [`${row}`] : []
      )
      return { file, table: id, what: name, ...same(got, rows.map(String)) }
    })
  )
}

/** All recorded signals. */
export const signalsOf = async (folder: string): Promise<ReadonlyArray<Row>> => [
  ...(await entries(folder)),
  ...(await crosses(folder)),
  ...(await trades(folder)),
  ...(await edges(folder))
]
