// Builds the context of a decision: everything that the pure core may read at one moment, and nothing else.
import * as Option from "effect/Option"
import type { FillModel } from "../../../domain/fills/FillModel.ts"
import type { MarketId } from "../../../domain/Market.ts"
import { OrderId } from "../../../domain/Order.ts"
import type { Settings } from "../../../domain/Strategy.ts"
import type { Ticker } from "../../../domain/Ticker.ts"
import { rankBy } from "../../../trading/Bot.ts"
import { feesOf } from "../../../trading/books/Fees.ts"
import type { MarketFills } from "../../../trading/books/FillPrice.ts"
import type { Context } from "../../../trading/Decision.ts"
import type { OwnDecisions } from "../../../trading/OwnDecisions.ts"
import type { Catalogue } from "../../Markets.ts"
import type { BotEntry, Roster } from "../Roster.ts"

/**
 * The prices that one event may read. `feed` names the source of a market's prices: markets with one feed move
 * together.
 */
export interface Prices {
  readonly quote: (id: MarketId) => Ticker | undefined
  readonly feed: (id: MarketId) => string
}

/** Builds a bot's context afresh, because prices and switches may have changed since the last one. */
export type ContextFor = (bot: BotEntry) => Context

/** Markets, prices and other bots around a bot at a time (ms). */
interface Surroundings {
  readonly roster: Roster
  readonly catalogue: Catalogue
  readonly prices: Prices
  readonly now: number
  /** An embedder's own decisions. */
  readonly own: OwnDecisions | undefined
  /** How paper fills are made nearer to life, if they are. */
  readonly paperFills: FillModel | undefined
}

/** The context of one bot at a time (ms). It serves any number of decisions of that bot at that time. */
export const contextOf = (bot: BotEntry, around: Surroundings): Context => {
  const { catalogue, now, own, prices, roster } = around
  const { settings } = bot.strategy
  return {
    now,
    settings,
    market: (id) => tradable(catalogue, id),
    fees: (id) => feesOf(settings, catalogue.exchange(id.exchange), paperFillsOn(bot, id, around)),
    quote: prices.quote,
    feed: prices.feed,
    rank: rankOf(settings),
    orderId: (index) => OrderId.make(`${bot.strategy.id}-${bot.record.step + 1}-${index}`),
    isPerpetualInUse: (id) => roster.isPerpetualInUse(bot, id),
    halted: bot.halted,
    own
  }
}

/**
 * The fill model on a market: on paper only. A spread is for prices without one: a streamed price has a bid and an ask of
 * its own.
 */
const paperFillsOn = (
  bot: BotEntry,
  id: MarketId,
  { catalogue, paperFills, prices }: Surroundings
): MarketFills | undefined => {
  if (paperFills === undefined || bot.record.state.live !== undefined) return undefined
  const market = Option.getOrUndefined(catalogue.market(id))
  if (market === undefined) return undefined
  const ticker = prices.quote(id)
  const { spreadPercent: _, ...withoutSpread } = paperFills
  const hasSpread = ticker !== undefined && ticker.bid < ticker.ask
  return { market, model: hasSpread ? withoutSpread : paperFills }
}

/** The ranking of markets, cached by settings: settings never change, and a context is built at every price. */
const rankOf = (settings: Settings): Context["rank"] => {
  const known = ranks.get(settings)
  if (known !== undefined) return known
  const made = rankBy(settings)
  ranks.set(settings, made)
  return made
}

const ranks = new WeakMap<Settings, Context["rank"]>()

/** The market as strategies may use it: closed to entries while its exchange is switched off. */
export const tradable = (catalogue: Catalogue, id: MarketId) => {
  const market = Option.getOrUndefined(catalogue.market(id))
  return market === undefined || catalogue.exchange(id.exchange).active
    ? market
    : { ...market, active: false }
}
