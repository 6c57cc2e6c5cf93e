import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"

/** How often we look whether all is answered, and how often we do so before new requests are sent away. */
const LOOK = "20 millis"
const LOOKS_BEFORE = 12

/** Counts the requests in flight, and keeps new ones out once the server is going down. */
export interface Drain {
  /** The server has been told to stop: it is no longer ready. */
  readonly stopping: () => boolean
  /** New requests are sent away. */
  readonly draining: () => boolean
  /** Counts a request as in flight, until `ended` is called with its answer, which it gives back. */
  readonly begun: () => void
  readonly ended: (response: Response) => Response
  /** The same for an answer that is on its way. */
  readonly track: (answer: Promise<Response>) => Promise<Response>
  /**
   * From now on `stopping` is true, and `draining` a moment later: requests that had reached us are served, though we
   * had not read them yet. Ends when nothing is in flight.
   */
  readonly start: Effect.Effect<void>
}

export const make = (): Drain => {
  let stopping = false
  let draining = false
  let inFlight = 0
  const begun = () => {
    inFlight++
  }
  const ended = (response: Response) => {
    inFlight--
    return response
  }
  // In looks, not in one sleep: a server that is short of time still reads its sockets between them.
  const moment = Effect.repeat(Effect.sleep(LOOK), { times: LOOKS_BEFORE - 1 })
  const wait = Effect.sync(() => inFlight === 0).pipe(
    Effect.repeat({ until: (idle) => idle, schedule: Schedule.spaced(LOOK) })
  )
  return {
    stopping: () => stopping,
    draining: () => draining,
    begun,
    ended,
    track: (answer) => {
      begun()
      return answer.then(ended)
    },
    start: Effect.gen(function* () {
      stopping = true
      yield* moment
      draining = true
      yield* wait
    })
  }
}
