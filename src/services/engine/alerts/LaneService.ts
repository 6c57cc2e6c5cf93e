// Serves the lanes: lets bots judge the alerts of a lane, and look at prices once they have judged all of theirs.
import * as Option from "effect/Option"
import type { MarketId } from "../../../domain/Market.ts"
import type { StrategyId } from "../../../domain/StrategyId.ts"
import type { ContextFor } from "../decide/Context.ts"
import type { EngineState } from "../EngineState.ts"
import { timeIsUp } from "../prices/Deadlines.ts"
import type { BotEntry } from "../Roster.ts"
import { MAX_AT_ONCE } from "./HeldAlertRetry.ts"
import type { Lane, Task } from "./Lane.ts"

/** Lets a bot look at the prices of markets at a time (ms). */
export type ApplyRules = (
  bot: BotEntry,
  markets: Iterable<MarketId>,
  contextFor: ContextFor,
  now: number
) => void

/** Makes `judge`, `serve` and `serveDue`. */
export const make = ({ botOf, engine, isSending, roster }: EngineState, applyRules: ApplyRules) => {
  const judge = ({ alert, strategy }: Task, contextFor: ContextFor): void => {
    const bot = botOf(strategy, alert.receivedAt)
    engine.judge.receive(bot, alert, contextFor(bot))
  }

  /**
   * Judges tasks of a lane, or of one of its strategies, and returns how many. Stops at a bot whose order waits to be
   * sent.
   */
  const serve = (lane: Lane, contextFor: ContextFor, most: number, strategy?: StrategyId): number => {
    let count = 0
    for (; count < most; count++) {
      const task = lane.peek(strategy)
      if (task === undefined || isSending(task.strategy.id)) break
      lane.take(task)
      judge(task, contextFor)
    }
    return count
  }

  /** Lets due bots look at prices and deadlines, each after its own alerts; returns how much was done. */
  const serveDue = (lane: Lane, contextFor: ContextFor, now: number, most: number): number => {
    let count = 0
    for (const [id, markets] of lane.due) {
      if (count >= most) break
      count += serve(lane, contextFor, most - count, id)
      if (lane.peek(id) !== undefined || isSending(id)) continue
      lane.due.delete(id)
      count++
      Option.map(roster.get(id), (bot) =>
        engine.faults.attempt(bot, () => {
          count += Math.min(bot.held.size, MAX_AT_ONCE)
          engine.held.resume(bot, contextFor(bot))
          applyRules(bot, markets.values(), contextFor, now)
          if (bot.wakesAt <= now) timeIsUp(engine, bot, contextFor)
        })
      )
    }
    return count
  }

  return { judge, serve, serveDue }
}
