import { numberOf } from "../parts/number.ts"
import type { Answer } from "../wire.ts"

export type Token = Answer<"records", "tokens">["data"][number]
export type NewToken = Answer<"tokens", "create">

/** What each scope lets its bearer do. */
export const SCOPES: ReadonlyArray<{
  readonly value: Token["scope"]
  readonly label: string
  readonly explain: string
}> = [
  {
    value: "alerts",
    label: "alerts",
    explain:
      "Sends alerts to your signals and nothing else: for webhooks, where the address may end up in other hands."
  },
  {
    value: "full",
    label: "full",
    explain: "Does all that you can do, signing in here included: for your own programs, and for nobody else."
  }
]

export const EXPIRIES = [
  { value: "never", label: "When it is revoked" },
  { value: "30", label: "After 30 days" },
  { value: "90", label: "After 90 days" },
  { value: "365", label: "After a year" },
  { value: "own", label: "After another number of days" }
] as const

/** A token as it is being asked for. */
export interface Draft {
  readonly scope: Token["scope"]
  readonly expiry: string
  /** As it is typed, where `expiry` is `own`. */
  readonly days: string
}

export const NEW: Draft = { scope: "alerts", expiry: "never", days: "" }

/**
 * What is sent for a draft. Days that cannot be sent as a number are refused here: left out they would make a token
 * that never expires.
 */
export const requestOf = ({ days, expiry, scope }: Draft) => {
  if (expiry === "never") return { payload: { scope } }
  const number = numberOf(expiry === "own" ? days : expiry)
  return number === undefined || !Number.isInteger(number)
    ? { flaw: "must be a whole number of days" }
    : { payload: { scope, expires_days: number } }
}

/** Whether a token is refused since its time is over. */
export const isExpired = ({ expires_at }: Pick<Token, "expires_at">, nowMs: number): boolean =>
  expires_at !== null && expires_at * 1000 <= nowMs
