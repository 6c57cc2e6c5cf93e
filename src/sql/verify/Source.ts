// What a verification reads: a database as of one moment, whichever dialect it has. A row may not be at hand yet: then
// the rows give a pause, checks pass it on, and whoever runs them waits until the source is ready.
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { PAUSE, type Pause, STRETCH } from "../../trading/audit/Books.ts"
import type { DatabaseUnavailable } from "../client/DatabaseErrors.ts"
import type { Check, Fault } from "./Fault.ts"

/** Rows as a database gives them. */
export type Rows = Iterable<object | Pause>

export interface Source {
  readonly dialect: "sqlite" | "pg"
  /** The version of SQLite's schema that the tables are of; a Postgres database has had every table from the start. */
  readonly version: number
  /** The rows of a statement, with whole numbers for its `?`. They are read as far as they are taken. */
  readonly rows: (statement: string, ...parameters: ReadonlyArray<number>) => Rows
  /** Lets others run, and waits until the next rows are at hand. */
  readonly ready: Effect.Effect<void, DatabaseUnavailable>
}

/** A statement in both dialects. */
export type Statements = Readonly<Record<Source["dialect"], string>>

/** Checks each row, and pauses now and then. */
export function* each(rows: Rows, check: (row: object) => Iterable<Fault> | undefined): Check {
  let count = 0
  for (const row of rows) {
    if (row !== PAUSE) yield* check(row) ?? []
    if (row === PAUSE || ++count % STRETCH === 0) yield PAUSE
  }
}

/** The first row, if there is one. */
export function* first<A>(rows: Iterable<A | Pause>): Generator<Pause, A | undefined> {
  for (const row of rows) {
    if (row !== PAUSE) return row
    yield PAUSE
  }
  return undefined
}

/** All rows. */
export function* all<A>(rows: Iterable<A | Pause>): Generator<Pause, ReadonlyArray<A>> {
  const found: Array<A> = []
  for (const row of rows) {
    if (row === PAUSE) yield PAUSE
    else found.push(row)
  }
  return found
}

const countOf = Schema.decodeUnknownSync(Schema.Struct({ count: Schema.Int }))

/** How many rows there are: `from` is what stands behind `FROM`. */
export function* count(source: Source, from: string): Generator<Pause, number> {
  const row = yield* first(source.rows(`SELECT count(*) AS count FROM ${from}`))
  return row === undefined ? 0 : countOf(row).count
}
