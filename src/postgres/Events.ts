// The Postgres layer of events. Many transactions write timelines at once; `signalbox_events` tells how far nothing is
// missing. Readers wait for the listener, which hears of alerts and asks for the rest.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Events } from "../services/Events.ts"
import * as ChangeSignal from "../services/records/ChangeSignal.ts"
import * as StoredEvents from "../sql/Events.ts"
import { Listener } from "./client/Listener.ts"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const listener = yield* Listener
  const entries = ChangeSignal.make(0)
  const alerts = ChangeSignal.make(0)
  yield* listener.onEntries(entries.written)
  yield* listener.onAlerts((upTo) => alerts.written(upTo))
  return StoredEvents.make(sql, {
    heads: StoredEvents.heads.one(sql`SELECT final, newest, alert FROM signalbox_events()`),
    arrival: ({ alert, entry }) => Effect.raceFirst(alerts.beyond(alert), entries.beyond(entry))
  })
})

export const layer = Layer.scoped(Events, make)
