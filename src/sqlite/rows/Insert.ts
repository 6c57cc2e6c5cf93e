// Inserts many rows with few statements, of a bounded number of texts, so that the driver keeps them compiled.
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"

export type Value = string | number | null | Uint8Array
export type Row = ReadonlyArray<Value>

type Statement = Effect.Effect<unknown, SqlError>

/** Runs a statement within the current transaction, or in a turn of its own. */
const inTurn = (sql: SqlClient, text: string, values: Row): Statement => sql.unsafe(text, values)

/** Runs a statement that is its own transaction at the least cost: without a span. */
export const alone: typeof inTurn = (sql, text, values) =>
  Effect.scoped(Effect.flatMap(sql.reserve, (connection) => connection.executeRaw(text, values)))

/** The most rows of a statement: each number of rows has its own text. */
export const MAX_ROWS = 64

/** Makes an insert for `target`, which is `table (columns)`. */
export const into = (target: string, columns: number, verb: "INSERT" | "INSERT OR REPLACE" = "INSERT") => {
  const row = `(${"?,".repeat(columns).slice(0, -1)})`
  const texts = new Map<number, string>()
  const text = (rows: number) => {
    const known = texts.get(rows)
    if (known !== undefined) return known
    const made = `${verb} INTO ${target} VALUES ${`${row},`.repeat(rows).slice(0, -1)}`
    texts.set(rows, made)
    return made
  }
  return (sql: SqlClient, rows: ReadonlyArray<Row>, run = inTurn): ReadonlyArray<Statement> => {
    const statements: Array<Statement> = []
    for (let start = 0; start < rows.length; start += MAX_ROWS) {
      const chunk = rows.slice(start, start + MAX_ROWS)
      statements.push(run(sql, text(chunk.length), chunk.flat()))
    }
    return statements
  }
}
