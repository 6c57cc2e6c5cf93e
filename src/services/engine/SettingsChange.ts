// Hands edited settings to the running bot, between two alerts. Open positions follow them at once (`adopt` in
// `trading/Bot`).
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Strategy } from "../../domain/Strategy.ts"
import type { EngineState } from "./EngineState.ts"

/** Makes the change; run it in a turn. A new strategy has no bot yet. */
export const make = ({ engine, present, roster }: EngineState) =>
  Effect.fnUntraced(function* (strategy: Strategy) {
    const bot = Option.getOrUndefined(roster.get(strategy.id))
    if (bot === undefined) return
    bot.strategy = strategy
    roster.reindex(bot)
    const now = yield* Clock.currentTimeMillis
    if (bot.record.state.quote !== strategy.settings.quote) engine.periods.restart(bot, now)
    const context = (yield* present)(bot)
    engine.faults.attempt(bot, () => {
      engine.aside.readmit(bot, context)
      engine.adoption.handle(bot, { _tag: "SettingsChanged" }, context)
      engine.held.retry(bot, context)
    })
  })
