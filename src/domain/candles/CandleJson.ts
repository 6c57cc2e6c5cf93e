// Reads candle rows from JSON: lists of `[time, open, high, low, close, volume]` (freqtrade, exchanges), lists of
// objects, or `{"columns", "data"}` (pandas).
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { type CandleRows, FIELDS } from "./CandleRowReader.ts"
import * as CandleTime from "./CandleTime.ts"

/** The rows of a JSON text: the cells of each by position. */
type Table = ReadonlyArray<ReadonlyArray<unknown>>

type Record = Readonly<{ [name: string]: unknown }>

// Checked by hand instead of by Schema: there may be a million rows.
const isRows = (value: unknown): value is Table => Array.isArray(value) && value.every(Array.isArray)
const isRecord = (value: unknown): value is Record =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const isRecords = (value: unknown): value is ReadonlyArray<Record> =>
  Array.isArray(value) && value.every(isRecord)
const isNames = Schema.is(Schema.Array(Schema.String))

/** Whether the bytes begin like a JSON list or object. @internal */
export const isJson = (bytes: Uint8Array, from: number): boolean => {
  let at = from
  while (bytes[at] === 32 || bytes[at] === 9 || bytes[at] === 10 || bytes[at] === 13) at++
  return bytes[at] === 91 || bytes[at] === 123
}

/**
 * The rows of a JSON text; else why it has none.
 *
 * @internal
 */
export const tableOf = (text: string): Either.Either<Table, string> => {
  const parsed = Either.try({ try: (): unknown => JSON.parse(text), catch: () => "is not valid JSON" })
  return Either.flatMap(parsed, (value) => {
    if (isRows(value)) return Either.right(value)
    if (isRecords(value)) return ofRecords(value)
    const { columns, data } = isRecord(value) ? value : { columns: undefined, data: undefined }
    if (isNames(columns) && isRows(data)) return ofNamed(columns, data)
    return Either.left(
      "is JSON of another shape: it must be a list of [time, open, high, low, close, volume]"
    )
  })
}

/** Names of the time column; the others have their own names. */
const TIME_NAMES = ["timestamp", "date", "time", "datetime", "open_time", "t"]

const nameOf = (names: ReadonlyArray<string>, field: (typeof FIELDS)[number]): string | undefined => {
  const wanted = field === "timestamp" ? TIME_NAMES : [field, field.slice(0, 1)]
  return wanted.flatMap((one) => names.find((name) => name.toLowerCase() === one) ?? [])[0]
}

/** The names of the six columns, in the sequence of `FIELDS`. */
const namesOf = (names: ReadonlyArray<string>): Either.Either<ReadonlyArray<string>, string> => {
  const found = FIELDS.map((field) => nameOf(names, field))
  const missing = FIELDS.filter((field, index) => field !== "volume" && found[index] === undefined)
  return missing.length > 0
    ? Either.left(`names no ${missing.join(", ")} among its columns`)
    : Either.right(found.flatMap((name) => name ?? []))
}

const ofRecords = (records: ReadonlyArray<Record>): Either.Either<Table, string> =>
  Either.map(namesOf(Object.keys(records[0] ?? {})), (names) =>
    records.map((record) => names.map((name) => record[name]))
  )

const ofNamed = (columns: ReadonlyArray<string>, data: Table): Either.Either<Table, string> =>
  Either.map(namesOf(columns), (names) => {
    const places = names.map((name) => columns.indexOf(name))
    return data.map((cells) => places.map((place) => cells[place]))
  })

/** Makes a table's row the current row. @internal */
export const fill = (rows: CandleRows, cells: ReadonlyArray<unknown>): void => {
  const [time] = cells
  const number = numberOf(time)
  rows.count = Math.min(cells.length, FIELDS.length)
  rows.isDate = Number.isNaN(number)
  rows.fields[0] = rows.isDate && typeof time === "string" ? CandleTime.dateOf(time.trim()) : number
  for (let index = 1; index < rows.count; index++) rows.fields[index] = numberOf(cells[index])
}

/** A number, which exchanges may write as a text. */
const numberOf = (value: unknown): number => {
  if (typeof value === "number") return value
  return typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN
}
