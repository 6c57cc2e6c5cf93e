import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** How far an exchange's clock is from ours: it refuses what bears a time that is too far from its own. */
export interface ExchangeClock {
  /** How far it is ahead of ours (ms), as measured last; 0 before. */
  readonly skewMs: () => number
  /** Whether it was measured, and nothing has cast doubt on it since: what is urgent need not wait for the next time. */
  readonly isKnown: () => boolean
  /** Measures where that is due; never fails, since requests may pass all the same. */
  readonly measure: Effect.Effect<void>
  /**
   * It refused a request that was made at `at` (ms) for its time. Where that was measured before, the next measuring
   * is due at once; where no request has passed since, after a moment only: it may be the key that is wrong.
   */
  readonly doubt: (at: number) => Effect.Effect<void>
  /** It took a request with a key: the time was right. */
  readonly agree: () => void
}

/** How long a measurement holds; how soon it is tried again after it failed, at first and at most. */
const HOLDS_MS = 600_000
const AGAIN_MS = 250
const AGAIN_MOST_MS = 5000
/** How often at most a key that is refused for ever has the clock measured. */
const DOUBT_MS = 1000
/** A measurement that took longer is made again, and the quickest of so many holds. */
const CLOSE_MS = 500
const TRIES = 3

interface Told {
  readonly sent: number
  readonly heard: number
  readonly told: number
}

/** `time` asks the exchange. */
export const make = Effect.fnUntraced(function* <E>(time: Effect.Effect<Told, E>) {
  const one = yield* Effect.makeSemaphore(1)
  let skew = 0
  let dueAt = 0
  let measuredAt = Number.NEGATIVE_INFINITY
  let isDoubted = true
  let isAgreed = false
  let failures = 0
  const quickest = Effect.gen(function* () {
    let best: Told | undefined
    for (let turn = 0; turn < TRIES; turn++) {
      const next = yield* Effect.option(time)
      if (Option.isNone(next) || !Number.isFinite(next.value.told)) break
      if (best === undefined || tookMs(next.value) < tookMs(best)) best = next.value
      if (tookMs(best) <= CLOSE_MS) break
    }
    return best
  })
  const ask = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    // Later than it ever holds, our own clock was set back.
    if (now < dueAt && dueAt - now <= HOLDS_MS) return
    const told = yield* quickest
    const heard = yield* Clock.currentTimeMillis
    if (told === undefined) {
      dueAt = heard + Math.min(AGAIN_MS * 2 ** failures++, AGAIN_MOST_MS)
      return
    }
    skew = skewOf(told)
    failures = 0
    isDoubted = false
    isAgreed = false
    measuredAt = heard
    dueAt = heard + HOLDS_MS
  })
  return {
    skewMs: () => skew,
    isKnown: () => !isDoubted,
    measure: one.withPermits(1)(ask),
    doubt: (at) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        if (isDoubted || at < measuredAt || (!isAgreed && Math.abs(now - measuredAt) <= DOUBT_MS)) return
        isDoubted = true
        dueAt = 0
      }),
    agree: () => {
      isAgreed = true
    }
  } satisfies ExchangeClock
})

const tookMs = ({ heard, sent }: Told): number => heard - sent

/**
 * It was read somewhere on the way: half way, as far as is known. Where that took long, rather later: exchanges bear
 * a time that is seconds behind their own, and none that is a second ahead.
 */
const skewOf = (told: Told): number => Math.round(told.told - told.heard + Math.min(tookMs(told), 1000) / 2)
