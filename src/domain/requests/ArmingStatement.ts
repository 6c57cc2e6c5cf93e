// The statement that an owner confirms before a strategy trades with real money, sentence by sentence. No sentence may
// be omitted.

import type { ArmedTerms } from "../Arming.ts"
import * as Decimal from "../Decimal.ts"
import type { ExchangeAccount } from "../ExchangeAccount.ts"
import type { QuoteCurrency } from "../Market.ts"

/** The strategy to arm. */
export interface Subject {
  readonly id: number
  readonly name: string
  readonly quote: QuoteCurrency
}

type At = Pick<ExchangeAccount, "name" | "exchange" | "sandbox">

/** The sentences of the statement. */
export const sentences = (
  { id, name, quote }: Subject,
  account: At,
  terms: ArmedTerms
): ReadonlyArray<string> => {
  const amount = (value: Decimal.Decimal) => `${Decimal.toText(value)} ${quote}`
  return [
    `Strategy ${id}, ${name}, trades ${placeOf(account)} from now on, until it is disarmed.`,
    `It starts with ${amount(terms.capital)}, which is all that it may use; its performance begins anew with it.`,
    `An entry uses up at most ${amount(terms.maxOrder)}, fee included.`,
    `Once a day (UTC) has lost ${amount(terms.maxDailyLoss)}, realised and open, entries are halted for all strategies of the account; what is open is not closed by that.`,
    terms.protect
      ? "Its stop loss rests at the exchange too, and is moved as the strategy moves it."
      : "Its stop loss acts only while this server runs: no protective stop is kept at the exchange."
  ]
}

/** The words for a strategy's mode: `with real money on binance (account main)`, or with play money on a test network. */
export const placeOf = ({ exchange, name, sandbox }: At): string =>
  sandbox
    ? `with play money on the test network of ${exchange} (account ${name})`
    : `with real money on ${exchange} (account ${name})`

/** One line about an armed strategy. */
export const lineOf = ({ id, quote }: Subject, account: At | undefined, terms: ArmedTerms): string => {
  const where =
    account === undefined
      ? "with real money, with an exchange account that is not there any more"
      : placeOf(account)
  const { capital, maxDailyLoss, maxOrder, protect } = terms
  const stop = protect ? ", stop loss at the exchange too" : ""
  return `strategy ${id} trades ${where}: capital ${Decimal.toText(capital)} ${quote}, at most ${Decimal.toText(maxOrder)} an order, ${Decimal.toText(maxDailyLoss)} a day${stop}`
}

/** The text with its first letter in upper case. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
