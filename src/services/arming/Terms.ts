// The terms of trading with real money: their check, the statement that the owner agrees to, and warnings about what
// may not be intended.

import type { AccountId } from "../../domain/Account.ts"
import type { ArmedTerms } from "../../domain/Arming.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { ExchangeAccount } from "../../domain/ExchangeAccount.ts"
import { EXCHANGE_FACTS } from "../../domain/internal/ExchangeFacts.ts"
import { baseOf, type KnownExchange, type Pair } from "../../domain/Market.ts"
import { sentences } from "../../domain/requests/ArmingStatement.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import type { Rival } from "./SharedAccount.ts"

/** An error in the terms, and the field that it is of. */
export interface TermError {
  readonly field: "capital" | "max_order" | "max_daily_loss"
  readonly message: string
}

/** The first error in the terms themselves; undefined where they are valid. */
export const errorOf = ({ capital, maxDailyLoss, maxOrder }: ArmedTerms): TermError | undefined => {
  if (!Decimal.isPositive(capital)) return { field: "capital", message: "capital must be more than 0" }
  if (!isWithin(maxOrder, capital)) return beyond("max_order")
  if (!isWithin(maxDailyLoss, capital)) return beyond("max_daily_loss")
  return undefined
}

const isWithin = (amount: Decimal.Decimal, capital: Decimal.Decimal): boolean =>
  Decimal.isPositive(amount) && !Decimal.greaterThan(amount, capital)

const beyond = (field: TermError["field"]): TermError => ({
  field,
  message: `${field} must be more than 0, and not more than the capital`
})

/** The statement of the terms, in words. */
export const statement = (
  { id, settings: { name, quote } }: Strategy,
  account: ExchangeAccount,
  terms: ArmedTerms
): string => sentences({ id, name, quote }, account, terms).join(" ")

/** Warnings: nothing here is an error, but it may not be intended. */
export const warnings = (
  { settings }: Strategy,
  { exchange, sandbox }: ExchangeAccount,
  { capital, maxOrder, protect }: ArmedTerms,
  { isHalted, rivals }: { readonly isHalted: boolean; readonly rivals: ReadonlyArray<Rival> }
): ReadonlyArray<string> => {
  const { active, buyPercent, quote, stopLoss } = settings
  const first = Decimal.percentOf(capital, Decimal.fromNumber(buyPercent))
  return [
    ...(sandbox ? ["the account is at the test network: no real money moves"] : []),
    ...(isHalted ? ["entries are halted: nothing is entered until they are resumed"] : []),
    ...(active ? [] : ["the strategy is not active: it enters nothing"]),
    ...(Decimal.greaterThan(first, maxOrder)
      ? [
          `an entry of ${buyPercent} % of the capital is ${Decimal.toText(first)} ${quote}, and is refused as more than max_order: lower buy_percentage, or raise max_order`
        ]
      : []),
    ...feeCoinHeld(settings, exchange),
    ...(protect && stopLoss === undefined
      ? ["there is no stop loss to keep at the exchange, unless an alert brings one"]
      : []),
    ...rivals.map(
      ({ id, name, pairs }) =>
        `strategy ${id}, ${name}, is armed on the same account and lists ${listed(pairs)} too: on a perpetual one of the two has a position at a time, and entries of the other are ignored as perpetual_in_use`
    )
  ]
}

/** The first few pairs, and how many more there are. */
const listed = (pairs: ReadonlyArray<Pair>): string => {
  const more = pairs.length - SHOWN_PAIRS
  const shown = pairs.slice(0, SHOWN_PAIRS).join(", ")
  return more > 0 ? `${shown} and ${more} more` : shown
}
const SHOWN_PAIRS = 3

/** Warns where the exchange may take the fees of all orders from this strategy's positions. */
const feeCoinHeld = ({ exchanges }: Strategy["settings"], exchange: KnownExchange): ReadonlyArray<string> => {
  const coin = EXCHANGE_FACTS[exchange].feeCoin
  if (coin === undefined || !exchanges.some(({ pairs }) => pairs.some((pair) => baseOf(pair) === coin)))
    return []
  return [
    `${exchange} takes fees from the account's ${coin} where that is switched on, also from what this strategy holds: switch it off there, or keep ${coin} of your own beside it`
  ]
}

/** The text that a confirmation is bound to: account, strategy, currency and terms, to the last digit. */
export const keyOf = (account: AccountId, { id, settings }: Strategy, terms: ArmedTerms): string =>
  [
    account,
    id,
    settings.quote,
    terms.account,
    Decimal.toText(terms.capital),
    Decimal.toText(terms.maxOrder),
    Decimal.toText(terms.maxDailyLoss),
    terms.protect
  ].join(" ")
