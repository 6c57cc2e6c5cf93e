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
 * Hands out each batch of prices, and after a failure those of it that were not taken in. Bots do not act on prices that are
 * too old by then.
 */
const keeping = Effect.gen(function* () {
  const tickers = yield* Tickers
  const { engine: meter } = yield* Meters
  let left = NOTHING
  /** The value of `left` when bots last began to look at its prices. */
  let tried = NOTHING
  const arrived = Effect.map(tickers.next, (events) => {
    meter.prices += events.length
    left = { events, from: 0 }
    return left
  })
  return {
    next: Effect.suspend(() => (left === NOTHING ? arrived : Effect.succeed(left))),
    trying: Effect.sync(() => {
      tried = left
    }),
    /** All before this place are taken in; returns the others. */
    takenTo: (from: number) =>
      Effect.sync(() => {
        left = from < left.events.length ? { ...left, from } : NOTHING
        return left
      }),
    /** After a fault of ours that these prices have met: drops them, since they would meet it each time. */
    failed: (cause: Cause.Cause<never>) =>
      Effect.sync(() => {
        if (!isAway(cause) && left === tried) left = NOTHING
      })
  }
})

type Keeping = Effect.Effect.Success<typeof keeping>

/** Makes what takes in quotes, a slice in each turn. */
const quoted = (
  { backlog }: Pick<EngineState, "backlog">,
  { judging, pricing, turn }: Parts,
  { takenTo, trying }: Pick<Keeping, "takenTo" | "trying">
) => {
  const slice = (events: ReadonlyArray<PriceEvent>, place: number, also?: Effect.Effect<unknown>) =>
    Effect.zipRight(trying, Effect.flatMap(pricing.some(events, place, also), takenTo))
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
   * price does not wait for their commit: bots with alerts look at it later, at their account's turn. Returns what is left, and
   * the fault that the alerts have met: no price waits for its end.
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
      const left = yield* slice(events, from, isLong ? some : Effect.void)
      return { left, fault: Exit.zipRight(read, judged) }
    })
  const others = (left: Left) =>
    Effect.iterate(left, {
      while: ({ events, from }) => from < events.length,
      body: ({ events, from }) => turn(slice(events, from))
    })
  return (all: Left) =>
    Effect.flatMap(turn(first(all)), ({ fault, left }) => Effect.zipRight(others(left), fault))
}

/** Makes the effect that waits for prices and takes them in. After a failure, the next run begins with those that are left. */
export const make = Effect.fnUntraced(function* (engineState: Pick<EngineState, "backlog">, parts: Parts) {
  const { judging, pricing, turn } = parts
  const journal = yield* Journal
  const { failed, next, takenTo, trying } = yield* keeping
  const quotes = quoted(engineState, parts, { takenTo, trying })
  /**
   * Takes in candles in one turn. Alerts dated before a candle are judged before it, including those still on their way to the
   * disk. The whole batch counts as taken in before its first candle is walked: after a failure none is walked twice, and the
   * others are lost.
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
