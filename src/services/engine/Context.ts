import * as Option from "effect/Option"
import type { MarketId } from "../../domain/Market.ts"
import { OrderId } from "../../domain/Order.ts"
import type { Settings } from "../../domain/Strategy.ts"
import type { Ticker } from "../../domain/Ticker.ts"
import { rankBy } from "../../trading/Bot.ts"
import { feesOf } from "../../trading/books/Fees.ts"
import type { Context } from "../../trading/Decision.ts"
import type { Catalogue } from "../Markets.ts"
import type { BotEntry, Roster } from "./Roster.ts"

/** Prices as one event sees them: `feed` names what moves together. */
export interface Prices {
  readonly quote: (id: MarketId) => Ticker | undefined
  readonly feed: (id: MarketId) => string
}

/** Gives a bot's context anew: prices and switches may have changed since. */
export type ContextFor = (bot: BotEntry) => Context

/** All that a decision of this bot may look at at that time (ms). Good for any number of its decisions. */
export const contextOf = (
  bot: BotEntry,
  roster: Roster,
  catalogue: Catalogue,
  prices: Prices,
  now: number
): Context => {
  const { settings } = bot.strategy
  return {
    now,
    settings,
    market: (id) => tradable(catalogue, id),
    fees: (id) => feesOf(settings, catalogue.exchange(id.exchange)),
    quote: prices.quote,
    feed: prices.feed,
    rank: rankOf(settings),
    orderId: (index) => OrderId.make(`${bot.strategy.id}-${bot.record.step + 1}-${index}`),
    isPerpetualInUse: (id) => roster.isPerpetualInUse(bot, id),
    halted: bot.halted
  }
}

/** Made once for each settings value, which never change: contexts are made at every price. */
const rankOf = (settings: Settings): Context["rank"] => {
  const known = ranks.get(settings)
  if (known !== undefined) return known
  const made = rankBy(settings)
  ranks.set(settings, made)
  return made
}

const ranks = new WeakMap<Settings, Context["rank"]>()

/** A market as strategies may use it: closed for entries while its exchange is switched off. */
const tradable = (catalogue: Catalogue, id: MarketId) => {
  const market = Option.getOrUndefined(catalogue.market(id))
  return market === undefined || catalogue.exchange(id.exchange).active
    ? market
    : { ...market, active: false }
}
