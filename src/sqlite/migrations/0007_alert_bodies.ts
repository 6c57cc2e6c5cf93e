// Migration 7: how alerts arrived.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** An alert's door and its redacted body; both are null for older alerts. */
const columns = ["ALTER TABLE alerts ADD COLUMN door TEXT", "ALTER TABLE alerts ADD COLUMN body TEXT"]

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(columns, (column) => sql.unsafe(column), { discard: true })
)
