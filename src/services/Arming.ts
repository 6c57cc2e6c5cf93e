import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { AccountId } from "../domain/Account.ts"
import type { Decimal } from "../domain/Decimal.ts"
import type { ExchangeAccount } from "../domain/ExchangeAccount.ts"
import type { Armed, ArmedTerms } from "../domain/Live.ts"
import type { StrategyNotFound } from "../domain/Strategy.ts"

/** Why a strategy was not armed or disarmed; `detail` says what to do. */
export class ArmingRefused extends Schema.TaggedError<ArmingRefused>()("ArmingRefused", {
  reason: Schema.Literal(
    "not_flat",
    "armed_already",
    "not_armed",
    "unknown_exchange_account",
    "exchange_not_listed",
    "bad_terms",
    "balance_too_small",
    "account_unavailable",
    "may_withdraw",
    "halted",
    "confirmation_needed",
    "busy"
  ),
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

/** What arming would mean, in words to be agreed to; `confirmation` arms on these very terms, once, within minutes. */
export interface Proposal {
  readonly confirmation: string
  /** In ms. */
  readonly expiresAt: number
  readonly statement: string
  readonly warnings: ReadonlyArray<string>
}

/** How a strategy trades. */
export interface TradingMode {
  readonly mode: "paper" | "live" | "leaving"
  readonly armed?: Armed
  /** Absent where it was removed. */
  readonly exchangeAccount?: ExchangeAccount
  /** What the day has lost so far, in quote; negative for a gain. Absent without prices. */
  readonly lostToday?: Decimal
  /** Markets on which the exchange holds less than the books: the bot has stopped there. */
  readonly astray: ReadonlyArray<string>
}

/** Who may trade with real money, and on what terms. A use case; scoped to the caller's strategies. */
export class Arming extends Context.Tag("signalbox/services/Arming")<
  Arming,
  {
    readonly mode: (account: AccountId, strategy: number) => Effect.Effect<TradingMode, StrategyNotFound>
    /** Looks at everything that arming looks at, and changes nothing. */
    readonly propose: (
      account: AccountId,
      strategy: number,
      terms: ArmedTerms
    ) => Effect.Effect<Proposal, StrategyNotFound | ArmingRefused>
    /** Arms on proposed terms. */
    readonly arm: (
      account: AccountId,
      strategy: number,
      terms: ArmedTerms,
      confirmation: string
    ) => Effect.Effect<TradingMode, StrategyNotFound | ArmingRefused>
    /** No more real money: on paper at once where nothing is open, else once all of it is closed. */
    readonly disarm: (
      account: AccountId,
      strategy: number,
      how: { readonly close: boolean; readonly forget: boolean }
    ) => Effect.Effect<TradingMode, StrategyNotFound | ArmingRefused>
  }
>() {}
