// Migration 4: appends and commits find rows by their keys, one at a time. Postgres keeps a function's plans, and those that
// were made while a table was small read all of it, more of it with every alert, until Postgres looked at it again.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { trade } from "./first/commits.ts"
import { append, HAS_NODES } from "./first/journal.ts"

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.zipRight(sql.unsafe(append(HAS_NODES)), sql.unsafe(trade))
)
