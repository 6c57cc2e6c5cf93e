// The periods of a strategy's bot: the present one, and the earlier ones that have trades. A bot begins a period when it is
// armed, when it goes back on paper, and in another quote currency.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AccountId } from "../../domain/Account.ts"
import type { BotState } from "../../domain/Bot.ts"
import type * as Decimal from "../../domain/Decimal.ts"
import type { QuoteCurrency } from "../../domain/Market.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import type { Tally } from "../../trading/Performance.ts"
import { Directory } from "../directory/Directory.ts"
import { Portfolio } from "../Portfolio.ts"
import { StrategyStore } from "../StrategyStore.ts"

/** The most periods that are listed, the newest. */
export const MOST_PERIODS = 50

/** A period of a bot. Times in ms. */
export interface Period {
  readonly number: number
  readonly isLive: boolean
  readonly currency: QuoteCurrency
  readonly from: number
  /** Of an earlier period, when its last trade closed and when a later period with trades began (ms). */
  readonly ended?: { readonly closedAt: number; readonly until: number }
  readonly starting: Decimal.Decimal
  /** The bot's markets; none in an earlier period, since a bot holds nothing when its period ends. */
  readonly slots: BotState["slots"]
}

/** The periods of a bot, newest first: the present one, then those that have trades. */
export const periodsOf = Effect.fnUntraced(function* (
  strategy: StrategyId,
  { state, tally }: { readonly state: BotState; readonly tally: Tally }
) {
  const { live, period: number = 1, quote: currency, slots } = state
  const present: Period = {
    ...{ number, currency, slots },
    ...{ isLive: live !== undefined, from: tally.createdAt, starting: tally.starting }
  }
  if (number === 1) return [present]
  const records = yield* Effect.flatMap(Directory, (directory) => directory.periods(strategy, MOST_PERIODS))
  const found: Array<Period> = [present]
  for (const { currency, mode, period, tally, until } of records) {
    const after = found.at(-1) ?? present
    if (period >= after.number) continue
    found.push({
      ...{ number: period, currency, isLive: mode === "real", slots: {} },
      ...{ from: tally.createdAt, ended: { closedAt: until, until: after.from }, starting: tally.starting }
    })
  }
  return found
})

/** The periods of the caller's own strategy, newest first; none before its bot did anything. */
export const ofStrategy = Effect.fn("Compare.periods")(function* (account: AccountId, id: number) {
  const strategy = yield* Effect.flatMap(StrategyStore, (store) => store.get(account, id))
  const bot = yield* Effect.flatMap(Portfolio, (portfolio) => portfolio.bot(strategy.id))
  return bot === undefined ? [] : yield* periodsOf(strategy.id, bot)
})

/** The period of this number, or the present one. */
export const chosen = (periods: ReadonlyArray<Period>, number: number | undefined): Option.Option<Period> =>
  Option.fromNullable(number === undefined ? periods[0] : periods.find((period) => period.number === number))
