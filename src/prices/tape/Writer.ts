// Writes recorded candles into their month files, each market on its own. Candles that cannot be written are dropped,
// with one warning until writing works again.
import { stat } from "node:fs/promises"
import { join } from "node:path"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { ExactCandle } from "../../domain/candles/CandleRowWriter.ts"
import * as MonthFile from "./MonthFile.ts"
import * as Place from "./Place.ts"
import type { Page } from "./Reels.ts"

/** The most files written at one time. */
const WRITERS = 8

class WriteFailed extends Data.TaggedError("WriteFailed")<{
  readonly path: string
  readonly cause: unknown
}> {
  override get message() {
    const { cause, path } = this
    const isFull = cause instanceof Error && "code" in cause && cause.code === "ENOSPC"
    return `${path}: ${isFull ? "the disk is full" : cause instanceof Error ? cause.message : String(cause)}`
  }
}

/** Runs an action on a file; its error names the file. */
export const attempt = <A>(path: string, act: () => Promise<A>): Effect.Effect<A, WriteFailed> =>
  Effect.tryPromise({ try: act, catch: (cause) => new WriteFailed({ path, cause }) })

/** The writer of a folder of candles. */
export const make = (candles: string) => {
  /** The newest file of each market's folder. */
  const files = new Map<string, MonthFile.Known & { readonly path: string }>()
  let failing = false

  const add = Effect.fnUntraced(function* (folder: string, month: string, rows: ReadonlyArray<ExactCandle>) {
    const path = join(folder, `${month}.csv.gz`)
    const remembered = files.get(folder)
    files.delete(folder)
    const known =
      remembered?.path === path && (yield* attempt(path, () => isStill(path, remembered.bytes)))
        ? remembered
        : yield* found(path)
    files.set(folder, { path, ...(yield* attempt(path, () => MonthFile.append(path, rows, known))) })
  })

  return Effect.fnUntraced(function* (pages: ReadonlyArray<Page>) {
    if (pages.length === 0) return
    const outcomes = yield* Effect.forEach(
      pages,
      ({ candles: rows, market }) =>
        Effect.forEach(
          Map.groupBy(rows, ({ at }) => Place.monthOf(at)),
          ([month, some]) => add(Place.folderOf(candles, market), month, some),
          { discard: true }
        ).pipe(Effect.either),
      { concurrency: WRITERS }
    )
    const failed = outcomes.find(Either.isLeft)
    if (failed !== undefined && !failing)
      yield* Effect.logWarning(
        `candles cannot be written, and are dropped until they can: ${failed.left.message}`
      )
    if (failed === undefined && failing) yield* Effect.logInfo("candles are recorded again")
    failing = failed !== undefined
  })
}

const found = (path: string) =>
  Effect.tap(
    attempt(path, () => MonthFile.inspect(path)),
    ({ mended }) => (mended ? Effect.logWarning(`${path} was damaged, and is repaired`) : Effect.void)
  )

/** Whether a file still has the size we left: nobody else wrote to it or removed it. */
const isStill = async (path: string, bytes: number): Promise<boolean> => {
  try {
    return (await stat(path)).size === bytes
  } catch {
    return false
  }
}
