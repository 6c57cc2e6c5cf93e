// A rule's trigger: it fires at once, by time, or at a price level. This file also holds the sequence of the rules, and
// the tests whether a slot may decide.
import type { BotState, Slot } from "../../domain/Bot.ts"
import type { Decimal } from "../../domain/Decimal.ts"
import type { MarketId } from "../../domain/Market.ts"
import type { OrderType } from "../../domain/Order.ts"
import type { Settings } from "../../domain/Strategy.ts"
import type { Ticker } from "../../domain/Ticker.ts"
import type { Fees } from "../books/Fees.ts"
import type { Figures } from "../books/Positions.ts"
import * as Retry from "../bot/Retry.ts"
import type { Context } from "../Decision.ts"
import { closingPrice, type Direction, openingPrice, reached } from "../Prices.ts"

/** The rules that a price or the time can trigger, in their sequence. */
export type Rule =
  | "liquidation"
  | "balance_stop_loss"
  | "stop_loss"
  | "sl"
  | "break_even"
  | "break_even_arm"
  | "balance_take_profit"
  | "tp"
  | "auto_close"
  | "own_exit"
  | "own_exit_failed"
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
  break_even: 2,
  break_even_arm: 2,
  balance_take_profit: 3,
  tp: 4,
  auto_close: 5,
  own_exit: 6,
  own_exit_failed: 6,
  trailing_arm: 7,
  trailing_sell: 7,
  take_profit: 8,
  dca: 9,
  trailing_buy: 10
}

/**
 * The rank of a rule: each rule is applied over all slots before the next. Rules of one rank never hold together in one
 * slot, except arming and firing of the trailing sell.
 */
export const orderOf = (rule: Rule): number => ORDER[rule]

/**
 * A rule that acts at once (`now`) or when the price reaches `level`. All other conditions of the rule (switches,
 * waits, retries) already hold. Exits read the closing price, entries the opening price. `text` is an embedder's reason.
 * `limit` is the price of a resting order that fills only once the price reaches a `level` beyond it.
 */
export interface Trigger {
  readonly rule: Rule
  readonly when: Direction | "now"
  readonly level: number
  readonly reads: "closing" | "opening"
  readonly text?: string
  readonly step?: Step
  readonly limit?: number
}

/**
 * The step that a trigger takes: `number` of `count`, both from 1, and the quantity (base) that it closes. `closesAll` if
 * nothing is left then. Steps before it that were too small are left out, and done with it.
 */
export interface Step {
  readonly number: number
  readonly count: number
  readonly quantity: Decimal
  readonly closesAll: boolean
}

/** One slot as the rules see it. `figures` is present exactly if a position is open. */
export interface View {
  readonly context: Context
  readonly state: BotState
  readonly id: MarketId
  readonly slot: Slot | undefined
  readonly figures: Figures | undefined
  readonly fees: Fees
  readonly ticker: Ticker
}

/** The price that a trigger reads. */
export const priceFor = (view: View, reads: Trigger["reads"]): number => {
  const side = view.slot?.position?.side ?? view.slot?.trailingBuy?.side ?? "long"
  return reads === "closing" ? closingPrice(side, view.ticker) : openingPrice(side, view.ticker)
}

/** The first trigger that holds at the present price. */
export const firstHeld = (view: View, triggers: ReadonlyArray<Trigger>): Trigger | undefined => {
  for (const trigger of triggers) {
    if (trigger.when === "now") return trigger
    if (reached(priceFor(view, trigger.reads), trigger.level, trigger.when)) return trigger
  }
  return undefined
}

const MINUTE_MS = 60_000
/** `at` plus minutes, in ms. */
export const minutesAfter = (at: number, minutes: number): number => at + minutes * MINUTE_MS

/** When the cooldown after a balance rule ends (ms); 0 if there was none. */
export const coolingUntil = (state: BotState): number =>
  Math.max(state.takeProfitUntil ?? 0, state.stopLossUntil ?? 0)

/** Whether a slot must not decide: an order is in flight, its stop is being cancelled, or it is astray. */
export const isBusy = ({ astray, order, stopEnding }: Slot): boolean =>
  order !== undefined || stopEnding === true || astray !== undefined

/** Whether the slot is busy, or waits to send a rejected market exit again. */
export const isHeldUp = (slot: Slot, now: number): boolean => isBusy(slot) || isWaiting(slot, "market", now)

/** Whether orders of a type wait after a rejection. */
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
