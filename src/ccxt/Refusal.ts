// Texts by which an exchange refuses an order before accepting it, each with a reason in our own words. Nothing of the
// exchange's text is passed on.

/** A text that certainly refuses an order. */
export interface Refusal {
  readonly says: RegExp
  readonly reason: string
  /** The pause before the next request to the exchange (ms). */
  readonly pauseMs: number
  /** Whether the text means, in a lookup or a cancel, that there is no such order; it then refuses no new order. */
  readonly isMissing: boolean
}

/** The reasons of refusals, also of those that ccxt classifies. */
export const REASONS = {
  limit: "the exchange limits our requests",
  key: "the exchange refuses the key",
  right: "the key may not do that",
  funds: "there is not enough money in the account",
  order: "the exchange refuses the order as it is",
  market: "the exchange does not know the market",
  closed: "the market cannot be traded now",
  missing: "the exchange does not know the order",
  expired: "the request reached the exchange too late"
} as const

/** A refusal for this reason. */
export const refuses = (reason: string, says: RegExp): Refusal => ({
  ...{ says, reason, pauseMs: 0, isMissing: false }
})
/** A rate limit or a ban. */
export const limits = (says: RegExp, pauseMs = 5000): Refusal => ({
  ...{ says, reason: REASONS.limit, pauseMs, isMissing: false }
})
/** No order has the id that was asked for. */
export const misses = (says: RegExp): Refusal => ({
  ...{ says, reason: REASONS.missing, pauseMs: 0, isMissing: true }
})
