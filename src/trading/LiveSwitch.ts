// Switches a flat bot between paper and real money. Each switch starts the bot anew, with its own balance and the next
// period number.

import type { Armed, ArmedTerms, ExchangeAccountId } from "../domain/Arming.ts"
import type { BotState } from "../domain/Bot.ts"
import * as Decimal from "../domain/Decimal.ts"
import type { QuoteCurrency } from "../domain/Market.ts"
import { start } from "./Bot.ts"
import type { Note } from "./Notes.ts"
import { midnight } from "./rules/DailyLoss.ts"

/**
 * The state of a flat bot that starts to trade with real money at `now` (ms). `twins` are the ids of other exchange
 * accounts that are the same account at the exchange.
 */
export const armed = (
  state: BotState,
  terms: ArmedTerms,
  now: number,
  { tag, twins = [] }: { readonly tag: string; readonly twins?: ReadonlyArray<ExchangeAccountId> }
): BotState => {
  const { account, capital, maxDailyLoss, maxOrder, protect } = terms
  const day = { start: midnight(now), equity: capital }
  const known = twins.length === 0 ? {} : { twins }
  const live: Armed = { account, capital, maxOrder, maxDailyLoss, protect, tag, since: now, day, ...known }
  return { ...onPaper(state, capital), live }
}

/**
 * Whether two armed bots use the same account at the exchange. Only the bot that was armed later lists the other as a
 * twin.
 */
export const isOneAccount = (one: Armed, other: Armed): boolean =>
  one.account === other.account ||
  one.twins?.includes(other.account) === true ||
  other.twins?.includes(one.account) === true

/** The state of a flat bot that starts on paper with this balance, possibly in another currency. */
export const onPaper = (
  state: BotState,
  balance: Decimal.Decimal,
  quote: QuoteCurrency = state.quote
): BotState => ({ ...start(quote, balance), period: (state.period ?? 1) + 1 })

/** The timeline's note when a bot starts to trade with real money. */
export const armedNote = ({ capital, maxDailyLoss, maxOrder, protect, since }: Armed): Note => ({
  at: since,
  rule: "armed",
  ...(protect ? { reason: "protective_stop" } : {}),
  numbers: {
    capital: Decimal.approximate(capital),
    "most an order": Decimal.approximate(maxOrder),
    "most a day may lose": Decimal.approximate(maxDailyLoss)
  }
})

/** The timeline's note when a bot returns to paper, at `at` (ms). */
export const paperNote = ({ startingBalance }: BotState, at: number): Note => ({
  at,
  rule: "back_on_paper",
  numbers: { balance: Decimal.approximate(startingBalance) }
})
