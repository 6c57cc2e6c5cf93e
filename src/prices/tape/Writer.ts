import { stat } from "node:fs/promises"
import { join } from "node:path"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { ExactCandle } from "../../domain/candles/CandleRow.ts"
import * as MonthFile from "./MonthFile.ts"
import * as Place from "./Place.ts"
import type { Page } from "./Reels.ts"

/** Files that are written to at one time. */
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

/** Something done with a file. */
export const attempt = <A>(path: string, act: () => Promise<A>): Effect.Effect<A, WriteFailed> =>
  Effect.tryPromise({ try: act, catch: (cause) => new WriteFailed({ path, cause }) })

/**
 * Writes pages into a folder of candles, each market on its own. What cannot be written is dropped; this is said once,
 * until it can be again.
 */
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
        `candles cannot be recorded, and are left out until they can: ${failed.left.message}`
      )
    if (failed === undefined && failing) yield* Effect.logInfo("candles are recorded again")
    failing = failed !== undefined
  })
}

const found = (path: string) =>
  Effect.tap(
    attempt(path, () => MonthFile.inspect(path)),
    ({ mended }) => (mended ? Effect.logWarning(`${path} was not whole, and is mended`) : Effect.void)
  )

/** Whether a file has the size that we left it at: nobody else has written to it, or taken it away. */
const isStill = async (path: string, bytes: number): Promise<boolean> => {
  try {
    return (await stat(path)).size === bytes
  } catch {
    return false
  }
}
