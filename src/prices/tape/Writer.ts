// Writes recorded candles and spreads into their month files, each market on its own. Rows that cannot be written are
// dropped, with one warning until writing works again.
import { stat } from "node:fs/promises"
import { join } from "node:path"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type ExactCandle, textOf } from "../../domain/candles/CandleRowWriter.ts"
import type { MarketId } from "../../domain/Market.ts"
import * as MonthFile from "./MonthFile.ts"
import * as Place from "./Place.ts"
import { lineOf, type MinuteSpread } from "./SpreadReels.ts"

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

/** Rows of one market, oldest first. */
export interface Page<Row> {
  readonly market: MarketId
  readonly rows: ReadonlyArray<Row>
}

/** What is recorded: what it is called, how its months' files end, and its rows as lines. */
export interface Sort<Row extends MonthFile.Timed> {
  readonly name: string
  readonly ending: string
  readonly lineOf: (row: Row) => string
}
export const CANDLES: Sort<ExactCandle> = { name: "candles", ending: ".csv.gz", lineOf: textOf }
export const SPREADS: Sort<MinuteSpread> = { name: "spreads", ending: ".spreads.gz", lineOf }

/** The writer of one sort into a folder of candles. */
export const make = <Row extends MonthFile.Timed>(candles: string, { ending, lineOf, name }: Sort<Row>) => {
  /** The newest file of each market's folder. */
  const files = new Map<string, MonthFile.Known & { readonly path: string }>()
  let failing = false

  const add = Effect.fnUntraced(function* (folder: string, month: string, rows: ReadonlyArray<Row>) {
    const path = join(folder, `${month}${ending}`)
    const remembered = files.get(folder)
    files.delete(folder)
    const known =
      remembered?.path === path && (yield* attempt(path, () => isStill(path, remembered.bytes)))
        ? remembered
        : yield* found(path)
    files.set(folder, { path, ...(yield* attempt(path, () => MonthFile.append(path, rows, known, lineOf))) })
  })

  return Effect.fnUntraced(function* (pages: ReadonlyArray<Page<Row>>) {
    if (pages.length === 0) return
    const outcomes = yield* Effect.forEach(
      pages,
      ({ market, rows }) =>
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
        `${name} cannot be written, and are dropped until they can: ${failed.left.message}`
      )
    if (failed === undefined && failing) yield* Effect.logInfo(`${name} are recorded again`)
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
