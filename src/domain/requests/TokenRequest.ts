// The request to create a token: its scope, and its life in days.
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { Scope } from "../Account.ts"
import type { Fields } from "./Form.ts"
import { type Violation, Violations, violation } from "./Violations.ts"

/** The longest life of a token, in days. */
export const MAX_EXPIRES_DAYS = 3650

/** The request; without `expiresDays` the token lasts until it is revoked. */
export interface TokenRequest {
  readonly scope: Scope
  readonly expiresDays: number | undefined
}

const isScope = Schema.is(Scope)

const isDays = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_EXPIRES_DAYS

/** The request, or all violations. */
export const parse = ({ expires_days: days, scope }: Fields): Either.Either<TokenRequest, Violations> => {
  const violations: Array<Violation> = []
  if (!isScope(scope)) violations.push(violation("scope", "must be full or alerts"))
  if (days !== undefined && days !== null && !isDays(days))
    violations.push(violation("expires_days", `must be a whole number from 1 to ${MAX_EXPIRES_DAYS}`))
  if (violations.length > 0 || !isScope(scope)) return Either.left(Violations.of(violations))
  return Either.right({ scope, expiresDays: isDays(days) ? days : undefined })
}
