// Graceful shutdown: 1. `stopping`: the server is no longer ready, but serves, and leaves what it has to others; 2.
// `draining`: new requests get 503; 3. the drain ends when nothing is in flight.
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"

/** How often the drain is checked, and the number of checks before new requests get 503. */
const LOOK = "20 millis"
const LOOKS_BEFORE = 12

/** Counts requests in flight, and rejects new ones during a shutdown. */
export interface Drain {
  /** Whether the shutdown has begun: the server is not ready. */
  readonly stopping: () => boolean
  /** Whether new requests get 503. */
  readonly draining: () => boolean
  /** Counts a request as in flight, until `ended` is called with its response, which it returns. */
  readonly requestBegan: () => void
  readonly ended: (response: Response) => Response
  /** Counts a request as in flight until its response has come. */
  readonly track: (answer: Promise<Response>) => Promise<Response>
  /**
   * Begins the shutdown. Requests that reach the socket before it has left are still served. Ends when nothing is in
   * flight.
   */
  readonly start: (leave: Effect.Effect<void>) => Effect.Effect<void>
}

export const make = (): Drain => {
  let stopping = false
  let draining = false
  let inFlight = 0
  const requestBegan = () => {
    inFlight++
  }
  const ended = (response: Response) => {
    inFlight--
    return response
  }
  // Several short sleeps instead of a long one: a busy server still reads its sockets in between.
  const moment = Effect.repeat(Effect.sleep(LOOK), { times: LOOKS_BEFORE - 1 })
  const wait = Effect.sync(() => inFlight === 0).pipe(
    Effect.repeat({ until: (idle) => idle, schedule: Schedule.spaced(LOOK) })
  )
  return {
    stopping: () => stopping,
    draining: () => draining,
    requestBegan,
    ended,
    track: (answer) => {
      requestBegan()
      return answer.then(ended, (fault) => {
        inFlight--
        throw fault
      })
    },
    start: (leave) =>
      Effect.gen(function* () {
        stopping = true
        yield* leave
        yield* moment
        draining = true
        yield* wait
      })
  }
}
