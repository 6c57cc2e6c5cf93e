// Deletes old rows while a server runs, a few at a time: alerts, outcomes and timelines after 400 days. Books are kept
// for ever.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { KEPT_DAYS } from "../services/Journal.ts"
import { reasonOf } from "./client/SqlErrors.ts"
import { JUDGED } from "./rows/FollowingRows.ts"

const DAY_MILLIS = 86_400_000
const KEPT_MILLIS = KEPT_DAYS * DAY_MILLIS
/** How often old rows are searched, and how many are deleted at a time, so that alerts need not wait. */
const EVERY = Schedule.spaced("1 hour")
const ROWS = 500
const PAUSE = "20 millis"

/** Low ids are the oldest, so that reading the first few rows shows whether anything is due. */
const TABLES = [
  { name: "timeline", id: "id", at: "at" },
  { name: "outcomes", id: "alert_id", at: "at" },
  { name: "alerts", id: "id", at: "received_at" }
]

const clear = Effect.fnUntraced(function* ({ at, id, name }: (typeof TABLES)[number]) {
  const sql = yield* SqlClient.SqlClient
  const [table, key, time] = [sql.literal(name), sql.literal(id), sql.literal(at)]
  while (true) {
    const before = (yield* Clock.currentTimeMillis) - KEPT_MILLIS
    const deleted = yield* sql`DELETE FROM ${table} WHERE ${key} IN (SELECT ${key}
      FROM (SELECT ${key}, ${time} FROM ${table} ORDER BY ${key} LIMIT ${ROWS}) AS oldest WHERE ${time} < ${before})
      RETURNING 1`
    if (deleted.length === 0) return
    yield* Effect.sleep(PAUSE)
  }
})

/** A few rows a day: deleted in one statement. */
const clearCounts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const before = Math.floor(((yield* Clock.currentTimeMillis) - KEPT_MILLIS) / DAY_MILLIS)
  yield* sql`DELETE FROM outcome_days WHERE day < ${before}`
})

/** A past following is not needed once all alerts of its time are judged. */
const clearFollowings = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  while (true) {
    const deleted = yield* sql`DELETE FROM followings WHERE id IN (SELECT id FROM followings
      WHERE until_alert <= ${sql.literal(JUDGED)} LIMIT ${ROWS}) RETURNING 1`
    if (deleted.length === 0) return
    yield* Effect.sleep(PAUSE)
  }
})

/** Deletes old rows again and again. */
export const clearing: Effect.Effect<unknown, never, SqlClient.SqlClient> = Effect.forEach(TABLES, clear, {
  discard: true
}).pipe(
  Effect.zipRight(clearCounts),
  Effect.zipRight(clearFollowings),
  Effect.catchAll((error) => Effect.logWarning(`old rows cannot be deleted now: ${reasonOf(error.cause)}`)),
  Effect.repeat(EVERY)
)

/** Deletes old rows for as long as the layer lives. */
export const layer = Layer.scopedDiscard(Effect.forkScoped(clearing))
