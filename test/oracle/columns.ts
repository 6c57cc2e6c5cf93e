// Holds the columns of the oracle's tables against ours.
import { changes, compare, type Result } from "./compare.ts"
import { valuesOf } from "./evaluate.ts"
import { expressionOf } from "./mapping.ts"
import { pricesOf } from "./prices.ts"
import { barsOf, numbers, type Output, type Spot, type Table, tablesOf } from "./tables.ts"

/** A row of the report. */
export interface Row extends Result {
  readonly file: string
  readonly table: string
  readonly what: string
}

/** Columns that an expression cannot be, with the reason. */
const LEFT_OUT = "a close of later candles: no expression can know it"

/** All columns of a file of tables. */
export const columnsOf = async (folder: string, file: string): Promise<ReadonlyArray<Row>> => {
  const isSpreadsheet = file.startsWith("stock-indicators")
  const tables = await tablesOf(`${folder}/${file}`)
  return tables.flatMap((table) =>
    table.outputs.map((output) => ({
      file,
      table: table.id,
      what: output.column,
      ...checked(table, output, isSpreadsheet)
    }))
  )
}

const checked = (table: Table, output: Output, isSpreadsheet: boolean): Result => {
  const want = numbers(table, output.column) ?? new Float64Array(0)
  const bars = barsOf(table)
  const text = expressionOf(output, isSpreadsheet)
  const got = pricesOf(output, bars) ?? (text === undefined ? undefined : valuesOf(text, bars))
  if (got === undefined) return { compared: 0, worst: 0, ok: output.output === "chikou", note: LEFT_OUT }
  if (output.indicator === "ParabolicSAR" && output.tolerance.rule !== undefined)
    return mostly(got, want, output)
  if (output.indicator === "OBV") {
    // Some begin with 0 or the first volume: what they have in common is how it changes.
    const from = Math.max(output.first, 2)
    return compare(changes(got), changes(want), { ...output, tolerance: { ...output.tolerance, from } })
  }
  // TradingView exports 0 where a line that is not drawn begins.
  if (output.column === "supertrend_when_down") got[0] = want[0] ?? 0
  return compare(got, want, output)
}

/** The README counts the bars at which that source's order of steps gives another level: 28 of 1,500. */
const mostly = (got: Float64Array, want: Float64Array, { tolerance }: Output): Result => {
  const most = tolerance.absolute ?? 0
  let compared = 0
  let other = 0
  for (let row = 1; row < want.length; row++) {
    compared++
    if (!(Math.abs((got[row] ?? Number.NaN) - (want[row] ?? Number.NaN)) <= most)) other++
  }
  return { compared, worst: 0, ok: other <= 28, note: `${other} bars of another convention, 28 expected` }
}

const FUNCTIONS: Readonly<
  Record<string, (params: Readonly<Record<string, number>>, output: string) => string>
> = {
  SMA: ({ length }) => `sma(close, ${length})`,
  WMA: ({ length }) => `wma(close, ${length})`,
  EMA: ({ length }) => `ema(close, ${length})`,
  RSI: ({ length }) => `rsi(close, ${length})`,
  PLUS_DI: ({ length }) => `dmi(${length}, ${length}).plus_di`,
  MINUS_DI: ({ length }) => `dmi(${length}, ${length}).minus_di`,
  ADX: ({ length }) => `dmi(${length}, ${length}).adx`,
  ADXR: ({ length = 0 }) =>
    `avg(dmi(${length}, ${length}).adx, dmi(${length}, ${length}).adx[${length - 1}])`,
  DX: ({ length }) => {
    const [plus, minus] = [`dmi(${length}, 1).plus_di`, `dmi(${length}, 1).minus_di`]
    return `100 * abs(${plus} - ${minus}) / (${plus} + ${minus})`
  },
  BBANDS: ({ length, deviations_up }, output) => `bb(close, ${length}, ${deviations_up}).${output}`,
  STOCH: ({ d_smoothing, k_smoothing, length }, output) => {
    const k = `sma(stoch(close, high, low, ${length}), ${k_smoothing})`
    return output === "slow_k" ? k : `sma(${k}, ${d_smoothing})`
  },
  STOCHRSI: ({ d_smoothing, rsi_length, stoch_length }, output) => {
    const rsi = `rsi(close, ${rsi_length})`
    const k = `stoch(${rsi}, ${rsi}, ${rsi}, ${stoch_length})`
    return output === "fast_k" ? k : `sma(${k}, ${d_smoothing})`
  },
  TRANGE: () => "tr",
  ATR: ({ length }) => `rma(tr(false), ${length})`,
  MFI: ({ length }) => `mfi(hlc3, ${length})`,
  WILLR: ({ length }) => `100 * (close - highest(${length})) / (highest(${length}) - lowest(${length}))`,
  CCI: ({ length }) => `cci(hlc3, ${length})`,
  ROC: ({ length }) => `roc(close, ${length})`,
  STDDEV: ({ deviations, length }) => `${deviations} * stdev(close, ${length})`,
  SAR: ({ acceleration, maximum }) => `sar(${acceleration}, ${acceleration}, ${maximum})`,
  MACD: ({ fast, signal, slow }, output) => `macd(close, ${fast}, ${slow}, ${signal}).${output}`
}

/** The spot values of TA-Lib's own tests. Where it starts in another way they are not comparable, and are counted only. */
export const spotsOf = async (folder: string, file: string): Promise<ReadonlyArray<Row>> => {
  const tables = await tablesOf(`${folder}/${file}`)
  return tables.flatMap((table) => {
    const kinds = Map.groupBy(
      table.spot_values,
      (spot) => `${spot.function} ${JSON.stringify(spot.params)} ${spot.output}`
    )
    return [...kinds].map(([what, spots]) => ({ file, table: table.id, what, ...near(table, spots) }))
  })
}

const near = (table: Table, spots: ReadonlyArray<Spot>): Result => {
  const [first] = spots
  const text = first === undefined ? undefined : FUNCTIONS[first.function]?.(first.params, first.output)
  if (text === undefined) return { compared: 0, worst: 0, ok: false, note: "no expression" }
  const values = valuesOf(text, barsOf(table))
  const same = spots.filter((spot) => spot.same_start_up)
  const apart = same.map((spot) => Math.abs((values[spot.index] ?? Number.NaN) - spot.value))
  const others = spots.length - same.length
  return {
    compared: same.length,
    worst: Math.max(0, ...apart),
    ok: apart.every((difference, index) => difference <= (same[index]?.tolerance ?? 0)),
    note: others === 0 ? "" : `${others} of another start-up`
  }
}
