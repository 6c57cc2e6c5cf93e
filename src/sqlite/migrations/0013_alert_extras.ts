// Migration 13: what alerts say beyond their type and targets.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** `extras` is JSON, and null for an alert that says nothing more, as all older ones. */
export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.unsafe("ALTER TABLE alerts ADD COLUMN extras TEXT CHECK (json_valid(extras))")
)
