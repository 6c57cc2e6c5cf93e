import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { StartingBalances } from "../../domain/Bot.ts"
import { type MarketId, marketKey } from "../../domain/Market.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import { start } from "../../trading/Bot.ts"
import type { Context } from "../../trading/Decision.ts"
import type { Patience } from "../../trading/Routing.ts"
import { Exchange } from "../Exchange.ts"
import { Markets } from "../Markets.ts"
import { Performance } from "../Performance.ts"
import { type BotRecord, Portfolio } from "../Portfolio.ts"
import { contextOf, type Prices } from "./Context.ts"
import * as Engine from "./Engine.ts"
import { Marks } from "./Marks.ts"
import { type LiveBot, Roster } from "./Roster.ts"

/** Starting balances of new strategies, and for how long entries wait. */
export interface Options {
  readonly paper: StartingBalances
  readonly patience: Patience
}

/** Gives a bot's context anew: prices and switches may have changed since. */
export type ContextFor = (bot: LiveBot) => Context

/**
 * Where the engine's steps are stored and its orders sent. Not to be entered by two at a time: what a bot decides
 * on must not change while it is being stored.
 */
export const make = Effect.fnUntraced(function* ({ paper, patience }: Options) {
  const portfolio = yield* Portfolio
  const markets = yield* Markets
  const exchange = yield* Exchange
  const performance = yield* Performance

  const roster = new Roster()
  const marks = new Marks()
  const engine = Engine.make(roster, performance, patience)
  let cursor = yield* portfolio.cursor
  let stored = cursor

  /** Contexts of this moment: only fresh prices are prices. */
  const present = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const catalogue = yield* markets.catalogue
    const prices: Prices = { quote: (id: MarketId) => marks.fresh(id, now), feed: marketKey }
    return (bot: LiveBot) => contextOf(bot, catalogue, prices, now)
  })

  /**
   * Stores what the events so far made of the bots, then sends their orders, then takes in the reports, and so on
   * until all is quiet. Alerts that waited for an order are judged again when it is done.
   */
  const settle = Effect.fnUntraced(function* (contextFor?: ContextFor) {
    for (;;) {
      const { sendings, steps } = engine.take()
      if (steps.length === 0 && cursor === stored) return
      yield* portfolio.commit(steps, cursor)
      stored = cursor
      for (const sending of sendings) {
        const report = yield* exchange.submit(sending.ticket)
        const context = (contextFor ?? (yield* present))(sending.bot)
        engine.report(sending, report, context)
        // A walk through a bar comes to the alerts by itself, in its own order.
        if (contextFor === undefined) engine.retry(sending.bot, context)
      }
    }
  })

  /** The strategy's bot; a new one where it has none yet. */
  const botOf = (strategy: Strategy, now: number): LiveBot =>
    Option.getOrElse(roster.get(strategy.id), () => {
      const bot = enlist(strategy, blank(strategy))
      engine.open(bot, now)
      return bot
    })

  const enlist = (strategy: Strategy, record: BotRecord): LiveBot => {
    const bot: LiveBot = { strategy, record, held: [], windows: new Map(), wakesAt: 0, moved: false }
    roster.put(bot)
    return bot
  }

  const blank = ({ createdAt, id, settings }: Strategy): BotRecord => ({
    strategy: id,
    state: start(settings.quote, paper[settings.quote]),
    tally: performance.begin(paper[settings.quote], createdAt * 1000),
    step: 0
  })

  /** Begins anew in another currency. Only when flat. */
  const restart = (bot: LiveBot, now: number): void => {
    const { cash } = bot.record.state
    const { state, tally } = blank(bot.strategy)
    bot.record = { ...bot.record, state, tally }
    engine.open(bot, now, cash)
  }

  return {
    roster,
    marks,
    engine,
    present,
    settle,
    botOf,
    enlist,
    restart,
    catalogue: markets.catalogue,
    cursor: () => cursor,
    advance: (to: number) => {
      cursor = to
    }
  }
})

export type Desk = Effect.Effect.Success<ReturnType<typeof make>>
