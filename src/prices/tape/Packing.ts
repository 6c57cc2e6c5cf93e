// Packs the files of past months smaller, one after the other, while the server runs.
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as MonthFile from "./MonthFile.ts"
import * as Place from "./Place.ts"
import { attempt } from "./Writer.ts"

/** How long a month must be over: then nothing is written to it any more. */
const OVER_MILLIS = 600_000

/** Packs past months every hour, starting after a minute. */
export const packing = (candles: string) => {
  const done = new Set<string>()
  const pack = (path: string) =>
    attempt(path, () => MonthFile.compact(path)).pipe(
      Effect.catchAll((error) => Effect.logWarning(`a finished month cannot be packed: ${error.message}`)),
      Effect.zipRight(Effect.sync(() => done.add(path)))
    )
  const all = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const month = Place.monthOf(now - OVER_MILLIS)
    const paths = yield* Effect.promise(() => filesIn(candles))
    const over = paths.filter((path) => (Place.recordedMonthIn(path) ?? month) < month && !done.has(path))
    yield* Effect.forEach(over, pack, { discard: true })
  })
  return Effect.sleep("1 minute").pipe(Effect.zipRight(Effect.repeat(all, Schedule.spaced("1 hour"))))
}

const filesIn = async (folder: string): Promise<ReadonlyArray<string>> => {
  try {
    const entries = await readdir(folder, { withFileTypes: true, recursive: true })
    return entries.filter((entry) => entry.isFile()).map(({ name, parentPath }) => join(parentPath, name))
  } catch {
    // Nothing was recorded yet, or it may not be read; the writer reports that.
    return []
  }
}
