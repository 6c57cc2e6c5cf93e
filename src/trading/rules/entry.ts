// Checks the conditions of an entry in their sequence, and sizes it or gives the first reason against it. Reasons that
// the slot gives, such as a position that is open already, come before these: trading/bot/AlertDecision.ts. An
// entry is always a market order, so none rests unfilled; the number of positions has no limit but the free cash.
import type { IgnoredReason } from "../../domain/Alert.ts"
import type { BotState } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { Market, MarketId } from "../../domain/Market.ts"
import type { PositionSide } from "../../domain/Order.ts"
import type { TargetStep } from "../../domain/position/Ladder.ts"
import type { Context } from "../Decision.ts"
import { atLeast, atMost } from "../Prices.ts"
import { barred, freeCash, isOverMost } from "../Risk.ts"
import * as Sizing from "../Sizing.ts"
import * as EntrySize from "./entrySize.ts"
import { type Plan, refined } from "./ownEntry.ts"
import { coolingUntil, takesEntries } from "./Trigger.ts"

/** An alert's prices in quote: take profit or a ladder of targets, and stop. */
export interface Targets {
  readonly tp?: number | undefined
  readonly sl?: number | undefined
  readonly tps?: ReadonlyArray<TargetStep> | undefined
}

/** Whether the take profit lies beyond the price and the stop before it; an absent one always fits. */
export const targetsFit = (side: PositionSide, targets: Targets, price: number): boolean => {
  const { sl } = targets
  const tp = targets.tp ?? targets.tps?.[0]?.price
  if (side === "long") {
    return (tp === undefined || !atMost(tp, price)) && (sl === undefined || !atLeast(sl, price))
  }
  return (tp === undefined || !atLeast(tp, price)) && (sl === undefined || !atMost(sl, price))
}

/**
 * The quantity of an entry, or the first reason against it. `targets` are present where an embedder's own decisions had
 * their say, `text` where they vetoed it.
 */
export type EntryCheck =
  | { readonly _tag: "Fits"; readonly quantity: Decimal.Decimal; readonly targets?: Targets }
  | { readonly _tag: "Refused"; readonly reason: IgnoredReason; readonly text?: string }

/** An entry before its size is known. */
export interface WantedEntry extends Omit<EntrySize.SizeFacts, "sl"> {
  readonly side: PositionSide
  readonly targets: Targets
  readonly price: number
  /** The id of the alert behind it. */
  readonly alert: number
}

/** Checks an entry at this price and sizes it. */
export const check = (context: Context, state: BotState, id: MarketId, entry: WantedEntry): EntryCheck => {
  const { alert, price, side, targets } = entry
  const bar = barred(state, context.halted === true)
  if (bar !== undefined) return refused(bar)
  const market = context.market(id)
  if (market === undefined || !takesEntries(context, id)) return refused("market_closed_for_buying")
  if (context.now < coolingUntil(state)) return refused("cooldown")
  const { sl, tp } = targets
  const facts = { ...entry, sl }
  if (EntrySize.buyPercentOf(context, facts) === 0) return refused("zero_buy_percentage")
  if (!targetsFit(side, targets, price)) return refused("bad_target")
  if (EntrySize.lacksStop(context, facts)) return refused("no_stop")
  if (id.kind === "swap" && context.isPerpetualInUse?.(id) === true) return refused("perpetual_in_use")
  const free = freeCash(state)
  if (!Decimal.isPositive(free)) return refused("insufficient_balance")
  const wanted = EntrySize.wantedOf(context, state, facts)
  const proposal = { purpose: "entry", side, alert, tp, sl } as const
  const fitted = planned(context, state, market, { wanted, free, price, market, proposal })
  if (fitted._tag === "Refused" || fitted.targets === undefined || targets.tps === undefined) return fitted
  // The hooks know of no ladder: it stays, unless they set a target in its place.
  const { tps } = targets
  return fitted.targets.tp === undefined ? { ...fitted, targets: { ...fitted.targets, tps } } : fitted
}

/** Sizes an entry as an embedder's own decisions have it, if there are any. */
export const planned = (context: Context, state: BotState, market: Market, plan: Plan): EntryCheck => {
  const { own } = context
  if (own === undefined || !Decimal.isPositive(plan.free)) return sized(context, state, market, plan)
  const answer = refined(own, context, state, plan)
  if (answer._tag === "Veto") return refused("vetoed", answer.text)
  const { sl, tp, wanted } = answer
  if (!targetsFit(plan.proposal.side, answer, plan.price)) return refused("bad_target")
  const fitted = sized(context, state, market, { ...plan, wanted })
  return fitted._tag === "Refused" ? fitted : { ...fitted, targets: { tp, sl } }
}

/** Sizes an entry within its budget, or gives the reason why it is too small or too large. */
const sized = (context: Context, state: BotState, market: Market, budget: Sizing.Budget): EntryCheck => {
  const { price } = budget
  const fees = context.fees(market)
  const quantity = Sizing.quantity(budget, market, fees)
  if (!Sizing.isTradable(quantity, price, market)) return refused("below_min_notional")
  return isOverMost(state, Sizing.reserved(quantity, price, fees))
    ? refused("over_max_order")
    : { _tag: "Fits", quantity }
}

/** An entry that is refused for a reason, with an embedder's words if it is theirs. */
export const refused = (reason: IgnoredReason, text?: string): EntryCheck =>
  text === undefined ? { _tag: "Refused", reason } : { _tag: "Refused", reason, text }
