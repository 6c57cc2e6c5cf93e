// The pauses of the engine, in which requests, prices and timers have their turn. Work is counted from the begin of the
// first of the turns that follow each other without a pause: after `LONG_MS` of it, the next `pause` is one.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Work after which others have their turn (ms). */
const LONG_MS = 8
/** Turns that follow each other sooner than this left nobody else a turn in between (ms). */
const CLOSE_MS = 2

export const make = () => {
  let begunAt = 0
  let endedAt = 0
  const now = Clock.currentTimeMillis

  /** A pause in any case. */
  const rest = Effect.map(Effect.zipRight(Effect.sleep(0), now), (at) => {
    begunAt = at
  })
  /** A pause after much work since the last one; else it costs nothing. */
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
