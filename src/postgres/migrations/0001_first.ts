// Migration 1: all tables, as SQLite has them in its version 19. Integers and counts are `bigint`, amounts of money text,
// and JSON is text, which keeps what was written. We alone write it, so that it is not checked again here.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { changes } from "./first/changes.ts"
import { commits } from "./first/commits.ts"
import { directory } from "./first/directory.ts"
import { journal } from "./first/journal.ts"
import { limits } from "./first/limits.ts"
import { money } from "./first/money.ts"
import { moves } from "./first/moves.ts"
import { people } from "./first/people.ts"
import { results } from "./first/results.ts"
import { server } from "./first/server.ts"
import { strategies } from "./first/strategies.ts"
import { timeline } from "./first/timeline.ts"

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(
    [
      ...people,
      ...strategies,
      ...timeline,
      ...directory,
      ...journal,
      ...money,
      ...results,
      ...server,
      ...moves,
      ...commits,
      ...changes,
      ...limits
    ],
    (statement) => sql.unsafe(statement),
    { discard: true }
  )
)
