// The engine's pauses, which let requests, prices and timers run. The engine may work for `LONG_MS` without a pause;
// turns that follow each other within `CLOSE_MS` count as one stretch of work.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Work without a pause (ms). */
const LONG_MS = 8
/** A gap between two turns that is too short for anybody else to run (ms). */
const CLOSE_MS = 2

/** Yields to the event loop between two parts of a long job, so that requests are answered. */
export const breathe = Effect.sleep(0)

export const make = () => {
  let begunAt = 0
  let endedAt = 0
  const now = Clock.currentTimeMillis

  /** Pauses. */
  const rest = Effect.map(Effect.zipRight(breathe, now), (at) => {
    begunAt = at
  })
  /** Pauses if the engine has worked for `LONG_MS` since the last pause. */
  const pause = Effect.flatMap(now, (at) => (at - begunAt < LONG_MS ? Effect.void : rest))
  const begin = Effect.flatMap(now, (at) => {
    if (at - endedAt >= CLOSE_MS) begunAt = at
    return pause
  })
  const end = Effect.map(now, (at) => {
    endedAt = at
  })

  return { rest, pause, begin, end }
}

export type Breath = ReturnType<typeof make>
