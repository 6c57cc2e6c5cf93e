// Sends again what has failed for a reason that passes by itself. Only for statements that store nothing the second time.
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { inRealTime } from "../../services/internal/RealTime.ts"
import { codeOf } from "../../sql/client/SqlErrors.ts"

const PAUSE = "100 millis"
const SCHEDULE = Schedule.spaced(PAUSE).pipe(Schedule.upTo("2 seconds"))

/** A connection that is gone or that the server ended, and a deadlock with another process. */
const PASSING = ["08006", "57P01", "40P01"]
const isPassing = (error: SqlError): boolean => PASSING.includes(codeOf(error.cause))

/** Tries an effect again for two seconds at most. */
export const again = <A, R>(effect: Effect.Effect<A, SqlError, R>): Effect.Effect<A, SqlError, R> =>
  // Most succeed, and need no schedule.
  Effect.catchAll(effect, (error) =>
    isPassing(error)
      ? inRealTime(Effect.delay(Effect.retry(effect, { while: isPassing, schedule: SCHEDULE }), PAUSE))
      : Effect.fail(error)
  )
