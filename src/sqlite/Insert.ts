import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type * as Effect from "effect/Effect"

export type Value = string | number | null | Uint8Array
export type Row = ReadonlyArray<Value>

/** The most rows of one statement: each number of rows is a text of its own, kept compiled by the driver. */
const MAX_ROWS = 64

/** Writes many rows with few statements: a statement costs more than a row. `target` is `table (columns)`. */
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
  return (sql: SqlClient, rows: ReadonlyArray<Row>): ReadonlyArray<Effect.Effect<unknown, SqlError>> => {
    const statements: Array<Effect.Effect<unknown, SqlError>> = []
    for (let start = 0; start < rows.length; start += MAX_ROWS) {
      const chunk = rows.slice(start, start + MAX_ROWS)
      statements.push(sql.unsafe(text(chunk.length), chunk.flat()))
    }
    return statements
  }
}
