// The `CandleStore` port over files: what was recorded, and a file for each downloaded day.
import { mkdir, readdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type { FetchedDays } from "../domain/candles/CandleHoles.ts"
import { between } from "../domain/candles/CandleRange.ts"
import { textOf } from "../domain/candles/CandleRowWriter.ts"
import type { CandleSeries } from "../domain/candles/CandleSeries.ts"
import { TIMEFRAMES } from "../domain/candles/Timeframe.ts"
import {
  bySeries,
  type CandleDay,
  CandleStore,
  CandlesNotStored,
  holdingOf
} from "../services/feeds/CandleStore.ts"
import { NONE } from "../trading/candles/Bars.ts"
import * as Member from "./tape/Member.ts"
import * as MonthFile from "./tape/MonthFile.ts"
import * as Place from "./tape/Place.ts"
import { marketsIn } from "./tape/Recordings.ts"
import * as Room from "./tape/Room.ts"
import * as SeriesFiles from "./tape/SeriesFiles.ts"

/** A part file this much older (ms) than a new file was left by a process that was killed. */
const ABANDONED_MS = 3_600_000

/** The store of a data folder. */
export const layer = ({ folder }: { readonly folder: string }): Layer.Layer<CandleStore> =>
  Layer.sync(CandleStore, () => make(Place.candlesIn(folder)))

const make = (candles: string): typeof CandleStore.Service => {
  const filesOf = (series: CandleSeries) => SeriesFiles.filesIn(Place.seriesFolderOf(candles, series))
  const read = (series: CandleSeries, files: ReadonlyArray<SeriesFiles.SeriesFile>) =>
    Either.getOrElse(SeriesFiles.readFiles(Place.seriesFolderOf(candles, series), files), () => NONE)

  const holdings = Effect.gen(function* () {
    const markets = yield* Effect.promise(() => marketsIn(candles))
    const found = []
    for (const market of markets)
      for (const timeframe of TIMEFRAMES) {
        const series = { ...market, timeframe }
        const files = filesOf(series)
        if (files.length === 0) continue
        const bytes = yield* attempt(() => bytesOf(Place.seriesFolderOf(candles, series), files))
        const held = holdingOf(series, read(series, files), { fetched: fetchedOf(files), bytes })
        if (held !== undefined) found.push(held)
      }
    return found.sort(bySeries)
  })

  return {
    days: (series) => Effect.sync(() => fetchedOf(filesOf(series))),
    put: (series, day) => attempt(() => write(Place.seriesFolderOf(candles, series), day)),
    read: (series, from, until) =>
      Effect.sync(() => between(read(series, SeriesFiles.within(filesOf(series), from, until)), from, until)),
    holdings: Effect.orDie(holdings),
    remove: (series) => attempt(() => removeDays(Place.seriesFolderOf(candles, series)))
  }
}

const attempt = <A>(act: () => Promise<A>): Effect.Effect<A, CandlesNotStored> =>
  Effect.tryPromise({ try: act, catch: (cause) => new CandlesNotStored({ reason: reasonOf(cause) }) })

const reasonOf = (cause: unknown): string => {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined
  if (code === "ENOSPC") return "the disk is full"
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") return "their folder may not be written"
  return cause instanceof Error ? cause.message : String(cause)
}

const fetchedOf = (files: ReadonlyArray<SeriesFiles.SeriesFile>): FetchedDays =>
  new Map(
    files.flatMap(({ fetchedUntil, from }) =>
      fetchedUntil === undefined ? [] : [[from, fetchedUntil] as const]
    )
  )

const bytesOf = async (folder: string, files: ReadonlyArray<SeriesFiles.SeriesFile>): Promise<number> => {
  const sizes = await Promise.all(files.map(async ({ name }) => (await stat(join(folder, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Writes a day, then removes the files of the same day that reach less far. */
const write = async (folder: string, { candles, day, until }: CandleDay): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await Room.freeBytes(folder)) < Room.MIN_FREE_BYTES) throw new Error("less than 1 GB of disk is free")
  const name = Place.dayName({ day, until })
  const text = candles.map((candle) => `${textOf(candle)}\n`).join("")
  await MonthFile.replace(
    join(folder, name),
    Member.encode(text),
    join(folder, `.${name}.${process.pid}.part`)
  )
  const { mtimeMs: now } = await stat(join(folder, name))
  for (const other of await readdir(folder)) {
    const isOlder = other !== name && Place.dayIn(other)?.day === day
    if (isOlder || (await isAbandoned(join(folder, other), now)))
      await rm(join(folder, other), { force: true })
  }
}

const isAbandoned = async (path: string, now: number): Promise<boolean> => {
  if (!path.endsWith(".part")) return false
  try {
    return (await stat(path)).mtimeMs < now - ABANDONED_MS
  } catch {
    // Another process finished it.
    return false
  }
}

const removeDays = async (folder: string): Promise<number> => {
  const names = (await readdir(folder).catch((): Array<string> => [])).filter((name) => Place.dayIn(name))
  for (const name of names) await rm(join(folder, name), { force: true })
  return names.length
}
