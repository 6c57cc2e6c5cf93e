/** Why an exchange refuses a private request. Each of the seven says each of them in its own words. */
export const FLAWS = [
  /** No key, or no signature, came with it. */
  "no_key",
  /** The key is unknown, or was revoked. */
  "bad_key",
  "bad_signature",
  "bad_passphrase",
  /** The time in it is too far from the exchange's. */
  "clock",
  /** It came after the end that an order names itself, at the two exchanges where it may. */
  "expired",
  /** The key may not do that. */
  "no_permission",
  "insufficient",
  "min_amount",
  "min_cost",
  "amount_step",
  "price_step",
  "unknown_market",
  "closed_market",
  /** The client's id is taken. */
  "duplicate_id",
  /** The client's id is too long, or has characters that are not allowed. */
  "bad_id",
  /** Asked for an order that is not there. */
  "unknown_order",
  /** Cancelling what is not there, or is done. */
  "not_open",
  /** The market is beyond the trigger already. */
  "would_trigger",
  "bad_request",
  /** The mode of the account does not go with the order. */
  "wrong_mode",
  /** The margin of a market cannot be changed while a position or an order is open there. */
  "in_use",
  /** Too many requests. */
  "limited",
  /** Too many requests for too long. */
  "banned",
  /** Nothing was done: it has too much to do. */
  "busy",
  "maintenance",
  /** It does not know itself whether it was done. */
  "timeout"
] as const
export type Flaw = (typeof FLAWS)[number]

/** What is not said of an order that is placed, or by one exchange only. */
const OTHERS: ReadonlySet<Flaw> = new Set(["unknown_order", "not_open", "wrong_mode", "in_use"])
/** Why each of the seven refuses an order that is placed. */
export const ORDER_FLAWS: ReadonlyArray<Flaw> = FLAWS.filter((flaw) => !OTHERS.has(flaw))

/** Thrown by whoever finds a request wanting; the protocol says it in its exchange's words. */
export class Refused extends Error {
  readonly flaw: Flaw
  constructor(flaw: Flaw) {
    super(flaw)
    this.flaw = flaw
  }
}

export const refuse = (flaw: Flaw): never => {
  throw new Refused(flaw)
}
