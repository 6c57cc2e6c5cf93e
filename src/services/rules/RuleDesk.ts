// The rules at work, and the one path on which closed candles make them raise alerts, wherever the candles come from.
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AccountId } from "../../domain/Account.ts"
import type { CandleSeries } from "../../domain/candles/CandleSeries.ts"
import { type Partition, partitions } from "../../domain/Partition.ts"
import type { SignalId } from "../../domain/Signal.ts"
import { breathe } from "../engine/Breath.ts"
import { Meters } from "../health/Meters.ts"
import type { Journal } from "../Journal.ts"
import type { Signals } from "../Signals.ts"
import type { ActiveRules } from "./ActiveRules.ts"
import { type CandleNews, type CandleSource, ClosedCandles } from "./ClosedCandles.ts"
import type { Cohort } from "./Cohort.ts"
import { FedCandles } from "./FedCandles.ts"
import * as Loading from "./Loading.ts"
import * as Raising from "./Raising.ts"
import { RuleBook } from "./RuleBook.ts"
import { type RuleStatus, RuleStatuses, type Standing, standingOf } from "./RuleStatus.ts"
import * as RuleSync from "./RuleSync.ts"
import type { RuleWitnesses } from "./RuleWitnesses.ts"
import * as Scheduling from "./Scheduling.ts"

/** Series that are looked at before others get a turn, and the pause after rules changed (ms). */
const SERIES_AT_A_TIME = 16
const PAUSE_MS = 250

/** Figures for measurements, as `RuleReading` says. */
export interface RuleFigures extends Raising.RaisingFigures, Standing {
  readonly rules: number
  readonly stopped: number
  readonly series: number
  readonly lagMs: number
  readonly corrected: number
}

const layerWith = (
  held: ReadonlySet<Partition>
): Layer.Layer<RuleDesk, never, ActiveRules | Journal | RuleWitnesses | Signals> =>
  Layer.scopedContext(
    Effect.map(
      Effect.suspend(() => make(held)),
      (desk) => Context.make(RuleDesk, desk).pipe(Context.add(RuleStatuses, { of: desk.status }))
    )
  )

/**
 * The rules at work. Alerts of a candle are in the journal before it is stored that the candle was looked at.
 */
export class RuleDesk extends Context.Tag("signalbox/services/rules/RuleDesk")<
  RuleDesk,
  {
    /** Looks at closed candles. Ends when all that they raised is on disk. */
    readonly take: (news: ReadonlyArray<CandleNews>) => Effect.Effect<void>
    /** Ends when no rule waits for past candles. */
    readonly settled: Effect.Effect<void>
    /** The series that rules look at, and a wait until they may have changed since that was read. */
    readonly series: Effect.Effect<ReadonlyArray<CandleSeries>>
    readonly changed: Effect.Effect<void>
    /** Takes in the rules that changed since the last call. */
    readonly sync: Effect.Effect<void>
    /** Has the rules of these partitions' accounts at work here, and no others. */
    readonly own: (held: ReadonlySet<Partition>) => Effect.Effect<void>
    /** What the rule of a signal is doing; none where it is not at work, or not the account's. */
    readonly status: (account: AccountId, signal: SignalId) => Option.Option<RuleStatus>
    /** Raises what schedules have due, or ends the waits of alerts that are over. Costs little where nothing is. */
    readonly schedules: Effect.Effect<void>
    readonly waits: Effect.Effect<void>
    /** Wait for as long as no rule at work has a schedule, and while no alert waits and no rule is a witness. */
    readonly hasSchedules: Effect.Effect<void>
    readonly hasWaits: Effect.Effect<void>
    readonly figures: () => RuleFigures
    /** Candles as the feed gives them to the engine; none where they come from exchanges. */
    readonly fed: Option.Option<FedCandles>
    readonly source: CandleSource
  }
>() {
  /** Begins with the rules of all accounts. */
  static readonly layer = layerWith(new Set(partitions))
  /** Begins with none: `own` gives it some. */
  static readonly layerShared = layerWith(new Set())
}

/** Makes what looks at closed candles. */
const looking = (
  book: RuleBook,
  { advance, instructed, raise }: Raising.Raising,
  load: (cohorts: ReadonlyArray<Cohort>) => Effect.Effect<void>
) => {
  const seen = { lagMs: 0, corrected: 0 }

  /** Looks at some news, stores the alerts, then how far the rules were looked at. */
  const lookAt = Effect.fnUntraced(function* (news: ReadonlyArray<CandleNews>) {
    const now = yield* Clock.currentTimeMillis
    const looked = news.map((one) => ({ ...book.look(one, now), series: one.series }))
    const cohorts = looked.flatMap((one) => one.cohorts)
    seen.corrected += news.filter(({ _tag }) => _tag === "Corrected").length
    const stored = Effect.zipRight(
      raise(looked.flatMap((one) => instructed(one.alerts, one))),
      advance(cohorts)
    )
    const again = yield* Effect.catchAllCause(Effect.as(stored, NO_COHORTS), lookAgain(cohorts))
    const closed = news.reduce((last, one) => (one._tag === "Closed" ? Math.max(last, one.until) : last), 0)
    if (closed > 0) seen.lagMs = Math.max(0, (yield* Clock.currentTimeMillis) - closed)
    return [...again, ...looked.flatMap(({ lacking }) => lacking)]
  })

  const take = Effect.fn("Rules.take")(function* (news: ReadonlyArray<CandleNews>) {
    const lacking: Array<Cohort> = []
    for (let from = 0; from < news.length; from += SERIES_AT_A_TIME) {
      lacking.push(...(yield* lookAt(news.slice(from, from + SERIES_AT_A_TIME))))
      if (news.length > SERIES_AT_A_TIME) yield* breathe
    }
    if (lacking.length > 0) yield* load(lacking)
  })
  return { seen, take }
}

const NO_COHORTS: ReadonlyArray<Cohort> = []

/** What could not be stored is looked at once more: the cohorts begin anew from where they are stored. */
const lookAgain = (cohorts: ReadonlyArray<Cohort>) => (cause: Cause.Cause<never>) => {
  if (Cause.isInterruptedOnly(cause)) return Effect.failCause(cause)
  for (const cohort of cohorts) cohort.known = undefined
  return Effect.as(
    Effect.logError("what rules raised could not be stored, and their candles are looked at again", cause),
    cohorts
  )
}

/** Makes what the clock brings about, and the waits, without a timer, for as long as no rule has need of it. */
const timing = Effect.fnUntraced(function* (book: RuleBook, raising: Raising.Raising) {
  const scheduled = yield* Effect.makeLatch(true)
  const awaited = yield* Effect.makeLatch(true)
  const set = (latch: Effect.Latch, isOpen: boolean) => (isOpen ? latch.open : latch.close)
  /** Call it when rules have changed. */
  const update = Effect.suspend(() => {
    const rules = Array.from(book.rules(), ({ rule }) => rule)
    const hasWitness = rules.some(({ witness }) => witness !== undefined)
    return Effect.zipRight(
      set(
        scheduled,
        rules.some(({ schedule }) => schedule.length > 0)
      ),
      set(awaited, hasWitness || raising.isWaiting())
    )
  })
  return {
    update,
    schedules: Scheduling.make(book, raising),
    waits: Effect.zipRight(raising.waits, update),
    hasSchedules: scheduled.await,
    hasWaits: awaited.await
  }
})

const make = Effect.fnUntraced(function* (held: ReadonlySet<Partition>) {
  const clock = yield* Effect.clock
  const streamed = yield* ClosedCandles
  const fed = new FedCandles()
  const source = Option.getOrElse(streamed, () => fed.source)
  const book = new RuleBook()
  const raising = yield* Raising.make(book)
  const { idle, load } = yield* Loading.make(book, source, raising)
  const rules = yield* RuleSync.make({ book, source, load, held })
  const { changed, series, seriesChanged, status, stopped, sync } = rules
  const { seen, take } = looking(book, raising, load)

  const { hasSchedules, hasWaits, schedules, update, waits } = yield* timing(book, raising)
  yield* Effect.zipRight(sync, update)
  const once = Effect.zipRight(Effect.zipRight(changed, sync), update).pipe(
    Effect.catchAllCause((cause) =>
      Cause.isInterruptedOnly(cause)
        ? Effect.failCause(cause)
        : Effect.logError("rules that changed could not be read, and are read again", cause)
    )
  )
  yield* Effect.forkScoped(Effect.forever(Effect.zipRight(once, Effect.sleep(PAUSE_MS))))
  const own = (held: ReadonlySet<Partition>) =>
    Effect.zipRight(rules.own(held), Effect.zipRight(raising.findWaits, update))
  const figures = (): RuleFigures => ({
    ...raising.figures(),
    ...standingOf(book, clock.unsafeCurrentTimeMillis()),
    ...seen,
    rules: Array.from(book.rules()).length,
    stopped: stopped(),
    series: Array.from(book.series()).length
  })
  const meters = yield* Meters
  meters.rules.reading = figures
  return RuleDesk.of({
    take,
    schedules,
    waits,
    hasSchedules,
    hasWaits,
    sync,
    own,
    settled: idle,
    series,
    changed: seriesChanged,
    status,
    figures,
    fed: Option.isSome(streamed) ? Option.none() : Option.some(fed),
    source
  })
})
