// Brings cohorts up to the present: fetches what they need to begin, or what they missed in an outage, and looks at it
// candle by candle.
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { millisOf } from "../../domain/candles/Timeframe.ts"
import { barAt } from "../../trading/indicators/Plan.ts"
import { breathe } from "../engine/Breath.ts"
import type { CandleSource, HistoryFailed } from "./ClosedCandles.ts"
import type { Cohort, CohortAlert } from "./Cohort.ts"
import { Loads } from "./Loads.ts"
import type { Raising } from "./Raising.ts"
import type { RuleBook } from "./RuleBook.ts"

/** The pause before candles are asked for again (ms). */
const AGAIN_MS = 20_000
const LASTING_AGAIN_MS = 600_000

/** Makes the two ways to the present: `begin`, and `catchUp` for a cohort that had begun. */
const coming = (
  { history }: Pick<CandleSource, "history">,
  { instructed, raise }: Pick<Raising, "instructed" | "raise">
) => {
  const raiseAll = (cohort: Cohort, alerts: ReadonlyArray<CohortAlert>) =>
    alerts.length === 0 ? Effect.void : raise(instructed(alerts, cohort))

  /** Fetches what a cohort needs to begin: further back where candles are few. */
  const wanted = Effect.fnUntraced(function* (cohort: Cohort, until: number) {
    const now = yield* Clock.currentTimeMillis
    let bars = yield* history(cohort.series, cohort.neededFrom(now), until)
    while (cohort.lacks(bars)) {
      cohort.searches++
      const before = bars.length
      bars = yield* history(cohort.series, cohort.neededFrom(now), until)
      if (bars.length === before) break
    }
    return bars
  })

  const begin = Effect.fnUntraced(function* (cohort: Cohort, until: number) {
    const bars = yield* wanted(cohort, until)
    for (const alerts of cohort.begin(bars, until, yield* Clock.currentTimeMillis)) {
      yield* raiseAll(cohort, alerts)
      yield* breathe
    }
  })

  /** Takes the candles that a cohort missed. */
  const catchUp = Effect.fnUntraced(function* (cohort: Cohort, known: number, until: number) {
    const bars = yield* history(cohort.series, known, until)
    const now = yield* Clock.currentTimeMillis
    for (let row = 0; row < bars.length; row++)
      yield* raiseAll(cohort, cohort.push(barAt(bars, row), true, now))
    cohort.pass(until)
  })
  return { begin, catchUp }
}

/** Makes what brings one cohort up to the last close. */
const bringing = (
  { isWanted }: Wanting,
  source: Pick<CandleSource, "history">,
  raising: Pick<Raising, "advance" | "instructed" | "raise">
) => {
  const { begin, catchUp } = coming(source, raising)
  return Effect.fnUntraced(function* (cohort: Cohort) {
    const span = millisOf(cohort.series.timeframe)
    while (isWanted(cohort)) {
      const until = Math.floor((yield* Clock.currentTimeMillis) / span) * span
      const { known } = cohort
      if (known !== undefined && known >= until) break
      if (known === undefined) yield* begin(cohort, until)
      else yield* catchUp(cohort, known, until)
      cohort.reason = undefined
      yield* raising.advance([cohort])
    }
    cohort.isLive = true
  })
}

interface Wanting {
  /** Whether one of a cohort's rules is at work. */
  readonly isWanted: (cohort: Cohort) => boolean
}

const wanting = (book: RuleBook): Wanting => ({
  isWanted: ({ rules }) => rules.some((rule) => book.isAtWork(rule))
})

/** Makes what follows a load that failed: another one, later. */
const trying = (scope: Scope.Scope, load: (cohort: Cohort) => Effect.Effect<void>) => {
  /** Tries again later; others have their turn meanwhile. */
  const later = (cohort: Cohort, reason: string, ms: number) =>
    Effect.suspend(() => {
      cohort.reason = reason
      return Effect.forkIn(
        Effect.zipRight(
          Effect.sleep(ms),
          Effect.suspend(() => load(cohort))
        ),
        scope
      )
    })
  const failed = (cohort: Cohort) => (error: HistoryFailed) =>
    later(cohort, error.reason, error.isLasting ? LASTING_AGAIN_MS : AGAIN_MS)
  const fault = (cohort: Cohort) => (cause: Cause.Cause<never>) => {
    if (Cause.isInterruptedOnly(cause)) return Effect.failCause(cause)
    cohort.known = undefined
    const logged = Effect.logError("a rule could not look at its candles, and tries again", cause)
    return Effect.zipRight(logged, later(cohort, "a fault of ours: see the log", AGAIN_MS))
  }
  return { failed, fault }
}

/** Makes `load`, which does not wait, and `idle`, which waits until nothing loads. */
export const make = Effect.fnUntraced(function* (
  book: RuleBook,
  source: Pick<CandleSource, "history">,
  raising: Pick<Raising, "advance" | "instructed" | "raise">
) {
  const scope = yield* Effect.scope
  const loads = new Loads()
  /** Open while nothing loads. */
  const idle = yield* Effect.makeLatch(true)
  const { isWanted } = wanting(book)
  const run = bringing({ isWanted }, source, raising)

  const { failed, fault } = trying(scope, (cohort) => load([cohort]))
  const ended = (cohort: Cohort) =>
    Effect.suspend(() => {
      loads.ended(cohort)
      if (loads.size === 0) idle.unsafeOpen()
      return pump
    })

  /** Starts the cohorts whose turn it is. */
  const pump: Effect.Effect<void> = Effect.suspend(() =>
    Effect.forEach(
      loads.take(),
      (cohort) =>
        run(cohort).pipe(
          Effect.catchAll(failed(cohort)),
          Effect.catchAllCause(fault(cohort)),
          Effect.ensuring(ended(cohort)),
          Effect.forkIn(scope)
        ),
      { discard: true }
    )
  )

  /** Lets cohorts come up to the present when it is their turn. */
  const load = (cohorts: ReadonlyArray<Cohort>): Effect.Effect<void> =>
    Effect.suspend(() => {
      for (const cohort of cohorts) {
        cohort.isLive = false
        if (isWanted(cohort)) loads.add(cohort)
      }
      if (loads.size === 0) return Effect.void
      idle.unsafeClose()
      return pump
    })

  return { load, idle: idle.await }
})
