// Migration 2: what nodes tell each other of themselves: the versions of their messages and of the tables that they know,
// how many alerts they have not judged yet, and whether they are to give their partitions away.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** A node of the version before tells nothing of these: it is of the first protocol, and of the first tables. */
const columns = `ALTER TABLE nodes
  ADD COLUMN protocol bigint NOT NULL DEFAULT 1,
  ADD COLUMN schema bigint NOT NULL DEFAULT 1,
  ADD COLUMN behind bigint NOT NULL DEFAULT 0,
  ADD COLUMN draining boolean NOT NULL DEFAULT false`

export default Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(columns))
