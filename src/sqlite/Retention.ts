import * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { reasonOf } from "./client/Failure.ts"
import { JUDGED } from "./rows/FollowingRows.ts"

/** How long alerts, their outcomes and timelines are kept; books are kept for ever. */
export const KEPT_DAYS = 400
const DAY_MILLIS = 86_400_000
const KEPT_MILLIS = KEPT_DAYS * DAY_MILLIS
/** How often we look for what is older, and how many rows go at a time: alerts must not wait for a deletion. */
const EVERY = Schedule.spaced("1 hour")
const ROWS = 500
const PAUSE = "20 millis"

/** Rows with small ids are the oldest, so that a look at the first few tells whether anything is to be done. */
const TABLES = [
  { name: "timeline", id: "id", at: "at" },
  { name: "outcomes", id: "alert_id", at: "at" },
  { name: "alerts", id: "id", at: "received_at" }
]

const clear = Effect.fnUntraced(function* ({ at, id, name }: (typeof TABLES)[number]) {
  const sql = yield* SqlClient.SqlClient
  while (true) {
    const before = (yield* Clock.currentTimeMillis) - KEPT_MILLIS
    const gone = yield* sql.unsafe(
      `DELETE FROM ${name} WHERE ${id} IN (SELECT ${id}
        FROM (SELECT ${id}, ${at} FROM ${name} ORDER BY ${id} LIMIT ${ROWS}) WHERE ${at} < ?) RETURNING 1`,
      [before]
    )
    if (gone.length === 0) return
    yield* Effect.sleep(PAUSE)
  }
})

/** A few rows a day, so that they go in one. */
const clearCounts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const before = Math.floor(((yield* Clock.currentTimeMillis) - KEPT_MILLIS) / DAY_MILLIS)
  yield* sql`DELETE FROM outcome_days WHERE day < ${before}`
})

/** Who followed a signal no longer matters once all alerts of that time are judged. */
const clearFollowings = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  while (true) {
    const gone = yield* sql`DELETE FROM followings WHERE id IN (SELECT id FROM followings
      WHERE until_alert <= ${sql.literal(JUDGED)} LIMIT ${ROWS}) RETURNING 1`
    if (gone.length === 0) return
    yield* Effect.sleep(PAUSE)
  }
})

/** Clears away what is too old, for as long as a server runs. */
export const layer = Layer.scopedDiscard(
  Effect.forEach(TABLES, clear, { discard: true }).pipe(
    Effect.zipRight(clearCounts),
    Effect.zipRight(clearFollowings),
    Effect.catchAll((error) => Effect.logWarning(`old rows cannot be deleted now: ${reasonOf(error.cause)}`)),
    Effect.repeat(EVERY),
    Effect.forkScoped
  )
)
