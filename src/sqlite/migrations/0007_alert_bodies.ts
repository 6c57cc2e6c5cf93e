import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** How an alert came: by which door, and what was sent, redacted. Nothing of either is known of older ones. */
const columns = ["ALTER TABLE alerts ADD COLUMN door TEXT", "ALTER TABLE alerts ADD COLUMN body TEXT"]

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(columns, (column) => sql.unsafe(column), { discard: true })
)
