// The stored layer of the time at which a server of the database last ran.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Heartbeat } from "../services/health/Heartbeat.ts"
import { orDie } from "./client/SqlErrors.ts"
import * as Rows from "./rows/Rows.ts"

const rows = Rows.reader(Schema.Struct({ at: Schema.Int }))

/** The time never goes back, whichever node's clock it is of. */
const make = Effect.map(SqlClient.SqlClient, (sql) => ({
  beat: Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const before = yield* rows.first(sql`SELECT at FROM heartbeat WHERE id = 1`)
    yield* sql`INSERT INTO heartbeat (id, at) VALUES (1, ${now})
      ON CONFLICT (id) DO UPDATE SET at = excluded.at WHERE excluded.at > heartbeat.at`
    return Option.getOrUndefined(before)?.at
  }).pipe(sql.withTransaction, orDie)
}))

export const layer = Layer.effect(Heartbeat, make)
