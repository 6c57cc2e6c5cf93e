// Measures how far an exchange's clock is ahead of ours, because exchanges refuse requests whose time is too far off.
// The quickest of up to three tries counts; it holds for ten minutes, or until a request is refused for its time.
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"

/** The clock of an exchange. */
export interface ExchangeClock {
  /** How far it is ahead of ours (ms) by the last measurement; 0 before the first. */
  readonly skewMs: () => number
  /** Whether a measurement exists that was not doubted since; urgent requests then need not wait for the next. */
  readonly isKnown: () => boolean
  /** The number of the present measurement; each has its own. */
  readonly measuring: () => number
  /**
   * Measures if due, and ends with the measurement; a caller that stops waiting does not stop it. Never fails, since
   * requests may pass without it.
   */
  readonly measure: Effect.Effect<void>
  /**
   * Reports that a request made under this `measuring` was refused for its time. If there was no newer measurement, one
   * is due: at once if the same key `hasPassed` under it before, else only after a while, because the key itself may be
   * wrong.
   */
  readonly doubt: (measuring: number, hasPassed: boolean) => Effect.Effect<void>
}

/** How long a measurement holds, and the first and longest wait after a failed one. */
const HOLDS_MS = 600_000
const AGAIN_MS = 250
const AGAIN_MOST_MS = 5000
/** The shortest time between measurements caused by a key that is always refused. */
const DOUBT_MS = 5000
/** A measurement that took longer is repeated, and the quickest counts. */
const CLOSE_MS = 500
const TRIES = 3
/** The time limit of one try. */
const TRY_MS = 2500

interface Response {
  readonly sent: number
  readonly heard: number
  readonly serverTime: number
}

/** `time` queries the exchange's clock. */
export const make = Effect.fnUntraced(function* <E>(time: Effect.Effect<Response, E>) {
  const scope = yield* Effect.scope
  let skew = 0
  let dueAt = 0
  let measuredAt = Number.NEGATIVE_INFINITY
  let measuring = 0
  let isDoubted = true
  let failures = 0
  let going: Deferred.Deferred<void> | undefined

  const ask = Effect.gen(function* () {
    const response = yield* quickest(time)
    const heard = yield* Clock.currentTimeMillis
    if (response === undefined) {
      dueAt = heard + Math.min(AGAIN_MS * 2 ** failures++, AGAIN_MOST_MS)
      return
    }
    skew = skewOf(response)
    failures = 0
    isDoubted = false
    measuring++
    measuredAt = heard
    dueAt = heard + HOLDS_MS
  })
  const begin = Effect.suspend(() => {
    const ended = Deferred.unsafeMake<void>(FiberId.none)
    going = ended
    const end = Effect.sync(() => {
      going = undefined
      Deferred.unsafeDone(ended, Effect.void)
    })
    return Effect.forkIn(Effect.ensuring(Effect.interruptible(ask), end), scope)
  })
  return {
    skewMs: () => skew,
    isKnown: () => !isDoubted,
    measuring: () => measuring,
    measure: Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (going === undefined) {
        // Further ahead than any measurement holds: our own clock was set back.
        if (now < dueAt && dueAt - now <= HOLDS_MS) return
        yield* Effect.uninterruptible(begin)
      }
      if (going !== undefined) yield* Deferred.await(going)
    }),
    doubt: (by, hasPassed) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        if (isDoubted || by !== measuring) return
        if (!hasPassed && Math.abs(now - measuredAt) <= DOUBT_MS) return
        isDoubted = true
        dueAt = 0
      })
  } satisfies ExchangeClock
})

/** The quickest of up to three tries; undefined if the first fails. */
const quickest = Effect.fnUntraced(function* <E>(time: Effect.Effect<Response, E>) {
  let best: Response | undefined
  for (let turn = 0; turn < TRIES; turn++) {
    const next = Option.getOrUndefined(yield* Effect.option(Effect.timeout(time, TRY_MS)))
    if (next === undefined || !Number.isFinite(next.serverTime)) break
    // Our own clock was set back meanwhile.
    if (tookMs(next) < 0) continue
    if (best === undefined || tookMs(next) < tookMs(best)) best = next
    if (tookMs(best) <= CLOSE_MS) break
  }
  return best
})

const tookMs = ({ heard, sent }: Response): number => heard - sent

/**
 * The exchange read its clock on the way, about half way. For slow requests the estimate errs towards later, because
 * exchanges accept a time seconds behind theirs, but not a second ahead.
 */
const skewOf = (response: Response): number =>
  Math.round(response.serverTime - response.heard + Math.min(tookMs(response), 1000) / 2)
