// The terms of trading with real money, from options. Amounts stay text until they are decimals, so that 0.1 is
// exact.
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import type { ArmedTerms, ExchangeAccountId } from "../../domain/Arming.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { MOST_AMOUNT } from "../../domain/requests/ArmingRequest.ts"
import { usage } from "../program/usage.ts"

/** An amount, read as text: a floating-point number would change 0.1. */
const amount = (name: string, description: string) =>
  Options.text(name).pipe(Options.withPseudoName("N"), Options.withDescription(description))

export const options = {
  capital: amount("capital", "starting capital in the strategy's quote currency, and all that it may use"),
  maxOrder: amount("max-order", "the most that one entry may cost, fee included"),
  maxDailyLoss: amount("max-daily-loss", "loss of one day (UTC), realised and open, that halts entries"),
  protect: Options.boolean("protective-stop").pipe(
    Options.withDescription("keep the stop loss at the exchange too")
  )
}

interface TermOptions {
  readonly capital: string
  readonly maxOrder: string
  readonly maxDailyLoss: string
  readonly protect: boolean
}

/** The terms that the options give. */
export const read = Effect.fnUntraced(function* (account: ExchangeAccountId, given: TermOptions) {
  const terms: ArmedTerms = {
    account,
    capital: yield* amountOf("--capital", given.capital),
    maxOrder: yield* amountOf("--max-order", given.maxOrder),
    maxDailyLoss: yield* amountOf("--max-daily-loss", given.maxDailyLoss),
    protect: given.protect
  }
  return terms
})

const PLAIN = /^\d{1,16}(?:\.\d{1,8})?$/
const most = Decimal.fromNumber(MOST_AMOUNT)

const amountOf = (option: string, text: string) => {
  const value = PLAIN.test(text) ? Decimal.unsafeFromText(text) : Decimal.zero
  return Decimal.isZero(value) || Decimal.greaterThan(value, most)
    ? usage(`${option} takes an amount above 0 with at most 8 places, like 250 or 0.1`)
    : Effect.succeed(value)
}
