// An entry that all rules let pass, as an embedder's own decisions have it: with its targets and its size, or vetoed.
import type { BotState } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { MarketId } from "../../domain/Market.ts"
import { ofLast, type Ticker } from "../../domain/Ticker.ts"
import type { Context } from "../Decision.ts"
import type { OwnContext, OwnDecisions, Proposal, Veto } from "../OwnDecisions.ts"
import { freeCash } from "../Risk.ts"
import * as Sizing from "../Sizing.ts"

/** An entry before the embedder's hooks: what the rules want to spend of the free cash, at a price, and for what. */
export interface Plan extends Sizing.Budget {
  readonly market: MarketId
  readonly proposal: Proposal
}

/** The plan as it is carried out: the amount to spend, and the targets. */
export interface Refined extends Pick<Proposal, "tp" | "sl"> {
  readonly _tag: "Refined"
  readonly wanted: Decimal.Decimal
}

/** Lets the hooks `entry` and `size` refine a plan. An amount that they leave alone stays exact. */
export const refined = (
  own: OwnDecisions,
  context: Context,
  state: BotState,
  { free, market, price, proposal, wanted }: Plan
): Refined | Veto => {
  const seen = seenBy(context, state, market, { price, ticker: context.quote(market) })
  const answer = own.entry(seen, proposal)
  if ("_tag" in answer) return answer
  const amount = Decimal.approximate(Decimal.min(wanted, free))
  const size = own.size(seen, amount, answer)
  if (typeof size !== "number") return size
  const { sl, tp } = answer
  return { _tag: "Refined", tp, sl, wanted: size === amount ? wanted : Decimal.fromNumber(size) }
}

/** The context of a hook on a market. */
export const seenBy = (
  context: Context,
  state: BotState,
  market: MarketId,
  { price, ticker }: { readonly price: number; readonly ticker: Ticker | undefined }
): OwnContext => {
  const { exchange, kind, pair } = market
  return {
    now: context.now,
    settings: context.settings,
    market: { exchange, pair, kind },
    ticker: { ...(ticker ?? ofLast(price, context.now)) },
    price,
    free: Decimal.approximate(freeCash(state)),
    equity: Decimal.approximate(Sizing.equity(context, state))
  }
}
