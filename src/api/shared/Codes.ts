// The stable codes of problems, each once. The guide has a heading for each of them.
import { REFUSALS } from "../../domain/Arming.ts"

/** Every `code` that a problem document may have. */
export const CODES = [
  ...REFUSALS,
  "malformed_body",
  "malformed_host",
  "unauthorized",
  "forbidden",
  "cross_site",
  "not_found",
  "method_not_allowed",
  "order_in_flight",
  "exchange_account_in_use",
  "backtest_running",
  "backup_busy",
  "backup_nothing",
  "still_halted",
  "body_too_large",
  "unsupported_media_type",
  "invalid_request",
  "unresolved_placeholder",
  "signal_inactive",
  "idempotency_key_reused",
  "too_many_signals",
  "too_many_strategies",
  "too_many_tokens",
  "too_many_notifications",
  "backtest_failed",
  "rate_limited",
  "too_many_streams",
  "too_much_unread",
  "internal_error",
  "unavailable",
  "draining",
  "vault_locked",
  "backup_failed"
] as const

/** The `code` of a problem document. */
export type Code = (typeof CODES)[number]
