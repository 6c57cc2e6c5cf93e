// Reads the tables of an oracle's folder: candles beside expected values.
import * as Schema from "effect/Schema"
import type { Bars } from "../../src/trading/signalRule/Evaluate.ts"

const Cell = Schema.Union(Schema.Number, Schema.String, Schema.Null)
const Tolerance = Schema.Struct({
  from: Schema.optional(Schema.Number),
  relative: Schema.optional(Schema.Number),
  absolute: Schema.optional(Schema.Number),
  rule: Schema.optional(Schema.String)
})

const Output = Schema.Struct({
  column: Schema.String,
  indicator: Schema.String,
  params: Schema.Record({
    key: Schema.String,
    value: Schema.Union(Schema.String, Schema.Number, Schema.Boolean)
  }),
  output: Schema.String,
  first: Schema.Number,
  tolerance: Tolerance
})
export type Output = typeof Output.Type

const Spot = Schema.Struct({
  function: Schema.String,
  params: Schema.Record({ key: Schema.String, value: Schema.Number }),
  output: Schema.String,
  index: Schema.Number,
  value: Schema.Number,
  tolerance: Schema.Number,
  same_start_up: Schema.Boolean
})
export type Spot = typeof Spot.Type

const Table = Schema.Struct({
  id: Schema.String,
  columns: Schema.Array(Schema.String),
  rows: Schema.Array(Schema.Array(Cell)),
  outputs: Schema.optionalWith(Schema.Array(Output), { default: () => [] }),
  spot_values: Schema.optionalWith(Schema.Array(Spot), { default: () => [] })
})
export type Table = typeof Table.Type

const File = Schema.Struct({ tables: Schema.Array(Table) })

const textOf = async (path: string): Promise<string> => {
  const bytes = await Bun.file(path).bytes()
  return new TextDecoder().decode(path.endsWith(".gz") ? Bun.gunzipSync(bytes) : bytes)
}

/** The tables of a JSON file. */
export const tablesOf = async (path: string): Promise<ReadonlyArray<Table>> =>
  Schema.decodeUnknownSync(File)(JSON.parse(await textOf(path))).tables

/** The rows of a CSV file, by the names in its first line. */
export const rowsOf = async (path: string): Promise<ReadonlyArray<Readonly<Record<string, string>>>> => {
  const [head = "", ...lines] = (await textOf(path)).trim().split("\n")
  const names = head.trim().split(",")
  return lines.map((line) => {
    const cells = line.trim().split(",")
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ""]))
  })
}

/** A column of numbers; NaN where there is none. */
export const numbers = (table: Table, column: string): Float64Array | undefined => {
  const index = table.columns.indexOf(column)
  if (index < 0) return undefined
  return Float64Array.from(table.rows, (row) => (typeof row[index] === "number" ? row[index] : Number.NaN))
}

const MINUTE = 60_000

/** The candles of a table. Where it has no time, one a minute; where it has the close only, that as all prices. */
export const barsOf = (table: Table): Bars => {
  const close = numbers(table, "close") ?? numbers(table, "high") ?? new Float64Array(table.rows.length)
  return {
    at: numbers(table, "time_ms") ?? close.map((_, index) => index * MINUTE),
    open: numbers(table, "open") ?? close,
    high: numbers(table, "high") ?? close,
    low: numbers(table, "low") ?? close,
    close,
    volume: numbers(table, "volume") ?? new Float64Array(close.length).fill(1),
    length: close.length
  }
}

/** The candles of a CSV file. */
export const barsOfRows = (rows: ReadonlyArray<Readonly<Record<string, string>>>): Bars => {
  const column = (name: string) => Float64Array.from(rows, (row) => Number(row[name]))
  const at =
    rows[0]?.["time_ms"] === undefined
      ? Float64Array.from(rows, (_, index) => index * MINUTE)
      : column("time_ms")
  const [open, high, low] = [column("open"), column("high"), column("low")] as const
  return { at, open, high, low, close: column("close"), volume: column("volume"), length: rows.length }
}
