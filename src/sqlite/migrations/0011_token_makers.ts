// Migration 11: which token made another.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** `made_by` is null for tokens made on the command line, and for all older ones. */
export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.unsafe("ALTER TABLE tokens ADD COLUMN made_by INTEGER REFERENCES tokens (id)")
)
