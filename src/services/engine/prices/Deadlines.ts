// Time as an event: gives up held alerts and lets rules act when their deadline has passed, even while no price comes.
// Without a deadline there is no timer: a bot that gets one wakes the loop.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { until } from "../../internal/Waiting.ts"
import type { ContextFor } from "../decide/Context.ts"
import type { Engine } from "../Engine.ts"
import type { EngineState } from "../EngineState.ts"
import type { BotEntry } from "../Roster.ts"
import type { Turn } from "../Turns.ts"

/** The pause after a look that found a deadline passed (ms): some bots may have to wait for their account's turn. */
const TICK_MS = 100
/** How soon a new bot is looked at (ms): its deadlines may have passed unseen, and many new bots share a look. */
const NEW_MS = 1000

/** Bots handled in one turn; the rest wait for their account's turn. */
const SLICE_BOTS = 256

/** Gives up what the bot held too long, then gives it the time as an event. */
export const timeIsUp = ({ adoption, held }: Engine, bot: BotEntry, contextFor: ContextFor): void => {
  const context = contextFor(bot)
  held.expire(bot, context)
  adoption.handle(bot, { _tag: "Time" }, context)
}

/** One look at all deadlines, then a wait for the next one. `read` reads the alerts that are on disk. */
export const make = (engineState: EngineState, read: Effect.Effect<unknown>, turn: Turn) => {
  /** Looks at every bot, and acts only on those whose deadline has passed; false where there was none. */
  const followTime = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const due: Array<BotEntry> = []
    for (const bot of engineState.roster.all()) if (bot.wakesAt <= now) due.push(bot)
    if (due.length === 0) return false
    // An alert that was answered in time is on disk by now: read it before its bot gives up waiting for it.
    yield* read
    const contextFor = yield* engineState.present
    for (const [place, bot] of due.entries()) {
      if (place >= SLICE_BOTS || engineState.backlog.isBehind(bot.strategy))
        engineState.backlog.defer(bot.strategy)
      else engineState.engine.faults.attempt(bot, () => timeIsUp(engineState.engine, bot, contextFor))
    }
    yield* engineState.settle()
    return true
  })

  /** Sleeps until the next deadline. A bot with a sooner one wakes the sleeper, which then sleeps until that. */
  const rest = Effect.gen(function* () {
    for (let last = 0; ; ) {
      const next = engineState.roster.soonest()
      const now = yield* Clock.currentTimeMillis
      // A pause that counts no clock: the machine's may be set back meanwhile, and a replay's stands still at its end.
      if (next <= now) return yield* Effect.sleep(Math.max(0, Math.min(last - now, NEW_MS)))
      last = next
      yield* Effect.raceFirst(engineState.roster.sooner, until(next))
    }
  })

  return Effect.flatMap(turn(followTime), (wasDue) =>
    wasDue ? Effect.zipRight(Effect.sleep(TICK_MS), rest) : rest
  )
}
