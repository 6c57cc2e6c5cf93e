// Keeps recorded candles within bounds: months that are too old are removed, and the oldest of them once all candles take
// too much disk. What somebody downloaded counts too, but is never removed. Nothing is written when the disk is nearly full.
import { readdir, rm, stat, statfs } from "node:fs/promises"
import { dirname, join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { DAY_MS } from "../../domain/candles/CandleSeries.ts"
import * as Place from "./Place.ts"
import { spanOf } from "./SeriesFiles.ts"

/** Less free disk (bytes) than this is left to the database. */
export const MIN_FREE_BYTES = 2 ** 30

/** How long recorded candles are kept (days), and how much all stored candles may take (bytes); 0 sets no bound. */
export interface Bounds {
  readonly days: number
  readonly bytes: number
}

/** What the settings say by default. */
export const USUAL: Bounds = { days: 400, bytes: 5e9 }

/** The free disk (bytes) at a folder, or at the nearest one above that there is. */
export const freeBytes = async (folder: string): Promise<number> => {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch (cause) {
    if (dirname(folder) === folder) throw cause
    return freeBytes(dirname(folder))
  }
}

/** Removes what is beyond the bounds, every hour, starting after two minutes. */
export const trimming = (candles: string, bounds: Bounds) => {
  const trim = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const removed = yield* Effect.promise(() => trimmed(candles, bounds, now))
    if (removed.length > 0)
      yield* Effect.logInfo(`${removed.length} files of recorded months beyond the bounds are removed`)
  }).pipe(
    Effect.catchAllDefect((cause) =>
      Effect.logWarning("recorded candles cannot be kept within their bounds", cause)
    )
  )
  return Effect.zipRight(Effect.sleep("2 minutes"), Effect.repeat(trim, Schedule.spaced("1 hour")))
}

/** Removes what is beyond the bounds at a time (ms); returns the paths. The present month always stays. */
export const trimmed = async (
  candles: string,
  { bytes, days }: Bounds,
  now: number
): Promise<ReadonlyArray<string>> => {
  const files = await filesIn(candles)
  const present = Place.monthOf(now)
  const months = files
    .flatMap((file) => {
      const month = Place.recordedMonthIn(file.path)
      return month === undefined || month >= present ? [] : [{ ...file, month }]
    })
    .sort((one, other) => (one.month < other.month ? -1 : 1))
  let total = files.reduce((sum, { size }) => sum + size, 0)
  const removed = months.filter(({ month, size }) => {
    const isOld = days > 0 && spanOf(month).until <= now - days * DAY_MS
    const isTooMuch = bytes > 0 && total > bytes
    if (isOld || isTooMuch) total -= size
    return isOld || isTooMuch
  })
  for (const { path } of removed) await rm(path, { force: true })
  return removed.map(({ path }) => path)
}

const filesIn = async (folder: string) => {
  try {
    const entries = await readdir(folder, { withFileTypes: true, recursive: true })
    const paths = entries.filter((it) => it.isFile()).map(({ name, parentPath }) => join(parentPath, name))
    return await Promise.all(paths.map(async (path) => ({ path, size: (await stat(path)).size })))
  } catch {
    // Nothing is stored yet, or a file was replaced just now: the next hour will do.
    return []
  }
}
