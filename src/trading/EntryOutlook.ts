// What the next entry alert would do on one market, as the bot stands: it would buy, or it cannot, and by which numbers.
// The decision is the bot's own (`Entry.check`); nothing is changed.
import type { IgnoredReason } from "../domain/Alert.ts"
import type { BotState } from "../domain/Bot.ts"
import * as Decimal from "../domain/Decimal.ts"
import type { Market, MarketId } from "../domain/Market.ts"
import type { Context } from "./Decision.ts"
import { freeCash } from "./Risk.ts"
import * as Entry from "./rules/entry.ts"
import { wantedOf } from "./rules/entrySize.ts"
import { equity } from "./Sizing.ts"

/**
 * An entry as it would be decided now. `cost` is what it would be for, in quote. `Invested`: the money for it is in open
 * positions and orders. `least` is the smallest order that the market takes, in quote.
 */
export type EntryOutlook =
  | { readonly _tag: "Buys"; readonly cost: Decimal.Decimal }
  | { readonly _tag: "Invested" }
  | { readonly _tag: "Unlisted" }
  | { readonly _tag: "TooSmall"; readonly cost: Decimal.Decimal; readonly least: Decimal.Decimal }
  | { readonly _tag: "Refused"; readonly reason: IgnoredReason }

/**
 * The outlook of a long entry. Without a known price, the smallest that the market has stands in: then only the smallest
 * cost binds, and not the smallest amount.
 */
export const outlookOn = (
  context: Context,
  state: BotState,
  id: MarketId,
  known: number | undefined
): EntryOutlook => {
  const market = context.market(id)
  if (market === undefined) return { _tag: "Unlisted" }
  const price = known ?? Decimal.toNumber(market.priceStep)
  const entry = { side: "long", targets: { sl: stopOf(context, price) }, price, alert: 0 } as const
  const check = Entry.check(context, state, id, entry)
  const wanted = wantedOf(context, state, { ...entry, sl: entry.targets.sl })
  const cost = Decimal.min(wanted, freeCash(state))
  if (check._tag === "Fits") return { _tag: "Buys", cost }
  if (check.reason !== "insufficient_balance" && check.reason !== "below_min_notional")
    return { _tag: "Refused", reason: check.reason }
  const released = { ...state, cash: equity(context, state), slots: {} }
  if (released.cash !== state.cash && Entry.check(context, released, id, entry)._tag === "Fits")
    return { _tag: "Invested" }
  if (check.reason === "insufficient_balance") return { _tag: "Refused", reason: check.reason }
  return { _tag: "TooSmall", cost, least: leastCost(market, known) }
}

/** So near to the price that the stop does not make an entry smaller. */
const NEAR = 0.999

/** A strategy that sizes by risk and has no stop of its own buys with alerts that bring one. */
const stopOf = ({ settings: { riskPercent, stopLoss } }: Context, price: number): number | undefined =>
  riskPercent !== undefined && stopLoss === undefined ? price * NEAR : undefined

/** The smallest order that a market takes, in quote; without a price, its smallest cost. */
const leastCost = ({ minAmount, minCost }: Market, price: number | undefined): Decimal.Decimal =>
  price === undefined ? minCost : Decimal.max(minCost, Decimal.multiply(minAmount, Decimal.fromNumber(price)))
