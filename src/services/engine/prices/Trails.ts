// The trails that prices have moved since their bots were last stored.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { NOTHING } from "../../../trading/Decision.ts"
import { stepOf } from "../decide/Steps.ts"
import type { EngineState } from "../EngineState.ts"
import type { Turns } from "../Turns.ts"

/** The most bots that one turn stores because their trails moved. */
const MAX_SAVED = 128

export type Trails = ReturnType<typeof make>

/** Makes the two that store all moved trails: `save` within a turn, and `saveInTurns` with turns of its own. */
export const make = (
  { breath, engine, roster, settle }: EngineState,
  { quietTurn }: Pick<Turns, "quietTurn">
) => {
  /** Puts steps of moved trails into the outbox, at a time (ms); true when none is left. */
  const put = (now: number): boolean => {
    let left = MAX_SAVED
    for (const bot of roster.all()) {
      roster.advanceTrails(bot)
      if (!bot.moved) continue
      if (left-- === 0) return false
      bot.moved = false
      bot.record = { ...bot.record, step: bot.record.step + 1 }
      engine.outbox.push(stepOf(bot, NOTHING, now, {}))
    }
    return true
  }

  /** Stores some of the moved trails, and the cursors once all of them are stored. */
  const some = Effect.gen(function* () {
    const isAll = put(yield* Clock.currentTimeMillis)
    yield* settle(undefined, isAll)
    return isAll
  })
  return {
    save: Effect.repeat(some, { until: (isAll) => isAll }),
    saveInTurns: Effect.repeat(Effect.zipLeft(quietTurn(some), breath.rest), { until: (isAll) => isAll })
  }
}
