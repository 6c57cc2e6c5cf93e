// Migration 3: who appends alerts tells others only where there are nodes. The only server of a database would tell itself,
// which costs Postgres about as much as storing them; any other process that reads finds them by asking, 250 ms later.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { append } from "./first/journal.ts"

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.unsafe(append("count > 0 AND EXISTS (SELECT 1 FROM nodes)"))
)
