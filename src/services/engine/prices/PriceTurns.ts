// The turns in which prices are taken in: quotes in slices with a turn each, of which the first also reads the alerts before
// them, and candles in one turn after all alerts that are dated before them.
import type * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { Meters } from "../../health/Meters.ts"
import { Journal } from "../../Journal.ts"
import { isAway } from "../../records/StorageUnavailable.ts"
import { type PriceEvent, Tickers } from "../../Tickers.ts"
import type { AlertJudging } from "../alerts/AlertJudging.ts"
import type { EngineState } from "../EngineState.ts"
import type { Turn } from "../Turns.ts"
import type { Pricing } from "./Pricing.ts"

/** The most tasks that a price waits for, in how many slices, and how long (ms). An order of a bot ends a slice. */
const FEW_TASKS = 32
const FEW_SLICES = 3
const FEW_MS = 30

interface Parts {
  readonly pricing: Pricing
  readonly judging: AlertJudging
  readonly turn: Turn
}

/** Prices, and the place of the first that is not taken in. */
interface Left {
  readonly events: ReadonlyArray<PriceEvent>
  readonly from: number
}
const NOTHING: Left = { events: [], from: 0 }

/**
 * Hands out prices as they come, and again what was not taken in because something failed in between. Bots act on none that
 * is too old by then.
 */
const keeping = Effect.gen(function* () {
  const tickers = yield* Tickers
  const { engine: meter } = yield* Meters
  let left = NOTHING
  /** What was handed out last. */
  let given = NOTHING
  const arrived = Effect.map(tickers.next, (events) => {
    meter.prices += events.length
    left = { events, from: 0 }
    return left
  })
  return {
    next: Effect.map(
      Effect.suspend(() => (left === NOTHING ? arrived : Effect.succeed(left))),
      (handed) => {
        given = handed
        return handed
      }
    ),
    /** All before this place are taken in; returns the others. */
    takenTo: (from: number) =>
      Effect.sync(() => {
        left = from < left.events.length ? { ...left, from } : NOTHING
        return left
      }),
    /** Where the database was there and none was taken in, they have met a fault of ours, and would for ever. */
    failed: (cause: Cause.Cause<never>) =>
      Effect.sync(() => {
        if (!isAway(cause) && left === given) left = NOTHING
      })
  }
})

type TakenTo = Effect.Effect.Success<typeof keeping>["takenTo"]

/** Makes what takes in quotes, a slice in each turn. */
const quoted = (
  { backlog }: Pick<EngineState, "backlog">,
  { judging, pricing, turn }: Parts,
  takenTo: TakenTo
) => {
  const areMany = () => backlog.size > FEW_TASKS
  const few = Effect.flatMap(Clock.currentTimeMillis, (from) =>
    Effect.repeat(judging.turn, {
      until: ({ isMore }) =>
        Effect.map(Clock.currentTimeMillis, (now) => !isMore || areMany() || now - from >= FEW_MS),
      times: FEW_SLICES - 1
    })
  )
  /**
   * Takes in the first slice. A bot looks at a price after the alerts that came before it. Where many alerts are left, the
   * price does not wait for their commit: bots with alerts look at it later, at their account's turn. A fault of the alerts is
   * raised after the prices are stored.
   */
  const first = ({ events, from }: Left) =>
    Effect.gen(function* () {
      const isLong = areMany()
      const read = yield* Effect.exit(isLong ? Effect.asVoid(judging.read()) : Effect.asVoid(few))
      if (Exit.isFailure(read) && isAway(read.cause)) return yield* Effect.failCause(read.cause)
      let judged: Exit.Exit<unknown> = Exit.void
      const some = Effect.map(Effect.exit(judging.some), (exit) => {
        judged = exit
      })
      const decided = pricing.some(events, from, isLong ? some : Effect.void)
      const left = yield* Effect.flatMap(decided, takenTo)
      yield* read
      yield* judged
      return left
    })
  const others = ({ events, from }: Left) =>
    Effect.iterate(from, {
      while: (place) => place < events.length,
      body: (place) => turn(Effect.tap(pricing.some(events, place), takenTo))
    })
  return (left: Left) => Effect.flatMap(turn(first(left)), others)
}

/** Makes the effect that waits for prices and takes them in. After a failure, the next run begins with those that are left. */
export const make = Effect.fnUntraced(function* (
  engineState: Pick<EngineState, "backlog">,
  { judging, pricing, turn }: Parts
) {
  const journal = yield* Journal
  const { failed, next, takenTo } = yield* keeping
  const quotes = quoted(engineState, { judging, pricing, turn }, takenTo)
  /**
   * Takes in candles in one turn. Alerts dated before a candle are judged before it, including those still on their way to the
   * disk. From its first candle on the batch counts as taken in: none is walked twice.
   */
  const candles = ({ events, from }: Left) =>
    turn(
      Effect.gen(function* () {
        yield* journal.settled
        yield* judging.drain
        yield* takenTo(events.length)
        for (let place = from; place < events.length; ) place = yield* pricing.some(events, place)
      })
    )
  return Effect.flatMap(
    next,
    (left): Effect.Effect<unknown> =>
      left.events.some(({ _tag }) => _tag === "Barred") ? candles(left) : quotes(left)
  ).pipe(Effect.tapErrorCause(failed))
})
