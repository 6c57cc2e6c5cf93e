// Searches a list from its newest row back, a page at a time. It reads so many rows at most, and then says where to go
// on: a search for what is rare does not read everything at once.
import * as Effect from "effect/Effect"

/** Rows read at a time. */
const ROWS = 250
/** The most rows that one search reads. */
export const MOST_SEARCHED = 5_000

/** A list, newest first, and how to find something in it. */
export interface Searched<Row extends { readonly id: number }, Found, E> {
  /** Reads at most `limit` rows with ids below `before`. */
  readonly read: (page: {
    readonly limit: number
    readonly before: number
  }) => Effect.Effect<ReadonlyArray<Row>, E>
  /** What is searched among these rows, in their sequence. */
  readonly among: (rows: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<Found>>
  readonly idOf: (found: Found) => number
  /**
   * Whether a row is older than what is searched. Beyond a page of such rows nothing is looked for: single rows have an
   * older time than those before them, such as the alerts of a rule after an outage.
   */
  readonly isPast: (row: Row) => boolean
  readonly before: number
  readonly limit: number
}

/** What was found, and the id below which the search goes on; absent at its end. */
export interface FoundBack<Found> {
  readonly rows: ReadonlyArray<Found>
  readonly next?: number
}

/** Finds at most `limit` rows. */
export const searchBack = <Row extends { readonly id: number }, Found, E>(
  searched: Searched<Row, Found, E>
): Effect.Effect<FoundBack<Found>, E> =>
  Effect.gen(function* () {
    const { among, idOf, isPast, limit, read } = searched
    const found: Array<Found> = []
    let before = searched.before
    for (let count = 0; count < MOST_SEARCHED; count += ROWS) {
      const page = yield* read({ limit: ROWS, before })
      found.push(...(yield* among(page)))
      const last = page.at(-1)
      const shown = found[limit - 1]
      if (found.length > limit && shown !== undefined)
        return { rows: found.slice(0, limit), next: idOf(shown) }
      if (last === undefined || page.length < ROWS || page.every(isPast)) return { rows: found }
      before = last.id
      yield* Effect.sleep(0)
    }
    return { rows: found, next: before }
  })

/** The newest id, above every row's. */
export const NEWEST = Number.MAX_SAFE_INTEGER

/** The id below which every row is older than a time (ms), nearly: clocks are set back at times. */
export const belowTime = <Row extends { readonly id: number }, E>(
  read: Searched<Row, Row, E>["read"],
  timeOf: (row: Row) => number,
  until: number
): Effect.Effect<number, E> =>
  Effect.gen(function* () {
    const [newest] = yield* read({ limit: 1, before: NEWEST })
    let low = 0
    let high = newest?.id ?? 0
    while (low < high) {
      const middle = Math.floor((low + high + 1) / 2)
      const [row] = yield* read({ limit: 1, before: middle + 1 })
      if (row === undefined || timeOf(row) < until) low = middle
      else high = Math.min(middle, row.id) - 1
    }
    return low + 1
  })
