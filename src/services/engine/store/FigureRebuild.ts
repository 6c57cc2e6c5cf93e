// Folds an embedder's figures anew at the start: over the stored trades of every bot whose figures are new, changed, or
// lack trades because an earlier run did without them or a figure failed. The result is stored with the bot. A bot
// whose trades cannot be read or folded keeps what it has: no figure stops a start.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { NOTHING } from "../../../trading/Decision.ts"
import type { Rebuilding } from "../../../trading/OwnFigures.ts"
import { Performance } from "../../Performance.ts"
import { Trades } from "../../records/Trades.ts"
import { stepOf } from "../decide/Steps.ts"
import type { EngineState } from "../EngineState.ts"
import type { BotEntry } from "../Roster.ts"

/** Trades of a bot that are read at a time. */
const TRADES_AT_A_TIME = 1000

/** Makes the rebuilding of what has to be, bot by bot; most starts have nothing to do. */
export const make = Effect.fnUntraced(function* ({ engine, settle }: Pick<EngineState, "engine" | "settle">) {
  const { rebuilding } = yield* Performance
  const trades = yield* Trades

  /** Takes the trades of the bot's present period, oldest first. */
  const taken = Effect.fnUntraced(function* ({ record, strategy }: BotEntry, rebuild: Rebuilding) {
    const { period = 1 } = record.state
    for (let after = 0, isMore = true; isMore; ) {
      const rows = yield* trades.after(strategy.id, after, TRADES_AT_A_TIME)
      for (const { trade } of rows) if ((trade.period ?? 1) === period) rebuild.add(trade)
      after = rows.at(-1)?.id ?? after
      isMore = rows.length === TRADES_AT_A_TIME
    }
    return rebuild.tally()
  })

  const rebuildOf = Effect.fnUntraced(function* (bot: BotEntry) {
    const rebuild = rebuilding?.(bot.record.tally)
    return rebuild === undefined ? bot.record.tally : yield* taken(bot, rebuild)
  })
  return Effect.fnUntraced(function* (bots: ReadonlyArray<BotEntry>) {
    if (rebuilding === undefined) return
    const now = yield* Clock.currentTimeMillis
    for (const bot of bots) {
      const tally = yield* Effect.catchAllCause(rebuildOf(bot), (cause) =>
        Effect.as(
          Effect.logError(`own figures of strategy ${bot.strategy.id} could not be rebuilt`, cause),
          bot.record.tally
        )
      )
      if (tally === bot.record.tally) continue
      bot.record = { ...bot.record, tally, step: bot.record.step + 1 }
      engine.outbox.push(stepOf(bot, NOTHING, now, {}))
      if (engine.outbox.isFull) yield* settle()
    }
  })
})
