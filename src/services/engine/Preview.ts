import * as Effect from "effect/Effect"
import type { Alert, Reason } from "../../domain/Alert.ts"
import type { StartingBalances } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { baseOf, type MarketId, quoteOf } from "../../domain/Market.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import { hasInFlight } from "../../trading/Bot.ts"
import { rateOf } from "../../trading/books/Fees.ts"
import type { Patience } from "../../trading/Routing.ts"
import type { Performance } from "../Performance.ts"
import type { ContextFor } from "./Context.ts"
import * as Engine from "./Engine.ts"
import type { EngineState } from "./EngineState.ts"
import { Orders } from "./orders/Orders.ts"
import type { Sending } from "./orders/Sending.ts"
import { Needs } from "./prices/Needs.ts"
import { type BotEntry, Roster } from "./Roster.ts"
import { breathe } from "./Start.ts"
import { wordsOf } from "./Words.ts"

/** What a strategy would make of an alert now. */
export interface Previewed {
  readonly strategy: StrategyId
  readonly name: string
  /** Nothing where the alert would have to wait. */
  readonly reason: Reason | undefined
  readonly text: string
  /** What it would do, each in a sentence, with prices and sizes. */
  readonly steps: ReadonlyArray<string>
}

/**
 * Tries an alert with copies of the bots, in an engine that nobody stores or sends anything of: what decides is what
 * decides in earnest.
 */
export const make = (
  engineState: EngineState,
  performance: typeof Performance.Service,
  { paper, patience }: { readonly paper: StartingBalances; readonly patience: Patience }
) => {
  /** `roster` has the copies of those that come before: what they would open is in the way of the next. */
  const tried = (alert: Alert, strategy: Strategy, contextFor: ContextFor, roster: Roster): Previewed => {
    const { quota } = engineState
    const spent = { isSpent: quota.isSpent.bind(quota), add: () => {} }
    const engine = Engine.make(roster, new Orders(), performance, patience, paper, spent, () => {})
    const bot = engineState.copyOf(strategy)
    const context = contextFor(bot)
    const isPerpetualInUse = (id: MarketId) =>
      engineState.roster.isPerpetualInUse(bot, id) || roster.isPerpetualInUse(bot, id)
    engine.receive(bot, alert, { ...context, isPerpetualInUse })
    const { sendings, steps } = engine.take()
    const reason = steps.flatMap(({ outcomes }) => outcomes)[0]?.reason
    const notes = steps.flatMap((step) => step.notes).filter(({ rule }) => rule !== "alert")
    return {
      strategy: strategy.id,
      name: strategy.settings.name,
      reason,
      text: reason === undefined ? waiting(bot) : wordsOf(reason),
      steps: [...notes.map(({ text }) => text), ...sendings.map(orderWords)]
    }
  }
  return Effect.fnUntraced(function* (
    alert: Alert,
    strategies: ReadonlyArray<Strategy>,
    contextFor: ContextFor
  ) {
    const all: Array<Previewed> = []
    const roster = new Roster(new Needs())
    for (const strategy of strategies) {
      all.push(tried(alert, strategy, contextFor, roster))
      if (all.length % COMPANY === 0) yield* breathe
    }
    return all
  })
}

/** Strategies between two breaths: there may be a thousand, and requests want to be answered meanwhile. */
const COMPANY = 32

const waiting = (bot: BotEntry): string =>
  hasInFlight(bot.record.state)
    ? "it waits until the order in flight is settled"
    : "it waits for a fresh price; an entry is given up as no_price where none comes in time"

/** An order with its size, its price and what they come to. */
const orderWords = ({ ticket: { fees, order } }: Sending): string => {
  const { pair, price, quantity, side, type } = order
  const notional = Decimal.multiply(quantity, Decimal.fromNumber(price))
  const fee = Decimal.multiply(notional, rateOf(order, fees))
  const quote = quoteOf(pair)
  const [sum, cost] = [notional, fee].map((it) => Number(Decimal.toNumber(it).toFixed(8)))
  return `Order: ${side} ${Decimal.toNumber(quantity)} ${baseOf(pair)} (${order.kind}) at ${type === "limit" ? "" : "about "}${price}, ${sum} ${quote} and a fee of ${cost} ${quote}.`
}
