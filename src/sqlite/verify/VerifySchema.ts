// Compares a database's schema with one that the migrations make afresh.
import type { Database } from "bun:sqlite"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { ChangeWatch } from "../../sql/client/ChangeWatch.ts"
import type { Fault } from "../../sql/verify/Fault.ts"
import * as Client from "../client/Client.ts"
import * as Migrations from "../Migrations.ts"

/** Tables and indexes by name. */
export type Definitions = ReadonlyMap<string, Definition>

const Definition = Schema.Struct({
  type: Schema.String,
  name: Schema.String,
  sql: Schema.String,
  columns: Schema.parseJson(Schema.Array(Schema.String))
})
type Definition = typeof Definition.Type

const DEFINITIONS = `SELECT type, name, coalesce(sql, '') AS sql,
  (SELECT json_group_array(info.name) FROM pragma_table_xinfo(sqlite_schema.name) AS info) AS columns
  FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid`

const decode = Schema.decodeUnknownSync(Schema.Array(Definition))
const named = (rows: ReadonlyArray<unknown>): Definitions =>
  new Map(decode(rows).map((definition) => [definition.name, definition]))

/** The schema of a new database of a version. */
export const fresh = (version: number): Effect.Effect<Definitions> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.map(sql.unsafe(DEFINITIONS), named)).pipe(
    Effect.provide(
      Migrations.layer(Client.MEMORY, { migrations: Migrations.upTo(version) }).pipe(
        Layer.provideMerge(Client.layer(Client.MEMORY)),
        Layer.provide(ChangeWatch.layer)
      )
    ),
    Effect.orDie
  )

/** Finds everything that is missing, foreign or defined differently. */
export function* differing(database: Database, expected: Definitions): Generator<Fault> {
  const found = named(database.query(DEFINITIONS).all())
  for (const due of expected.values()) {
    const there = found.get(due.name)
    const text = there === undefined ? "is missing" : differenceOf(due, there)
    if (text !== undefined) yield { table: "schema", text: `${due.type} ${due.name} ${text}` }
  }
  for (const { name, type } of found.values())
    if (!expected.has(name)) yield { table: "schema", text: `${type} ${name} is not one of this program` }
}

const differenceOf = (due: Definition, there: Definition): string | undefined => {
  const missing = due.columns.filter((column) => !there.columns.includes(column))
  if (missing.length > 0) return `lacks ${missing.join(", ")}`
  const foreign = there.columns.filter((column) => !due.columns.includes(column))
  if (foreign.length > 0) return `has ${foreign.join(", ")}, which is not of this program`
  return plain(due.sql) === plain(there.sql) ? undefined : "is defined otherwise than by this program"
}

const plain = (sql: string): string => sql.replace(/\s+/g, " ").trim()
