// The request to arm a strategy. Numbers must be JSON numbers; without a `confirmation` the request only returns the
// statement to confirm, with it the strategy is armed.
import * as Either from "effect/Either"
import { type ArmedTerms, ExchangeAccountId } from "../Arming.ts"
import * as Decimal from "../Decimal.ts"
import { MAX_AMOUNT } from "./Bounds.ts"
import type { Fields } from "./Form.ts"
import { type Violation, Violations, violation } from "./Violations.ts"

/** A request to arm a strategy; with the confirmation from an earlier answer it is carried out. */
export interface ArmingRequest {
  readonly terms: ArmedTerms
  readonly confirmation: string | undefined
}

/** The least amount, in quote. */
export const LEAST_AMOUNT = 1e-8
/** The largest amount, in quote. */
export const MOST_AMOUNT = MAX_AMOUNT
const MAX_CONFIRMATION = 200

/** The request, or all its violations. */
export const read = (fields: Fields): Either.Either<ArmingRequest, Violations> => {
  const violations: Array<Violation> = []
  const refuse = (field: string, text: string): undefined => {
    violations.push(violation(field, fields[field] === undefined ? "is required" : text))
    return undefined
  }
  const amount = (field: string) =>
    isAmount(fields[field])
      ? Decimal.fromNumber(fields[field])
      : refuse(field, `must be a number above 0, from ${LEAST_AMOUNT} to ${MOST_AMOUNT}`)
  const account = isId(fields["account"])
    ? ExchangeAccountId.make(fields["account"])
    : refuse("account", "must be the number of an exchange account")
  const capital = amount("capital")
  const maxOrder = amount("max_order")
  const maxDailyLoss = amount("max_daily_loss")
  const { confirmation, protective_stop: protect = false } = fields
  if (typeof protect !== "boolean") violations.push(violation("protective_stop", "must be true or false"))
  if (!isConfirmation(confirmation))
    violations.push(
      violation("confirmation", "must be the one from the answer to this request without a confirmation")
    )
  if (
    account === undefined ||
    capital === undefined ||
    maxOrder === undefined ||
    maxDailyLoss === undefined ||
    typeof protect !== "boolean" ||
    !isConfirmation(confirmation)
  )
    return Either.left(Violations.of(violations))
  return Either.right({ terms: { account, capital, maxOrder, maxDailyLoss, protect }, confirmation })
}

const isAmount = (value: unknown): value is number =>
  typeof value === "number" && value >= LEAST_AMOUNT && value <= MOST_AMOUNT
const isId = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0
const isConfirmation = (value: unknown): value is string | undefined =>
  value === undefined || (typeof value === "string" && value !== "" && value.length <= MAX_CONFIRMATION)
