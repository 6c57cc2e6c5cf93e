// Checks the conditions of an entry in their sequence, and sizes it or gives the first reason against it. Reasons that
// the slot gives, such as a position that is open already, come before these: trading/bot/AlertDecision.ts. An
// entry is always a market order, so none rests unfilled; the number of positions has no limit but the free cash.
import type { IgnoredReason } from "../../domain/Alert.ts"
import type { BotState } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { Market, MarketId } from "../../domain/Market.ts"
import type { PositionSide } from "../../domain/Order.ts"
import type { Context } from "../Decision.ts"
import { atLeast, atMost } from "../Prices.ts"
import { barred, freeCash, isOverMost } from "../Risk.ts"
import * as Sizing from "../Sizing.ts"
import { coolingUntil, takesEntries } from "./Trigger.ts"

/** An alert's prices in quote: take profit and stop. */
export interface Targets {
  readonly tp?: number | undefined
  readonly sl?: number | undefined
}

/** Whether the take profit lies beyond the price and the stop before it; an absent one always fits. */
export const targetsFit = (side: PositionSide, targets: Targets, price: number): boolean => {
  const { sl, tp } = targets
  if (side === "long") {
    return (tp === undefined || !atMost(tp, price)) && (sl === undefined || !atLeast(sl, price))
  }
  return (tp === undefined || !atLeast(tp, price)) && (sl === undefined || !atMost(sl, price))
}

/** The quantity of an entry, or the first reason against it. */
export type EntryCheck =
  | { readonly _tag: "Fits"; readonly quantity: Decimal.Decimal }
  | { readonly _tag: "Refused"; readonly reason: IgnoredReason }

/** An entry before its size is known. */
export interface WantedEntry {
  readonly side: PositionSide
  readonly targets: Targets
  readonly price: number
}

/** Checks an entry at this price and sizes it by `buy_percentage` of equity. */
export const check = (
  context: Context,
  state: BotState,
  id: MarketId,
  { price, side, targets }: WantedEntry
): EntryCheck => {
  const bar = barred(state, context.halted === true)
  if (bar !== undefined) return refused(bar)
  const market = context.market(id)
  if (market === undefined || !takesEntries(context, id)) return refused("market_closed_for_buying")
  if (context.now < coolingUntil(state)) return refused("cooldown")
  if (context.settings.buyPercent === 0) return refused("zero_buy_percentage")
  if (!targetsFit(side, targets, price)) return refused("bad_target")
  if (id.kind === "swap" && context.isPerpetualInUse?.(id) === true) return refused("perpetual_in_use")
  const free = freeCash(state)
  if (!Decimal.isPositive(free)) return refused("insufficient_balance")
  const wanted = Decimal.percentOf(
    Sizing.equity(context, state),
    Decimal.fromNumber(context.settings.buyPercent)
  )
  return sized(context, state, market, { wanted, free, price })
}

/** Sizes an entry within its budget, or gives the reason why it is too small or too large. */
export const sized = (
  context: Context,
  state: BotState,
  market: Market,
  budget: Sizing.Budget
): EntryCheck => {
  const { price } = budget
  const fees = context.fees(market)
  const quantity = Sizing.quantity(budget, market, fees)
  if (!Sizing.isTradable(quantity, price, market)) return refused("below_min_notional")
  return isOverMost(state, Sizing.reserved(quantity, price, fees))
    ? refused("over_max_order")
    : { _tag: "Fits", quantity }
}

/** An entry that is refused for a reason. */
export const refused = (reason: IgnoredReason): EntryCheck => ({ _tag: "Refused", reason })
