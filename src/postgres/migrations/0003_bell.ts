// Migration 3: an append notifies other processes only where the database has nodes. The only server of a database would
// notify itself, which costs Postgres about as much as storing the alerts. Another process that reads the journal asks every
// 250 ms, and finds them then.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { append, HAS_NODES, JOINED } from "./first/journal.ts"

export default Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(append(HAS_NODES, JOINED)))
