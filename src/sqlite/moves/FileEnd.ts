// A file of SQLite as one end of a move: its tables, its rows as texts, and the last ids that it gave out.
import type { Database } from "bun:sqlite"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { lazily } from "../../domain/internal/Lazily.ts"
import { DatabaseUnavailable } from "../../sql/client/DatabaseErrors.ts"
import { reasonOf } from "../../sql/client/SqlErrors.ts"
import type { End, LastIds } from "../../sql/moves/Move.ts"
import type { Column, Kind, Table } from "../../sql/moves/MoveTable.ts"
import { numberText, type Row } from "../../sql/moves/RowHash.ts"
import * as LedgerChain from "../../sql/rows/LedgerChain.ts"
import { breathe } from "../../sql/verify/Verify.ts"

/** The most rows of a page, and the most characters after which it ends. */
const PAGE_ROWS = 2_000
const PAGE_LENGTH = 2 ** 21

const KINDS: Readonly<Record<string, Kind>> = { INTEGER: "integer", REAL: "real", BLOB: "bytes" }

const names = lazily(() => Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ name: Schema.String }))))
const columns = Schema.decodeUnknownSync(
  Schema.Array(
    Schema.Struct({ name: Schema.String, type: Schema.String, pk: Schema.Int, hidden: Schema.Int })
  )
)
const parents = lazily(() => Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ table: Schema.String }))))
const heads = lazily(() => Schema.decodeUnknownSync(Schema.Array(LedgerChain.HeadRow)))
const ids = lazily(() =>
  Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ name: Schema.String, seq: Schema.Int })))
)

/** Fails as the database of this name. */
export const attempt = <A>(filename: string, run: () => A): Effect.Effect<A, DatabaseUnavailable> =>
  Effect.try({
    try: run,
    catch: (cause) => new DatabaseUnavailable({ filename, reason: reasonOf(cause) })
  })

/** Every table of a file. */
export const tablesOf = (database: Database): ReadonlyArray<Table> =>
  names(database.query("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid").all()).map(
    ({ name }) => {
      const found = columns(
        database.query("SELECT name, type, pk, hidden FROM pragma_table_xinfo(?)").all(name)
      )
      return {
        name,
        columns: found.map(
          (it): Column => ({ name: it.name, kind: KINDS[it.type] ?? "text", isComputed: it.hidden !== 0 })
        ),
        key: found
          .filter(({ pk }) => pk > 0)
          .sort((one, other) => one.pk - other.pk)
          .map((it) => it.name),
        parents: parents(
          database.query(`SELECT DISTINCT "table" FROM pragma_foreign_key_list(?)`).all(name)
        ).map(({ table }) => table)
      }
    }
  )

/** A column as text, exactly. */
const READ: Readonly<Record<Kind, (name: string) => string>> = {
  integer: (name) => `CAST(${name} AS TEXT)`,
  real: (name) => name,
  text: (name) => name,
  bytes: (name) => `lower(hex(${name}))`
}

const quoted = (name: string): string => `"${name}"`

/** Bytes are null where their hex is read from null, which SQLite makes an empty text. */
const selectOf = ({ columns, key, name }: Table): string =>
  `SELECT ${columns
    .map((it, index) => {
      const read = READ[it.kind](quoted(it.name))
      return `${it.kind === "bytes" ? `CASE WHEN ${quoted(it.name)} IS NOT NULL THEN ${read} END` : read} AS c${index}`
    })
    .join(", ")} FROM ${quoted(name)} ORDER BY ${key.map(quoted).join(", ")}`

/** The end of a move that a file is, which errors and the other end call `filename`. */
export const make = (database: Database, filename: string): End => ({
  shown: filename,
  tables: tablesOf(database),
  count: ({ name }) =>
    attempt(filename, () =>
      Number(database.query(`SELECT count(*) FROM ${quoted(name)}`).values()[0]?.[0] ?? 0)
    ),
  read: (table) =>
    Effect.map(
      Effect.acquireRelease(
        attempt(filename, () => rowsOf(database, table)),
        (rows) => Effect.sync(() => rows.return(undefined))
      ),
      (rows) =>
        Effect.zipRight(
          breathe,
          attempt(filename, () => page(rows))
        )
    ),
  head: attempt(filename, () =>
    LedgerChain.joined(heads(database.query(LedgerChain.HEADS).all(LedgerChain.NEWEST)))
  ),
  lastIds: attempt(
    filename,
    (): LastIds =>
      new Map(
        ids(database.query("SELECT name, seq FROM sqlite_sequence").all()).map((it) => [it.name, it.seq])
      )
  )
})

function* rowsOf(database: Database, table: Table): Generator<Row, undefined> {
  for (const row of database.query(selectOf(table)).iterate()) yield Object.values(Object(row)).map(textOf)
  return undefined
}

const textOf = (value: unknown) => (value === null || typeof value === "string" ? value : numberText(value))

const page = (rows: Generator<Row, undefined>): ReadonlyArray<Row> => {
  const found: Array<Row> = []
  for (let length = 0; found.length < PAGE_ROWS && length < PAGE_LENGTH; ) {
    const next = rows.next()
    if (next.done === true) break
    found.push(next.value)
    for (const value of next.value) length += value?.length ?? 0
  }
  return found
}
