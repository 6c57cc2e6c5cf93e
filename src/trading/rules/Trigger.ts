import type { BotState, Slot } from "../../domain/Bot.ts"
import type { MarketId } from "../../domain/Market.ts"
import type { OrderType } from "../../domain/Order.ts"
import type { Settings } from "../../domain/Strategy.ts"
import type { Ticker } from "../../domain/Ticker.ts"
import type { Fees } from "../books/Fees.ts"
import type { Figures } from "../books/Positions.ts"
import * as Retry from "../bot/Retry.ts"
import type { Context } from "../Decision.ts"
import { closingPrice, type Direction, openingPrice, reached } from "../Prices.ts"

/** The rules that a price or the time can trigger, in the order in which they are looked at. */
export type Rule =
  | "liquidation"
  | "balance_stop_loss"
  | "stop_loss"
  | "sl"
  | "balance_take_profit"
  | "tp"
  | "auto_close"
  | "trailing_arm"
  | "trailing_sell"
  | "take_profit"
  | "dca"
  | "trailing_buy"

const ORDER: Readonly<Record<Rule, number>> = {
  liquidation: 0,
  balance_stop_loss: 1,
  stop_loss: 2,
  sl: 2,
  balance_take_profit: 3,
  tp: 4,
  auto_close: 5,
  trailing_arm: 6,
  trailing_sell: 6,
  take_profit: 7,
  dca: 8,
  trailing_buy: 9
}

/**
 * Where a rule stands among all: each is looked at over all slots before the next. Rules of one place never hold
 * together in one slot, but for the two of the trailing sell, of which one makes the other.
 */
export const orderOf = (rule: Rule): number => ORDER[rule]

/**
 * A rule that would act at once (`now`) or as soon as the price stands at `level` or beyond. Everything else that
 * the rule asks for (switches, waits, retries) already holds. Closing rules read the closing price, entries the
 * opening price. Deciding, watching and walking a candle all read the same triggers.
 */
export interface Trigger {
  readonly rule: Rule
  readonly when: Direction | "now"
  readonly level: number
  readonly reads: "closing" | "opening"
}

/** One slot as the rules see it. `figures` is there exactly when a position is open. */
export interface View {
  readonly context: Context
  readonly state: BotState
  readonly id: MarketId
  readonly slot: Slot | undefined
  readonly figures: Figures | undefined
  readonly fees: Fees
  readonly ticker: Ticker
}

/** The price that a trigger is compared with. */
export const priceFor = (view: View, reads: Trigger["reads"]): number => {
  const side = view.slot?.position?.side ?? view.slot?.trailingBuy?.side ?? "long"
  return reads === "closing" ? closingPrice(side, view.ticker) : openingPrice(side, view.ticker)
}

/** The first that holds at the present price. */
export const firstHeld = (view: View, triggers: ReadonlyArray<Trigger>): Trigger | undefined => {
  for (const trigger of triggers) {
    if (trigger.when === "now") return trigger
    if (reached(priceFor(view, trigger.reads), trigger.level, trigger.when)) return trigger
  }
  return undefined
}

const MINUTE_MS = 60_000
/** So many minutes later, in ms. */
export const minutesAfter = (at: number, minutes: number): number => at + minutes * MINUTE_MS

/** Until when nothing is entered after a balance event (ms); 0 where there was none. */
export const coolingUntil = (state: BotState): number =>
  Math.max(state.takeProfitUntil ?? 0, state.stopLossUntil ?? 0)

/** Whether nothing can be decided in a slot: an order is in flight, its stop is being taken back, or it went astray. */
export const isBusy = ({ astray, order, stopEnding }: Slot): boolean =>
  order !== undefined || stopEnding === true || astray !== undefined

/** The same, and while an exit at market that was turned down waits. */
export const isHeldUp = (slot: Slot, now: number): boolean => isBusy(slot) || isWaiting(slot, "market", now)

/** Whether orders of a type have to wait because one was turned down. */
export const isWaiting = ({ retry }: Slot, type: OrderType, now: number): boolean =>
  retry !== undefined && retry.type === type && Retry.waits(retry, now)

/** Whether the strategy still lists this market's pair on this exchange. */
export const isListed = (settings: Settings, id: MarketId): boolean =>
  settings.exchanges.some((listing) => listing.exchange === id.exchange && listing.pairs.includes(id.pair))

/** Whether the market takes new entries, longs and shorts alike. */
export const takesEntries = (context: Context, id: MarketId): boolean => {
  const market = context.market(id)
  return market?.active === true && market.buyEnabled
}
