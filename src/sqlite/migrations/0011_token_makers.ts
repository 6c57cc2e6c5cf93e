import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** Which token made which: null for those that the command line made, and for all older ones. */
export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.unsafe("ALTER TABLE tokens ADD COLUMN made_by INTEGER REFERENCES tokens (id)")
)
