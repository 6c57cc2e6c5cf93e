import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"

/** How long requests in flight may take to end once the server is told to stop. */
export const DRAIN_SECONDS = 10

/** Counts the requests in flight, and keeps new ones out once the server is going down. */
export interface Drain {
  readonly draining: () => boolean
  /** Counts a request as in flight, until `ended` is called with its answer, which it gives back. */
  readonly begun: () => void
  readonly ended: (response: Response) => Response
  /** The same for an answer that is on its way. */
  readonly track: (answer: Promise<Response>) => Promise<Response>
  /** From now on `draining` is true; ends when nothing is in flight, or after 10 s. */
  readonly start: Effect.Effect<void>
}

export const make = (): Drain => {
  let draining = false
  let inFlight = 0
  const begun = () => {
    inFlight++
  }
  const ended = (response: Response) => {
    inFlight--
    return response
  }
  const wait = Effect.sync(() => inFlight === 0).pipe(
    Effect.repeat({ until: (idle) => idle, schedule: Schedule.spaced("20 millis") }),
    Effect.timeout(`${DRAIN_SECONDS} seconds`),
    Effect.ignore
  )
  return {
    draining: () => draining,
    begun,
    ended,
    track: (answer) => {
      begun()
      return answer.then(ended)
    },
    start: Effect.suspend(() => {
      draining = true
      return wait
    })
  }
}
