// The form of a token as data: scopes, expiries, and the request made from them. Pure.
import { numberOf } from "../parts/reader/number.ts"
import type { Answer } from "../wire.ts"

export type Token = Answer<"records", "tokens">["data"][number]
export type NewToken = Answer<"tokens", "create">

/** The permissions of each scope. */
export const SCOPES: ReadonlyArray<{
  readonly value: Token["scope"]
  readonly label: string
  readonly explain: string
}> = [
  {
    value: "alerts",
    label: "alerts",
    explain: "May only send alerts to your signals: for webhooks, whose address others may see."
  },
  {
    value: "full",
    label: "full",
    explain: "May do everything that you can do, including signing in here: for your own programs only."
  }
]

export const EXPIRIES = [
  { value: "never", label: "Never (until revoked)" },
  { value: "30", label: "After 30 days" },
  { value: "90", label: "After 90 days" },
  { value: "365", label: "After a year" },
  { value: "own", label: "After another number of days" }
] as const

/** The form's fields. */
export interface Draft {
  readonly scope: Token["scope"]
  readonly expiry: string
  /** As typed, if `expiry` is `own`. */
  readonly days: string
}

export const NEW: Draft = { scope: "alerts", expiry: "never", days: "" }

/** The request of a draft. Invalid days are rejected here: left out, they would make a token that never expires. */
export const requestOf = ({ days, expiry, scope }: Draft) => {
  if (expiry === "never") return { payload: { scope } }
  const number = numberOf(expiry === "own" ? days : expiry)
  return number === undefined || !Number.isInteger(number)
    ? { error: "must be a whole number of days" }
    : { payload: { scope, expires_days: number } }
}

/** Whether a token has expired. */
export const isExpired = ({ expires_at }: Pick<Token, "expires_at">, nowMs: number): boolean =>
  expires_at !== null && expires_at * 1000 <= nowMs
