// Announces commits of other processes, which SQLite only tells whom it is asked by.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { inRealTime } from "../../services/internal/RealTime.ts"
import { ChangeWatch } from "../../sql/client/ChangeWatch.ts"
import { orDie } from "../../sql/client/SqlErrors.ts"

/** Within this time, a commit of another process is visible (ms). */
export const KNOWN_MILLIS = 100
/** How often commits of other processes are checked (ms). */
const POLL_MILLIS = KNOWN_MILLIS / 2

/** Watches for commits of other processes. */
export const layer = Layer.scopedDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { changed } = yield* ChangeWatch
    const version = Effect.map(
      sql<{ readonly data_version: number }>`PRAGMA data_version`,
      (rows) => rows[0]?.data_version
    )
    let seen = yield* orDie(version)
    const readVersion = Effect.gen(function* () {
      const now = yield* version
      if (now === seen) return
      seen = now
      yield* changed
    })
    yield* Effect.forkScoped(
      readVersion.pipe(
        Effect.catchAll((error) => Effect.logWarning("cannot look for changes of other processes", error)),
        Effect.repeat(Schedule.spaced(POLL_MILLIS)),
        inRealTime,
        Effect.withTracerEnabled(false)
      )
    )
  })
)
