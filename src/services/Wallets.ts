import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Decimal } from "../domain/Decimal.ts"
import type { Credentials } from "../domain/ExchangeAccount.ts"
import type { ExchangeAccountId } from "../domain/Live.ts"
import type { ExchangeName, MarketId } from "../domain/Market.ts"

/** An exchange did not tell; `reason` says why, in words that hold nothing of what it said. */
export class WalletUnavailable extends Schema.TaggedError<WalletUnavailable>()("WalletUnavailable", {
  reason: Schema.String
}) {
  override get message() {
    return this.reason
  }
}

/** What an account at an exchange holds of one asset: `free` to be used, and in `total` with what open orders hold. */
export interface Balance {
  readonly free: Decimal
  readonly total: Decimal
}

/** What an exchange says of a key: none where it does not tell. */
export interface Rights {
  readonly canTrade: Option.Option<boolean>
  readonly canWithdraw: Option.Option<boolean>
}

/** An account at an exchange as it is now. By asset, in upper case; what is not there is zero. */
export interface Wallet {
  readonly balances: ReadonlyMap<string, Balance>
  /** How far the exchange's clock is ahead of ours (ms). */
  readonly skewMs: number
}

/**
 * What exchanges say of accounts. A port; asks, and never trades.
 *
 * @category Ports
 */
export class Wallets extends Context.Tag("signalbox/services/Wallets")<
  Wallets,
  {
    /** Whether keys work, before they are kept: what they may do, and what they see. */
    readonly check: (
      exchange: ExchangeName,
      sandbox: boolean,
      credentials: Credentials
    ) => Effect.Effect<Wallet & Rights, WalletUnavailable>
    /** What an account holds. */
    readonly of: (account: ExchangeAccountId) => Effect.Effect<Wallet, WalletUnavailable>
    /** How much of a perpetual an account holds, in base: negative for a short. */
    readonly contracts: (
      account: ExchangeAccountId,
      market: MarketId
    ) => Effect.Effect<Decimal, WalletUnavailable>
  }
>() {}
