// Migration 13: the optional fields of alerts.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** `extras` is JSON; null if the alert has no optional fields, as all older alerts. */
export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.unsafe("ALTER TABLE alerts ADD COLUMN extras TEXT CHECK (json_valid(extras))")
)
