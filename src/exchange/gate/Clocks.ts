import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"

/** How far an exchange's clock is from ours: it refuses what bears a time that is too far from its own. */
export interface ExchangeClock {
  /** How far it is ahead of ours (ms), as measured last; 0 before. */
  readonly skewMs: () => number
  /** Whether it was measured, and nothing has cast doubt on it since: what is urgent need not wait for the next time. */
  readonly isKnown: () => boolean
  /** Which measuring holds: another number with each. */
  readonly measuring: () => number
  /**
   * Measures where that is due, and ends with it; whoever waits no longer leaves it to go on. Never fails, since
   * requests may pass all the same.
   */
  readonly measure: Effect.Effect<void>
  /**
   * A request that was made by this `measuring` was refused for its time. Unless it was measured anew since, that is
   * due at once; where the same key `hasPassed` by it before, that is: else only after a while, since it may be the
   * key that is wrong.
   */
  readonly doubt: (measuring: number, hasPassed: boolean) => Effect.Effect<void>
}

/** How long a measurement holds; how soon it is tried again after it failed, at first and at most. */
const HOLDS_MS = 600_000
const AGAIN_MS = 250
const AGAIN_MOST_MS = 5000
/** How often at most a key that is refused for ever has the clock measured. */
const DOUBT_MS = 5000
/** A measurement that took longer is made again, and the quickest of so many holds. */
const CLOSE_MS = 500
const TRIES = 3
/** When one is given up. */
const TRY_MS = 2500

interface Response {
  readonly sent: number
  readonly heard: number
  readonly told: number
}

/** `time` asks the exchange. */
export const make = Effect.fnUntraced(function* <E>(time: Effect.Effect<Response, E>) {
  const scope = yield* Effect.scope
  let skew = 0
  let dueAt = 0
  let measuredAt = Number.NEGATIVE_INFINITY
  let measuring = 0
  let isDoubted = true
  let failures = 0
  let going: Deferred.Deferred<void> | undefined

  const quickest = Effect.gen(function* () {
    let best: Response | undefined
    for (let turn = 0; turn < TRIES; turn++) {
      const next = Option.getOrUndefined(yield* Effect.option(Effect.timeout(time, TRY_MS)))
      if (next === undefined || !Number.isFinite(next.told)) break
      // Our own clock was set back meanwhile.
      if (tookMs(next) < 0) continue
      if (best === undefined || tookMs(next) < tookMs(best)) best = next
      if (tookMs(best) <= CLOSE_MS) break
    }
    return best
  })
  const ask = Effect.gen(function* () {
    const told = yield* quickest
    const heard = yield* Clock.currentTimeMillis
    if (told === undefined) {
      dueAt = heard + Math.min(AGAIN_MS * 2 ** failures++, AGAIN_MOST_MS)
      return
    }
    skew = skewOf(told)
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
        // Later than it ever holds, our own clock was set back.
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

const tookMs = ({ heard, sent }: Response): number => heard - sent

/**
 * It was read somewhere on the way: half way, as far as is known. Where that took long, rather later: exchanges bear
 * a time that is seconds behind their own, and none that is a second ahead.
 */
const skewOf = (told: Response): number =>
  Math.round(told.told - told.heard + Math.min(tookMs(told), 1000) / 2)
