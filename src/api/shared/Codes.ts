// The stable codes of problems, each once, with the statuses that they come with. The guide has a heading for each of
// them.
import * as Record from "effect/Record"

/** Why an order by hand is refused, besides `busy`: the present state does not allow it. */
const OF_MANUAL_ORDERS = {
  no_position: [409],
  no_entry: [409],
  set_aside: [409],
  astray: [409],
  no_price: [409],
  below_min_notional: [409]
} as const

/** The statuses of all other codes. A reason not to arm is 422 if a term of the request is at fault, else 409. */
const OF_ALL_OTHERS = {
  malformed_body: [400],
  malformed_host: [400],
  unauthorized: [401],
  forbidden: [403],
  cross_site: [403],
  not_found: [404],
  original_gone: [404],
  method_not_allowed: [405],
  order_in_flight: [409],
  exchange_account_in_use: [409],
  backtest_running: [409],
  not_a_copy: [409],
  backup_busy: [409],
  backup_nothing: [409],
  candles_busy: [409],
  candles_off: [409],
  still_halted: [409],
  not_flat: [409, 422],
  armed_already: [409, 422],
  not_armed: [409, 422],
  busy: [409, 422],
  body_too_large: [413],
  unsupported_media_type: [415],
  invalid_request: [422],
  unresolved_placeholder: [422],
  signal_inactive: [422],
  idempotency_key_reused: [422],
  too_many_signals: [422],
  too_many_strategies: [422],
  too_many_tokens: [422],
  too_many_notifications: [422],
  backtest_failed: [422],
  unknown_exchange_account: [409, 422],
  exchange_not_listed: [409, 422],
  bad_terms: [409, 422],
  balance_too_small: [409, 422],
  account_unavailable: [409, 422],
  may_withdraw: [409, 422],
  confirmation_needed: [409, 422],
  rate_limited: [429],
  too_many_streams: [429],
  too_much_unread: [429, 503],
  internal_error: [500],
  unavailable: [503],
  draining: [503],
  vault_locked: [503],
  backup_failed: [503]
} as const

/** The statuses of each code. */
export const STATUSES: typeof OF_ALL_OTHERS & typeof OF_MANUAL_ORDERS = {
  ...OF_ALL_OTHERS,
  ...OF_MANUAL_ORDERS
}

/** The `code` of a problem document. */
export type Code = keyof typeof STATUSES
/** The status of a problem document. */
export type Status = StatusOf<Code>
/** The statuses that a code comes with. */
export type StatusOf<C extends Code> = (typeof STATUSES)[C][number]
/** The codes that come with a status. */
export type CodeAt<S extends Status> = { [C in Code]: S extends StatusOf<C> ? C : never }[Code]
/** A status and a code that come together. */
export type Kind = { [C in Code]: readonly [status: StatusOf<C>, code: C] }[Code]

/** Every `code` that a problem document may have. */
export const CODES: ReadonlyArray<Code> = Record.keys(STATUSES)

/** Stands for a code that this version does not know, because the server is newer: the problem's `type` names it. */
export const UNRECOGNIZED = "unrecognized"
