// Announces changes that caches have not seen: commits of other processes, and rollbacks of our own.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { inRealTime } from "../../services/internal/RealTime.ts"
import { orDie } from "./SqlErrors.ts"

/** Within this time, a commit of another process is visible (ms). */
export const KNOWN_MILLIS = 100
/** How often commits of other processes are checked (ms). */
const POLL_MILLIS = KNOWN_MILLIS / 2

/** The announcements. */
export class ChangeWatch extends Context.Tag("signalbox/sqlite/client/ChangeWatch")<
  ChangeWatch,
  {
    /** Calls `drop` at each change, for as long as the scope is open. */
    readonly onChange: (drop: () => void) => Effect.Effect<void, never, Scope.Scope>
    readonly changed: Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.sync(ChangeWatch, () => {
    const drops = new Set<() => void>()
    return {
      onChange: (drop) =>
        Effect.acquireRelease(
          Effect.sync(() => drops.add(drop)),
          () => Effect.sync(() => drops.delete(drop))
        ),
      changed: Effect.sync(() => {
        for (const drop of drops) drop()
      })
    }
  })

  /** Watches for commits of other processes. */
  static readonly layerPoll = Layer.scopedDiscard(
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
}
