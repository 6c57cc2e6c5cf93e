// Inserts many rows with few statements, of a bounded number of texts, so that the driver keeps them compiled.
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"

export type Value = string | number | null
export type Row = ReadonlyArray<Value | Uint8Array>
/** A row without bytes. */
export type PlainRow = ReadonlyArray<Value>

type Statement = Effect.Effect<unknown, SqlError>

/** Runs a statement within the current transaction, or in a turn of its own. */
const inTurn = (sql: SqlClient, text: string, values: Row): Statement => sql.unsafe(text, values)

/** Runs a statement that is its own transaction at the least cost: without a span. */
export const alone: typeof inTurn = (sql, text, values) =>
  Effect.scoped(Effect.flatMap(sql.reserve, (connection) => connection.executeRaw(text, values)))

/** The most rows of a statement: each number of rows has its own text. */
export const MAX_ROWS = 64

/** A row's places for values, which Postgres numbers. */
const PLACES = {
  sqlite: (_: number, columns: number) => `(${"?,".repeat(columns).slice(0, -1)})`,
  pg: (before: number, columns: number) =>
    `(${Array.from({ length: columns }, (_, index) => `$${before + index + 1}`).join(",")})`
}

/** The end of an insert that overwrites the row with the same key. */
const overwriting = (target: string, key: string): string => {
  const keys = key.split(", ")
  const columns = target.slice(target.indexOf("(") + 1, target.lastIndexOf(")")).split(", ")
  const values = columns.filter((column) => !keys.includes(column))
  return ` ON CONFLICT (${key}) DO UPDATE SET ${values.map((it) => `${it} = excluded.${it}`).join(", ")}`
}

/** Makes an insert for `target`, which is `table (columns)`. A row with the same `key` columns is overwritten. */
export const into = (target: string, columns: number, key?: string) => {
  const end = key === undefined ? "" : overwriting(target, key)
  const texts = { sqlite: new Map<number, string>(), pg: new Map<number, string>() }
  const text = (dialect: keyof typeof texts, rows: number) => {
    const known = texts[dialect].get(rows)
    if (known !== undefined) return known
    const all = Array.from({ length: rows }, (_, row) => PLACES[dialect](row * columns, columns))
    const made = `INSERT INTO ${target} VALUES ${all.join(",")}${end}`
    texts[dialect].set(rows, made)
    return made
  }
  return (sql: SqlClient, rows: ReadonlyArray<Row>, run = inTurn): ReadonlyArray<Statement> => {
    const statements: Array<Statement> = []
    const dialect = sql.onDialectOrElse({ pg: () => "pg" as const, orElse: () => "sqlite" as const })
    for (let start = 0; start < rows.length; start += MAX_ROWS) {
      const chunk = rows.slice(start, start + MAX_ROWS)
      statements.push(run(sql, text(dialect, chunk.length), chunk.flat()))
    }
    return statements
  }
}
