// The files of a stored series: recorded months and downloaded days of one folder, read as one. Where both have a candle,
// the downloaded one is taken: it is the exchange's own.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Either from "effect/Either"
import { type Columns, explainError, parse } from "../../domain/candles/CandleFile.ts"
import * as CandleJoin from "../../domain/candles/CandleJoin.ts"
import { DAY_MS } from "../../domain/candles/CandleSeries.ts"
import { MADE_UP } from "../../domain/candles/CandleTime.ts"
import { merged } from "../../trading/candles/Bars.ts"
import * as Member from "./Member.ts"
import * as Place from "./Place.ts"

/** A file, and the time that its candles lie in (ms, `until` excluded). */
export interface SeriesFile {
  readonly name: string
  readonly from: number
  readonly until: number
  /** Up to when the exchange was asked (ms); undefined for a recorded month. */
  readonly fetchedUntil: number | undefined
}

/** The files among these names, oldest first; of a day only the one that reaches furthest. */
export const filesAmong = (names: ReadonlyArray<string>): ReadonlyArray<SeriesFile> => {
  const days = new Map<number, SeriesFile & { readonly fetchedUntil: number }>()
  const months: Array<SeriesFile> = []
  for (const name of names) {
    const month = Place.monthIn(name)
    const day = month === undefined ? Place.dayIn(name) : undefined
    if (month !== undefined) months.push({ name, ...spanOf(month), fetchedUntil: undefined })
    else if (day !== undefined && day.until > (days.get(day.day)?.fetchedUntil ?? 0))
      days.set(day.day, { name, from: day.day, until: day.day + DAY_MS, fetchedUntil: day.until })
  }
  return [...months, ...days.values()].sort((one, other) => one.from - other.from)
}

/** The time of a month like `2026-11` (ms, `until` excluded). */
export const spanOf = (month: string) => {
  const [year = 0, number = 0] = month.split("-").map(Number)
  return { from: Date.UTC(year, number - 1), until: Date.UTC(year, number) }
}

/** The files of a folder; none if it cannot be read. */
export const filesIn = (folder: string): ReadonlyArray<SeriesFile> => {
  try {
    return filesAmong(readdirSync(folder))
  } catch {
    return []
  }
}

/** Candles and the file that they are from. */
export interface FilePart extends CandleJoin.Part {
  readonly isDay: boolean
}

/** Joins recorded and downloaded candles into one series. Files of one sort must not overlap in time. */
export const joinedFiles = (parts: ReadonlyArray<FilePart>): Either.Either<Columns, CandleJoin.Overlap> =>
  Either.flatMap(CandleJoin.join(parts.filter(({ isDay }) => isDay)), (days) =>
    Either.map(CandleJoin.join(parts.filter(({ isDay }) => !isDay)), (others) => merged(days, others))
  )

/** Reads files, of each what `cut` takes of it; Left names a file and its error, or is the text that `cut` returned. */
export const readFiles = (
  folder: string,
  files: ReadonlyArray<SeriesFile>,
  cut: (columns: Columns) => Columns | string = (columns) => columns
): Either.Either<Columns, string> => {
  const parts: Array<FilePart> = []
  for (const { fetchedUntil, name } of files) {
    const columns = readFile(join(folder, name))
    if (Either.isLeft(columns)) return Either.left(`${name}: ${columns.left}`)
    const taken = cut(columns.right)
    if (typeof taken === "string") return Either.left(taken)
    parts.push({ name, columns: taken, isDay: fetchedUntil !== undefined })
  }
  return Either.mapLeft(joinedFiles(parts), ({ first, second }) => `${second} overlaps in time with ${first}`)
}

/** The files of a range (ms, `until` excluded). */
export const within = (
  files: ReadonlyArray<SeriesFile>,
  from: number,
  until: number
): ReadonlyArray<SeriesFile> => files.filter((file) => file.from < until && file.until > from)

const readFile = (path: string): Either.Either<Columns, string> => {
  const bytes = Either.try({
    try: () => {
      const bytes = readFileSync(path)
      return Member.isGzip(bytes) ? Member.unpack(bytes) : bytes
    },
    catch: () => "cannot be read"
  })
  // We wrote it ourselves, so its times are in ms.
  return Either.flatMap(bytes, (text) => Either.mapLeft(parse(text, MADE_UP), explainError))
}
