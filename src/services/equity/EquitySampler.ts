// Takes a sample of every bot's equity each minute of the server's clock, and stores those of a minute together. It
// only reads the bots. A sample that cannot be stored is lost, and nothing else happens. A strategy whose stored equity
// cannot be read is left out, which is said once, and the others go on.
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Decimal from "../../domain/Decimal.ts"
import type { OwnedStrategy } from "../../domain/Strategy.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import * as EquityFold from "../../trading/equity/EquityFold.ts"
import * as Tracking from "../../trading/equity/Tracking.ts"
import { Bots } from "../Bots.ts"
import { breathe } from "../engine/Breath.ts"
import type { BotSnapshot } from "../engine/prices/BotSnapshots.ts"
import { isAway } from "../records/StorageUnavailable.ts"
import { EquityHistory, type Sampled } from "./EquityHistory.ts"
import { beginningWith } from "./StrategyFigures.ts"

const MINUTE_MS = 60_000
/** The longest time without a sample of a bot that has nothing open and whose equity does not move (ms). */
const IDLE_MS = 60 * MINUTE_MS
/** The longest and the shortest pause between two looks at the clock (ms). */
const LOOK_MS = 1000
const LEAST_PAUSE_MS = 20
/** Bots that are read without a pause. */
const BOTS_AT_A_TIME = 100
/** Calls of `thin` a minute. */
const MAX_THINNINGS = 20

const minuteOf = (at: number): number => Math.floor(at / MINUTE_MS)

/** What is known of a bot: the last stored sample, and the minutes since then in which nothing moved. */
interface Known {
  readonly tracked: Tracking.Tracked | undefined
  readonly idle: { readonly minutes: number; readonly at: number } | undefined
}

/** Loads the last stored samples into `known`, and leaves out strategies of which they cannot be read. */
const loading = (history: typeof EquityHistory.Service, known: Map<StrategyId, Known>) => {
  const leftOut = new Set<StrategyId>()

  const loadTogether = Effect.fnUntraced(function* (ids: ReadonlyArray<StrategyId>) {
    const latest = yield* history.latest(ids)
    for (const id of ids) known.set(id, { tracked: latest.get(id), idle: undefined })
  })

  /** Leaves a strategy out for as long as this runs. */
  const leaveOut = (id: StrategyId, cause: Cause.Cause<never>) => {
    leftOut.add(id)
    return Effect.logWarning(
      `the equity of strategy ${id} is not sampled until the next start: what is stored of it cannot be read`,
      cause
    )
  }

  const load = Effect.fnUntraced(function* (ids: ReadonlyArray<StrategyId>) {
    const unknown = ids.filter((id) => !known.has(id))
    if (unknown.length === 0) return
    const oneByOne = Effect.forEach(
      unknown,
      (id) =>
        Effect.catchSomeCause(
          loadTogether([id]),
          onDamage((cause) => leaveOut(id, cause))
        ),
      { discard: true }
    )
    yield* Effect.catchSomeCause(
      loadTogether(unknown),
      onDamage(() => oneByOne)
    )
  })
  return { leftOut, load }
}

/** Makes the sampler; `sample` is one turn. It keeps the last sample of each bot in memory. */
export const make = Effect.gen(function* () {
  const bots = yield* Bots
  const history = yield* EquityHistory
  const known = new Map<StrategyId, Known>()
  const { leftOut, load } = loading(history, known)
  let isFailing = false

  /** The samples of some bots that have to be stored. */
  const read = Effect.fnUntraced(function* (some: ReadonlyArray<OwnedStrategy>) {
    const sound = some.filter(({ id }) => !leftOut.has(id))
    yield* load(sound.map(({ id }) => id))
    const now = yield* Clock.currentTimeMillis
    const samples: Array<Sampled> = []
    for (const [strategy, standing] of yield* bots.standings(sound.filter(({ id }) => known.has(id)))) {
      const before = known.get(strategy) ?? { tracked: undefined, idle: undefined }
      if (isUnmoved(before, standing, now)) known.set(strategy, { ...before, idle: idler(before, now) })
      else samples.push({ strategy, tracked: sampled(before, standing, now) })
    }
    return samples
  })

  const turn = Effect.gen(function* () {
    const started = yield* bots.started
    const present = new Set(started.map(({ id }) => id))
    for (const ids of [known, leftOut]) for (const id of ids.keys()) if (!present.has(id)) ids.delete(id)
    const samples: Array<Sampled> = []
    for (let first = 0; first < started.length; first += BOTS_AT_A_TIME) {
      samples.push(...(yield* read(started.slice(first, first + BOTS_AT_A_TIME))))
      yield* breathe
    }
    if (samples.length > 0) yield* history.store(samples)
    for (const { strategy, tracked } of samples) known.set(strategy, { tracked, idle: undefined })
    const now = yield* Clock.currentTimeMillis
    for (let round = 0; round < MAX_THINNINGS && (yield* history.thin(now)); round++) yield* breathe
    isFailing = false
  })

  const lost = (cause: Cause.Cause<never>) => {
    if (Cause.isInterruptedOnly(cause)) return Effect.failCause(cause)
    const isNew = !isFailing
    isFailing = true
    return isNew
      ? Effect.logWarning("samples of equity are lost: they cannot be stored now", cause)
      : Effect.void
  }
  return { sample: Effect.catchAllCause(turn, lost) }
})

/**
 * Runs the effect in each minute of the clock. In a replay the clock runs faster than pauses do: how much faster the
 * last pause tells.
 */
const everyMinute = (sample: Effect.Effect<void>) =>
  Effect.gen(function* () {
    let minute = minuteOf(yield* Clock.currentTimeMillis)
    let speed = 1
    while (true) {
      const before = yield* Clock.currentTimeMillis
      const rest = MINUTE_MS - (before - minuteOf(before) * MINUTE_MS)
      const pause = Math.max(Math.min(rest / speed, LOOK_MS), LEAST_PAUSE_MS)
      yield* Effect.sleep(pause)
      const now = yield* Clock.currentTimeMillis
      speed = Math.max((now - before) / pause, 1)
      // A clock that was set back is in another minute too.
      if (minuteOf(now) === minute) continue
      minute = minuteOf(now)
      yield* sample
    }
  })

/** Samples for as long as the layer lives. */
export const layer = Layer.scopedDiscard(
  Effect.flatMap(make, ({ sample }) => Effect.forkScoped(everyMinute(sample)))
)

/** What to do where stored rows cannot be read. Storage that fails as a whole concerns all strategies, and may pass. */
const onDamage =
  (handle: (cause: Cause.Cause<never>) => Effect.Effect<void>) =>
  (cause: Cause.Cause<never>): Option.Option<Effect.Effect<void>> => {
    return isAway(cause) || Cause.isInterrupted(cause) ? Option.none() : Option.some(handle(cause))
  }

/** Whether a bot has nothing open and is worth what it was at the last sample, which is less than an hour old. */
const isUnmoved = ({ tracked }: Known, standing: BotSnapshot, now: number): boolean =>
  tracked !== undefined &&
  Tracking.isOf(tracked, beginningWith(standing)) &&
  Object.keys(standing.slots).length === 0 &&
  Decimal.toNumber(standing.equity) === tracked.state.equity &&
  now >= tracked.state.at &&
  now - tracked.state.at < IDLE_MS

const idler = ({ idle, tracked }: Known, now: number): NonNullable<Known["idle"]> => {
  const before = idle?.at ?? tracked?.state.at ?? now
  const minutes = idle?.minutes ?? 0
  return { minutes: minutes + (minuteOf(now) > minuteOf(before) ? 1 : 0), at: Math.max(now, before) }
}

/** The bot after a sample at this time (ms). The minutes in which nothing moved come first, as one sample of theirs. */
const sampled = (before: Known, standing: BotSnapshot, now: number): Tracking.Tracked => {
  const beginning = beginningWith(standing)
  const isSame = before.tracked !== undefined && Tracking.isOf(before.tracked, beginning)
  const tracked = isSame ? withIdle(before) : undefined
  const isNewMinute = tracked === undefined || minuteOf(now) > minuteOf(tracked.state.at)
  const isFirst = tracked === undefined || tracked.state.samples === 0
  return Tracking.sampled(tracked, {
    beginning,
    prices: standing.pairPrices(),
    sample: { at: now, ...openOf(standing), weight: isNewMinute || isFirst ? 1 : 0 }
  })
}

const withIdle = ({ idle, tracked }: Known): Tracking.Tracked | undefined => {
  if (idle === undefined || tracked === undefined) return tracked
  const { equity } = tracked.state
  const sample = { at: idle.at, equity, notional: 0, isHeld: false, weight: idle.minutes }
  return { ...tracked, state: EquityFold.add(tracked.state, sample) }
}

/** The equity, and the worth of positions; one without a price counts at its cost without fees. */
const openOf = ({
  equity,
  holdings
}: BotSnapshot): Pick<EquityFold.Sample, "equity" | "notional" | "isHeld"> => {
  let notional = 0
  for (const { average, closing, quantity } of holdings)
    notional += Decimal.approximate(quantity) * (closing?.price ?? average)
  return { equity: Decimal.toNumber(equity), notional, isHeld: holdings.length > 0 }
}
