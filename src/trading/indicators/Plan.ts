// A plan: which series are computed, in which sequence. It runs over candles in blocks, or candle by candle, by the same
// code. Two series with the same key are one, so that nothing is computed twice.
import type { Columns } from "../../domain/candles/CandleFile.ts"
import { type Kernel, put, type Reach, type Ring, type Series } from "./Series.ts"

/** What a candle has. */
export const FIELDS = ["at", "open", "high", "low", "close", "volume"] as const
export type Field = (typeof FIELDS)[number]

/** A candle: its opening time in ms, prices in quote, volume in base. */
export type Bar = Readonly<Record<Field, number>>

/** Candles as columns of equal length, with their volume. */
export interface Bars extends Columns {
  readonly volume: Float64Array
}

/** The candle of a row. */
export const barAt = ({ at, close, high, low, open, volume }: Bars, row: number): Bar => ({
  at: at[row] ?? 0,
  open: open[row] ?? 0,
  high: high[row] ?? 0,
  low: low[row] ?? 0,
  close: close[row] ?? 0,
  volume: volume[row] ?? Number.NaN
})

/** Rows that are computed at a time: they fit a processor's cache. */
export const BLOCK = 512

/** Where a series comes from: its key, what it reads, and how far back that reaches. */
export interface Source {
  readonly key: string
  readonly inputs: ReadonlyArray<Series>
  readonly reach: Reach
}

/** A plan under construction, and then at work. */
export interface Plan {
  readonly timeframeMs: number
  /** A field of the candle. */
  readonly field: (field: Field) => Series
  /** A number that never changes. */
  readonly constant: (value: number) => Series
  /** The series of a key; `kernel` makes what computes it into the ring that it gets. */
  readonly series: (source: Source, kernel: (output: Ring) => Kernel) => Series
  /** Gives the rings their sizes. Nothing is added afterwards. Blocks have at most `block` rows. */
  readonly allocate: (block: number) => void
  /** Computes the next rows, from `from` up to and without `to` of the columns: at most a block. */
  readonly take: (bars: Bars, from: number, to: number) => void
  /** Computes the next row. */
  readonly push: (bar: Bar) => void
  /** Rows that were computed. */
  readonly rows: () => number
  /** Keeps the state; the function it returns puts it back. */
  readonly hold: () => () => void
}

/** What a plan holds. Series are known by their key and by the ids of what they are computed of. */
interface State {
  readonly known: Map<string, Series>
  readonly constants: Map<number, Series>
  readonly fields: Array<readonly [Field, Ring]>
  /** What makes the kernels. They take memory, and are made when the rings get theirs. */
  readonly makers: Array<() => Kernel>
  readonly kernels: Array<Kernel>
  rows: number
}

/** An empty plan for candles of a timeframe. */
export const make = (timeframeMs: number): Plan => {
  const state: State = {
    known: new Map(),
    constants: new Map(),
    fields: [],
    makers: [],
    kernels: [],
    rows: 0
  }
  return {
    timeframeMs,
    field: (field) => fieldOf(state, field),
    constant: (value) => constantOf(state, value),
    series: (source, kernel) => seriesOf(state, source, kernel),
    allocate: (block) => {
      for (const { history, ring } of state.known.values()) {
        const size = sizeFor(history + block)
        ring.values = new Float64Array(size).fill(Number.NaN)
        ring.mask = size - 1
      }
      for (const make of state.makers.splice(0)) state.kernels.push(make())
    },
    take: (bars, from, to) => {
      for (const [field, ring] of state.fields) copy(bars[field].subarray(from, to), ring, state.rows)
      advance(state, to - from)
    },
    push: (bar) => {
      for (const [field, ring] of state.fields) put(ring, state.rows, bar[field])
      advance(state, 1)
    },
    rows: () => state.rows,
    hold: () => {
      const held = state.rows
      const releases = state.kernels.map((kernel) => kernel.hold())
      return () => {
        state.rows = held
        for (const release of releases) release()
      }
    }
  }
}

const advance = (state: State, count: number): void => {
  const from = state.rows
  state.rows += count
  for (const kernel of state.kernels) kernel.advance(from, state.rows)
}

const fresh = (state: State, { rows, warmup = rows, anchored = false }: Reach): Series => ({
  id: state.known.size + state.constants.size,
  first: rows,
  warmup,
  anchored,
  ring: { values: new Float64Array(1), mask: 0 },
  history: 0
})

const fieldOf = (state: State, field: Field): Series => {
  const found = state.known.get(field)
  if (found !== undefined) return found
  const series = fresh(state, { rows: 1 })
  state.known.set(field, series)
  state.fields.push([field, series.ring])
  return series
}

const constantOf = (state: State, value: number): Series => {
  const series = state.constants.get(value) ?? fresh(state, { rows: 1 })
  state.constants.set(value, series)
  series.ring.values[0] = value
  return series
}

const seriesOf = (state: State, { inputs, key, reach }: Source, kernel: (output: Ring) => Kernel): Series => {
  const whole = `${key}(${inputs.map(({ id }) => id).join()})`
  const found = state.known.get(whole)
  if (found !== undefined) return found
  const most = (of: (series: Series) => number) => inputs.reduce((max, it) => Math.max(max, of(it)), 1)
  const series = fresh(state, {
    rows: most((it) => it.first) + reach.rows,
    warmup: most((it) => it.warmup) + (reach.warmup ?? reach.rows),
    anchored: reach.anchored === true || inputs.some((it) => it.anchored)
  })
  state.known.set(whole, series)
  state.makers.push(() => kernel(series.ring))
  return series
}

/** The next power of two. */
const sizeFor = (rows: number): number => 2 ** Math.ceil(Math.log2(Math.max(rows, 1)))

const copy = (column: Float64Array, ring: Ring, row: number): void => {
  for (let index = 0; index < column.length; index++) put(ring, row + index, column[index] ?? Number.NaN)
}

/** The ring of a series, of which `back` earlier rows are read: it is made long enough for that. */
export const reads = (series: Series, back: number): Ring => {
  series.history = Math.max(series.history, back)
  return series.ring
}
