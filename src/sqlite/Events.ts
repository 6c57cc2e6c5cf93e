// The SQLite layer of events. One transaction writes at a time, so that all that is visible is final.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Events } from "../services/Events.ts"
import * as StoredEvents from "../sql/Events.ts"

/** From the tables' counters: the newest rows may be deleted, but their ids are never reused. */
const make = Effect.map(SqlClient.SqlClient, (sql) =>
  StoredEvents.make(sql, {
    heads: StoredEvents.heads.one(sql`SELECT entry AS final, entry AS newest, alert FROM (SELECT
      coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'timeline'), 0) AS entry,
      coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'alerts'), 0) AS alert)`)
  })
)

export const layer = Layer.effect(Events, make)
