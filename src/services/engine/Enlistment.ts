// New bots: a strategy gets its bot with the first alert that concerns it.
import * as Option from "effect/Option"
import { type StartingBalances, startingBalanceOf } from "../../domain/Bot.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import { start } from "../../trading/Bot.ts"
import type { Performance } from "../Performance.ts"
import type { BotRecord } from "../Portfolio.ts"
import type { Periods } from "./decide/Periods.ts"
import { type BotEntry, fresh, type Roster } from "./Roster.ts"

/** The record of a bot that has not traded yet. */
export const blankOf =
  (paper: StartingBalances, performance: typeof Performance.Service) =>
  ({ createdAt, id, settings: { quote } }: Strategy): BotRecord => {
    const starting = startingBalanceOf(paper, quote)
    return {
      strategy: id,
      state: start(quote, starting),
      tally: performance.begin(starting, createdAt * 1000),
      step: 0
    }
  }

interface Parts {
  readonly roster: Roster
  readonly periods: Periods
  readonly blank: (strategy: Strategy) => BotRecord
  readonly isHalted: (strategy: Strategy) => boolean
}

/** Makes the three ways to get a strategy's bot. */
export const make = ({ blank, isHalted, periods, roster }: Parts) => {
  const enlist = (strategy: Strategy, record: BotRecord): BotEntry => {
    const bot = fresh(strategy, record)
    bot.halted = isHalted(strategy)
    roster.put(bot)
    return bot
  }

  /** The strategy's bot; a new one where it has none yet. */
  const botOf = (strategy: Strategy, now: number): BotEntry =>
    Option.getOrElse(roster.get(strategy.id), () => {
      const bot = enlist(strategy, blank(strategy))
      periods.open(bot, now)
      return bot
    })

  /** A copy of the strategy's bot for trials, outside of the roster. */
  const copyOf = (strategy: Strategy): BotEntry => {
    const bot = Option.getOrUndefined(roster.get(strategy.id))
    if (bot === undefined) return { ...fresh(strategy, blank(strategy)), halted: isHalted(strategy) }
    roster.advanceTrails(bot)
    const copy = { ...fresh(bot.strategy, bot.record), halted: bot.halted }
    for (const held of bot.held) copy.held.add(held)
    return copy
  }

  return { enlist, botOf, copyOf }
}
