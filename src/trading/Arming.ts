import type { Armed, ArmedTerms, ExchangeAccountId } from "../domain/Arming.ts"
import type { BotState } from "../domain/Bot.ts"
import * as Decimal from "../domain/Decimal.ts"
import type { QuoteCurrency } from "../domain/Market.ts"
import { start } from "./Bot.ts"
import type { Note } from "./Notes.ts"
import { midnight } from "./rules/DailyLoss.ts"

/**
 * The state with which a flat bot begins to trade with real money (`now` in ms): a period of its own. `twins` are accounts
 * that are known to be the same one at the exchange.
 */
export const armed = (
  state: BotState,
  terms: ArmedTerms,
  tag: string,
  now: number,
  twins: ReadonlyArray<ExchangeAccountId> = []
): BotState => {
  const { account, capital, maxDailyLoss, maxOrder, protect } = terms
  const day = { start: midnight(now), equity: capital }
  const known = twins.length === 0 ? {} : { twins }
  const live: Armed = { account, capital, maxOrder, maxDailyLoss, protect, tag, since: now, day, ...known }
  return { ...onPaper(state, capital), live }
}

/** Whether two that trade with real money do so on one account at the exchange. Who was armed later knows of the other. */
export const isOneAccount = (one: Armed, other: Armed): boolean =>
  one.account === other.account ||
  one.twins?.includes(other.account) === true ||
  other.twins?.includes(one.account) === true

/** The state with which a flat bot begins on paper again, with this balance, be it in another currency: likewise. */
export const onPaper = (
  state: BotState,
  balance: Decimal.Decimal,
  quote: QuoteCurrency = state.quote
): BotState => ({ ...start(quote, balance), period: (state.period ?? 1) + 1 })

/** What the timeline says of a bot that begins to trade with real money. */
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

/** What the timeline says of a bot that is on paper again, at a time (ms). */
export const paperNote = ({ startingBalance }: BotState, at: number): Note => ({
  at,
  rule: "back_on_paper",
  numbers: { balance: Decimal.approximate(startingBalance) }
})
