import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import type { ArmedTerms, ExchangeAccountId } from "../../domain/Arming.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { MOST_AMOUNT } from "../../domain/requests/ArmingRequest.ts"
import { usage } from "../program/usage.ts"

/** An amount as it is written, to the last digit: read as a number, 0.1 would be something else. */
const amount = (name: string, description: string) =>
  Options.text(name).pipe(Options.withPseudoName("N"), Options.withDescription(description))

export const options = {
  capital: amount("capital", "what it starts with, in its default quote currency, and all that it may use"),
  maxOrder: amount("max-order", "the most that one entry may use up, fee included"),
  maxDailyLoss: amount(
    "max-daily-loss",
    "what a day (UTC) may lose, realised and open, before entries are halted"
  ),
  protect: Options.boolean("protective-stop").pipe(
    Options.withDescription("keep the stop loss at the exchange too")
  )
}

interface Said {
  readonly capital: string
  readonly maxOrder: string
  readonly maxDailyLoss: string
  readonly protect: boolean
}

/** The terms as they were said. */
export const read = Effect.fnUntraced(function* (account: ExchangeAccountId, said: Said) {
  const terms: ArmedTerms = {
    account,
    capital: yield* amountOf("--capital", said.capital),
    maxOrder: yield* amountOf("--max-order", said.maxOrder),
    maxDailyLoss: yield* amountOf("--max-daily-loss", said.maxDailyLoss),
    protect: said.protect
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
