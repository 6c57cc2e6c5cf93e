// Sends again what has failed for a reason that passes by itself. Only for statements that store nothing the second time.
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { inRealTime } from "../../services/internal/RealTime.ts"
import { codeOf } from "../../sql/client/SqlErrors.ts"

const SCHEDULE = Schedule.spaced("100 millis").pipe(Schedule.upTo("2 seconds"))

/** A connection that is gone or that the server ended, and a deadlock with another process. */
const PASSING = ["08006", "57P01", "40P01"]

/** Tries an effect again for two seconds at most. */
export const again = <A, R>(effect: Effect.Effect<A, SqlError, R>): Effect.Effect<A, SqlError, R> =>
  inRealTime(
    Effect.retry(effect, { while: (error) => PASSING.includes(codeOf(error.cause)), schedule: SCHEDULE })
  )
