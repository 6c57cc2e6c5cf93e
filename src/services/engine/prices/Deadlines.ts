// Time as an event: gives up held alerts and lets rules act when their deadline has passed, even while no price comes.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { ContextFor } from "../decide/Context.ts"
import type { Engine } from "../Engine.ts"
import type { EngineState } from "../EngineState.ts"
import type { BotEntry } from "../Roster.ts"
import type { Turn } from "../Turns.ts"

/** The shortest and the longest pause between two looks at the deadlines (ms). */
const TICK_MS = 100
const MOST_MS = 1000

/** Bots handled in one turn; the rest wait for their account's turn. */
const SLICE_BOTS = 256

/** Gives up what the bot held too long, then gives it the time as an event. */
export const timeIsUp = ({ adoption, held }: Engine, bot: BotEntry, contextFor: ContextFor): void => {
  const context = contextFor(bot)
  held.expire(bot, context)
  adoption.handle(bot, { _tag: "Time" }, context)
}

/** One look at all deadlines, then a pause until the next one may be due. */
export const make = (engineState: EngineState, turn: Turn) => {
  /** Looks at every bot, and acts only on those whose deadline has passed. */
  const followTime = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const due: Array<BotEntry> = []
    for (const bot of engineState.roster.all()) if (bot.wakesAt <= now) due.push(bot)
    if (due.length === 0) return
    const contextFor = yield* engineState.present
    for (const [place, bot] of due.entries()) {
      if (place >= SLICE_BOTS || engineState.backlog.isBehind(bot.strategy))
        engineState.backlog.defer(bot.strategy)
      else engineState.engine.faults.attempt(bot, () => timeIsUp(engineState.engine, bot, contextFor))
    }
    yield* engineState.settle()
  })

  /** Sleeps until the next deadline, but not so long that a new one is missed. */
  const rest = Effect.gen(function* () {
    let next = Number.POSITIVE_INFINITY
    for (const { wakesAt } of engineState.roster.all()) next = Math.min(next, wakesAt)
    const left = next - (yield* Clock.currentTimeMillis)
    yield* Effect.sleep(Math.max(TICK_MS, Math.min(left, MOST_MS)))
  })

  return Effect.zipRight(turn(followTime), rest)
}
