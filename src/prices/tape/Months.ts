// Reads recorded months for charts, one at a time, and keeps the last ones read in memory.
import { readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Columns, parse } from "../../domain/candles/CandleFile.ts"
import { MADE_UP } from "../../domain/candles/CandleTime.ts"
import { joined, NONE } from "../../trading/candles/Bars.ts"
import * as Member from "./Member.ts"
import * as Place from "./Place.ts"
import { type FilePart, filesAmong, joinedFiles, type SeriesFile, spanOf } from "./SeriesFiles.ts"

/** The resolution of a month. */
export type Grain = "minutes" | "hours"
export const HOUR_MS = 3_600_000

/** The most months in memory: 21 MB of minutes, 15 MB of hours. */
const KEPT: Readonly<Record<Grain, number>> = { minutes: 12, hours: 500 }

/** The files of one month: the recorded one, and downloaded days. Times in ms, `until` excluded. */
export interface Month {
  readonly folder: string
  readonly files: ReadonlyArray<SeriesFile>
  readonly from: number
  readonly until: number
}

/** The months of a folder, oldest first; empty if nothing is stored or may be read. */
export const monthsIn = (folder: string): Effect.Effect<ReadonlyArray<Month>> =>
  Effect.tryPromise(() => readdir(folder)).pipe(
    Effect.orElseSucceed((): Array<string> => []),
    Effect.map((names) => {
      const months = Map.groupBy(filesAmong(names), ({ from }) => Place.monthOf(from))
      return [...months].map(([month, files]) => ({ folder, files, ...spanOf(month) }))
    })
  )

/**
 * Reads months, one at a time, and keeps those read last. Files are unpacked off this thread, so that reading one
 * blocks only for its lines.
 */
export const make = Effect.gen(function* () {
  const semaphore = yield* Effect.makeSemaphore(1)
  const kept = { minutes: new Map<string, Columns>(), hours: new Map<string, Columns>() }

  const keep = (grain: Grain, key: string, columns: Columns): void => {
    const shelf = kept[grain]
    const [oldest] = shelf.size >= KEPT[grain] ? shelf.keys() : []
    if (oldest !== undefined) shelf.delete(oldest)
    shelf.set(key, columns)
  }

  const readAt = async ({ files, folder }: Month, grain: Grain): Promise<Columns> => {
    const facts = await Promise.all(files.map(({ name }) => stat(join(folder, name))))
    // A file under recording changes every minute.
    const key = `${folder} ${files.map(({ name }, index) => `${name} ${facts[index]?.size} ${facts[index]?.mtimeMs}`).join()}`
    const known = kept[grain].get(key)
    if (known !== undefined) {
      kept[grain].delete(key)
      kept[grain].set(key, known)
      return known
    }
    const columns = kept.minutes.get(key) ?? (await whole(folder, files))
    const wanted = grain === "hours" ? joined(columns, HOUR_MS) : columns
    keep(grain, key, wanted)
    return wanted
  }

  /** The candles of a month; none if its file is unreadable. */
  return (month: Month, grain: Grain): Effect.Effect<Columns> =>
    semaphore.withPermits(1)(
      Effect.tryPromise(() => readAt(month, grain)).pipe(
        Effect.catchAll((cause) => Effect.as(Effect.logDebug(`${month.folder} cannot be read`, cause), NONE))
      )
    )
})

/** Files are read one after the other, so that no request waits for all of them. */
const whole = async (folder: string, files: ReadonlyArray<SeriesFile>): Promise<Columns> => {
  const parts: Array<FilePart> = []
  for (const { fetchedUntil, name } of files)
    parts.push({ name, columns: await unpacked(join(folder, name)), isDay: fetchedUntil !== undefined })
  return Either.getOrElse(joinedFiles(parts), () => NONE)
}

const unpacked = async (path: string): Promise<Columns> => {
  const bytes = await readFile(path)
  const plain = Member.isGzip(bytes) ? await Member.unpacked(bytes) : bytes
  // We wrote it ourselves, in milliseconds.
  return Either.getOrElse(parse(plain, MADE_UP), () => NONE)
}
