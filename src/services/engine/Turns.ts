// The engine's turns: everything that may let a bot decide runs in one, one at a time.
import * as Effect from "effect/Effect"
import { Meters } from "../health/Meters.ts"
import type { EngineState } from "./EngineState.ts"
import * as Observer from "./store/Observer.ts"

/** Runs an effect while no other uses the engine; inside, bots may decide. */
export type Turn = <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Makes the turns: each comes after everything decided before it is stored, and under the halts in force. */
export const make = Effect.fnUntraced(function* (engineState: EngineState) {
  const { breath, applyHalts, settle } = engineState
  const { engine: meter } = yield* Meters
  const semaphore = yield* Effect.makeSemaphore(1)
  meter.reading = () =>
    Observer.read(engineState.roster.all(), engineState.cursor(), engineState.orders.unknown)
  const before = Effect.suspend(() => {
    meter.turns++
    return Effect.zipRight(Effect.zipRight(breath.begin, settle()), applyHalts)
  })
  const turn: Turn = (self) =>
    semaphore.withPermits(1)(Effect.ensuring(Effect.zipRight(before, self), breath.end))
  return turn
})
