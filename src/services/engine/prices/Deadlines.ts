import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { ContextFor } from "../Context.ts"
import type { EngineState } from "../EngineState.ts"
import type { BotEntry } from "../Roster.ts"
import type { Turn } from "../Start.ts"

/** How soon after a deadline it is seen, and the longest until the next look (ms). */
const TICK_MS = 100
const MOST_MS = 1000

/** Bots that one turn of the time may ask: others wait for their account's turn. */
const SLICE_BOTS = 256

/** Gives up what a bot waited for too long, and tells it the time. */
export const timeIsUp = (engineState: EngineState, bot: BotEntry, contextFor: ContextFor): void => {
  const context = contextFor(bot)
  engineState.engine.expire(bot, context)
  engineState.engine.tell(bot, { _tag: "Time" }, context)
}

/** Looks once at what the time alone makes of bots, and rests until it may make something again. */
export const make = (engineState: EngineState, turn: Turn) => {
  /** Waits that are over, and deadlines of rules. Looks at every bot, and asks only those whose time has come. */
  const followTime = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const due: Array<BotEntry> = []
    for (const bot of engineState.roster.all()) if (bot.wakesAt <= now) due.push(bot)
    if (due.length === 0) return
    const contextFor = yield* engineState.present
    for (const [place, bot] of due.entries()) {
      if (place >= SLICE_BOTS || engineState.backlog.isBehind(bot.strategy))
        engineState.backlog.defer(bot.strategy)
      else engineState.engine.safely(bot, () => timeIsUp(engineState, bot, contextFor))
    }
    yield* engineState.settle()
  })

  /** Until the next deadline, or to where a new one may have come up. */
  const rest = Effect.gen(function* () {
    let next = Number.POSITIVE_INFINITY
    for (const { wakesAt } of engineState.roster.all()) next = Math.min(next, wakesAt)
    const left = next - (yield* Clock.currentTimeMillis)
    yield* Effect.sleep(Math.max(TICK_MS, Math.min(left, MOST_MS)))
  })

  return Effect.zipRight(turn(followTime), rest)
}
