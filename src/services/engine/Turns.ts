// The engine's turns: everything that may let a bot decide runs in one, one at a time. Whatever looks for work at a
// steady pace rests until a turn may have made some.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Meters } from "../health/Meters.ts"
import * as ChangeSignal from "../records/ChangeSignal.ts"
import type { EngineState } from "./EngineState.ts"
import * as Observer from "./store/Observer.ts"
import * as TurnQueue from "./TurnQueue.ts"

/** Runs an effect while no other uses the engine; inside, bots may decide. */
export type Turn = <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** The turns, and the pace of those that look for work. */
export interface Turns {
  /** A turn of a loop. */
  readonly turn: Turn
  /** A turn that somebody waits for: it does not wait for all the loops. */
  readonly awaitedTurn: Turn
  /** A turn for prices and late answers to orders: it does not wait for all the loops either. */
  readonly urgentTurn: Turn
  /** A turn of a loop that makes no work for others: it wakes nobody. */
  readonly quietTurn: Turn
  /** A turn for partitions that come: it goes before all others, because nobody runs their bots meanwhile. */
  readonly movingTurn: Turn
  /**
   * The same for partitions that go, and for a stop: it reads no halts, and so needs no database where nothing is left to
   * store. A bot decides in it only about what waited for an order of the last commit.
   */
  readonly storingTurn: Turn
  /**
   * Looks, and ends at the next multiple of `everyMs` since then at which there may be something to find: a look that
   * returns true left some, else there is none before the next `turn`. Make it once, and run it again and again.
   */
  readonly every: (everyMs: number, look: Effect.Effect<boolean>) => Effect.Effect<void>
}

/** Makes the turns: each comes after everything decided before it is stored, and under the halts in force. */
export const make = Effect.fnUntraced(function* (
  engineState: Pick<EngineState, "applyHalts" | "breath" | "cursor" | "orders" | "roster" | "settle">
) {
  const { breath, applyHalts, settle } = engineState
  const { engine: meter } = yield* Meters
  const queue = TurnQueue.make()
  const bells: Array<ChangeSignal.Changes> = []
  meter.reading = () =>
    Observer.read(engineState.roster.all(), engineState.cursor(), engineState.orders.unknown)
  const before = Effect.suspend(() => {
    meter.turns++
    return Effect.zipRight(breath.begin, settle())
  })
  const ring = Effect.sync(() => {
    for (const bell of bells) bell.changed()
  })
  const within =
    (inTurn: Turn): Turn =>
    (self) =>
      inTurn(Effect.ensuring(Effect.zipRight(before, self), breath.end))
  const storingTurn = within(queue.first)
  const underHalts =
    (inTurn: Turn): Turn =>
    (self) =>
      inTurn(Effect.zipRight(applyHalts, self))
  const waking =
    (inTurn: Turn): Turn =>
    (self) =>
      Effect.ensuring(inTurn(self), ring)
  const quietTurn = underHalts(within(queue.steady))
  const turn = waking(quietTurn)
  const urgentTurn = waking(underHalts(within(queue.urgent)))
  const awaitedTurn = waking(underHalts(within(queue.awaited)))
  const movingTurn = waking(underHalts(storingTurn))

  const every: Turns["every"] = (everyMs, look) => {
    const bell = ChangeSignal.ofChanges()
    bells.push(bell)
    return Effect.gen(function* () {
      const from = yield* Clock.currentTimeMillis
      bell.reading()
      if (!(yield* look)) yield* bell.rings
      const passed = (yield* Clock.currentTimeMillis) - from
      yield* Effect.sleep(everyMs - Math.max(0, passed % everyMs))
    })
  }
  return { turn, awaitedTurn, urgentTurn, movingTurn, quietTurn, storingTurn, every } satisfies Turns
})
