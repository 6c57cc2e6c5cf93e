import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** `revision` goes up with every change of a strategy: several may share a second. */
const changes = ["ALTER TABLE strategies ADD COLUMN revision INTEGER NOT NULL DEFAULT 0"]

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(changes, (change) => sql.unsafe(change), { discard: true })
)
