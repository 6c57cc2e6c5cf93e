import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** How far an exchange's clock is from ours: it refuses what bears a time that is too far from its own. */
export interface ExchangeClock {
  /** How far it is ahead of ours (ms), as measured last; 0 before. */
  readonly skewMs: () => number
  /** Measures where that is due; never fails, since requests may pass all the same. */
  readonly measure: Effect.Effect<void>
  /** It refused a request for its time: the next measuring is due at once, unless there was one just now. */
  readonly doubt: Effect.Effect<void>
}

/** How long a measurement holds; how soon it is tried again after it failed, and after a refusal. */
const HOLDS_MS = 600_000
const AGAIN_MS = 5000
const DOUBT_MS = 1000

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
  const ask = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    // Later than it ever holds, our own clock was set back.
    if (now < dueAt && dueAt - now <= HOLDS_MS) return
    dueAt = now + AGAIN_MS
    const { heard, sent, told } = yield* time
    if (!Number.isFinite(told)) return
    // It was read about half way: what the way takes more of in one direction is all that this is wrong by.
    skew = Math.round(told - (sent + heard) / 2)
    measuredAt = heard
    dueAt = heard + HOLDS_MS
  })
  return {
    skewMs: () => skew,
    measure: one.withPermits(1)(Effect.ignore(ask)),
    doubt: Effect.map(Clock.currentTimeMillis, (now) => {
      if (Math.abs(now - measuredAt) > DOUBT_MS) dueAt = 0
    })
  } satisfies ExchangeClock
})
