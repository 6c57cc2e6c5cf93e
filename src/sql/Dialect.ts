// All in which SQLite and Postgres differ, for statements that both run. SQLite has one writer, so that what a
// transaction reads stays true until it commits; on Postgres the same takes locks.
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import { PARTITIONS, type Partition } from "../domain/Partition.ts"

/** Ids as a sub-select, for `WHERE id IN ...`: one parameter, however many they are. */
export const ids = (sql: SqlClient, all: ReadonlyArray<number>): Fragment =>
  sql.onDialectOrElse({
    pg: () => sql`(SELECT unnest(${`{${all.join(",")}}`}::bigint[]))`,
    orElse: () => sql`(SELECT value FROM json_each(${JSON.stringify(all)}))`
  })

/** Whether the number in a column is one of these. */
export const among = (sql: SqlClient, column: string, all: ReadonlyArray<number>): Fragment =>
  all.length === 1
    ? sql`${sql.literal(column)} = ${all[0]}`
    : sql.onDialectOrElse({
        // A sub-select would be joined, row by row.
        pg: () => sql`${sql.literal(column)} = ANY(${`{${all.join(",")}}`}::bigint[])`,
        orElse: () => sql`${sql.literal(column)} IN ${ids(sql, all)}`
      })

/** Whether the number in a column is one of the few that a query finds. */
export const amongFound = (sql: SqlClient, column: string, query: Fragment): Fragment =>
  sql.onDialectOrElse({
    pg: () => sql`${sql.literal(column)} = ANY(ARRAY(${query}))`,
    orElse: () => sql`${sql.literal(column)} IN (${query})`
  })

/** Whether the account in a column belongs to one of these partitions. */
export const within = (sql: SqlClient, column: string, some: ReadonlySet<Partition>): Fragment => {
  if (some.size === PARTITIONS) return sql.literal("1 = 1")
  return among(sql, `${column} % ${PARTITIONS}`, [...some])
}

/** For `FROM ...`: the rows of the table `alert_keys` that have these accounts with these keys. */
export const keysOf = (sql: SqlClient, all: ReadonlyArray<readonly [number, string]>): Fragment => {
  const json = JSON.stringify(all)
  return sql.onDialectOrElse({
    // One by one: a join that was planned while the table was small would read all of it.
    pg: () => sql`json_array_elements(${json}::json) AS pair CROSS JOIN LATERAL (SELECT * FROM alert_keys
      WHERE account = (pair ->> 0)::bigint AND key = pair ->> 1 OFFSET 0) AS alert_keys`,
    orElse: () =>
      sql`alert_keys WHERE (account, key) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${json}))`
  })
}

/** A text of a column that holds a JSON object, by the names that lead to it. */
export const jsonText = (sql: SqlClient, column: string, ...names: ReadonlyArray<string>): Fragment =>
  sql.onDialectOrElse({
    pg: () => sql.literal(`(${column}::json #>> '{${names.join(",")}}')`),
    orElse: () => sql.literal(`json_extract(${column}, '$.${names.join(".")}')`)
  })

/** Ends a sub-select: what it found stays true until the transaction commits. */
export const keptTrue = (sql: SqlClient): Fragment =>
  sql.onDialectOrElse({ pg: () => sql.literal("FOR SHARE"), orElse: () => sql.literal("") })

/** Ends a statement that reads rows of a table: they stay there until the transaction commits. */
export const keptThere = (sql: SqlClient, table: string): Fragment =>
  sql.onDialectOrElse({
    pg: () => sql.literal(`FOR KEY SHARE OF ${table}`),
    orElse: () => sql.literal("")
  })

/** Ends a query within a transaction: the rows that it found change only by this transaction until that commits. */
export const forUpdate = (sql: SqlClient): Fragment =>
  sql.onDialectOrElse({ pg: () => sql.literal("FOR UPDATE"), orElse: () => sql.literal("") })

/**
 * Within a transaction: of those that name the same thing, one at a time runs from here to its commit. Take it before
 * reading what the transaction decides by; several at once only in one sequence everywhere.
 */
export const inTurn = (
  sql: SqlClient,
  ...thing: ReadonlyArray<string | number>
): Effect.Effect<void, SqlError> =>
  sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql`SELECT pg_advisory_xact_lock(hashtextextended(${thing.join(":")}, 0))`),
    orElse: () => Effect.void
  })

/**
 * Within a transaction: from here to its commit nobody else writes these tables. Take it before anything is read. On
 * SQLite a transaction begins as the only writer.
 */
export const writtenByUs = (sql: SqlClient, tables: ReadonlyArray<string>): Effect.Effect<void, SqlError> =>
  sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql`LOCK TABLE ${sql.literal(tables.join(", "))} IN SHARE ROW EXCLUSIVE MODE`),
    orElse: () => Effect.void
  })

/** Within a transaction: the last alert of the journal, which gets no other one until the transaction commits. */
export const lastAlert = (sql: SqlClient): Effect.Effect<number, SqlError> =>
  Effect.map(
    sql.onDialectOrElse({
      pg: () => sql<{ readonly last: number }>`SELECT last FROM journal FOR SHARE`,
      orElse: () =>
        sql<{ readonly last: number }>`SELECT coalesce(max(seq), 0) AS last FROM sqlite_sequence
          WHERE name = 'alerts'`
    }),
    ([row]) => row?.last ?? 0
  )

/** Names the index of a search, where SQLite would choose a worse one; Postgres chooses by itself. */
export const byIndex = (sql: SqlClient, index: string): Fragment =>
  sql.onDialectOrElse({ pg: () => sql.literal(""), orElse: () => sql.literal(`INDEXED BY ${index}`) })

/** The arrays within a JSON array, a row each: `made.value ->> 0` is the first of a row, as text on Postgres. */
export const jsonRows = (sql: SqlClient, rows: ReadonlyArray<ReadonlyArray<unknown>>): Fragment =>
  rowsOfText(sql, JSON.stringify(rows))

/** `jsonRows` of an array that is text already. */
export const rowsOfText = (sql: SqlClient, text: string): Fragment =>
  sql.onDialectOrElse({
    pg: () => sql`json_array_elements(${text}::json) AS made(value)`,
    orElse: () => sql`json_each(${text}) AS made`
  })

/** Where a text begins within a column's text: 1 is the first letter, 0 nowhere. */
export const placeOf = (sql: SqlClient, column: string, text: string): Fragment =>
  sql.onDialectOrElse({
    pg: () => sql`strpos(${sql.literal(column)}, ${text})`,
    orElse: () => sql`instr(${sql.literal(column)}, ${text})`
  })

/** A condition: the column's text holds another text. */
export const holds = (sql: SqlClient, column: string, text: string): Fragment =>
  sql`${placeOf(sql, column, text)} > 0`
