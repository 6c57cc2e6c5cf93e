import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { ExchangeAccountId } from "../../domain/Arming.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { Credentials } from "../../domain/ExchangeAccount.ts"
import type { ExchangeName, MarketId } from "../../domain/Market.ts"

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
  readonly free: Decimal.Decimal
  readonly total: Decimal.Decimal
}

/** What an exchange says of a key: none where it does not tell. */
export interface Rights {
  readonly canTrade: Option.Option<boolean>
  readonly canWithdraw: Option.Option<boolean>
  /** Whose key it is, as the exchange numbers its customers: to be compared, and not to be shown. */
  readonly identity?: string
}

/**
 * An account at an exchange as it is now, by asset, in upper case. `isWhole` says whether the exchange told of all that
 * is there: only then an asset that is not among the balances is zero. `unread` are assets of which the exchange named
 * no amount. Ask `balanceOf`.
 */
export interface Wallet {
  readonly balances: ReadonlyMap<string, Balance>
  readonly isWhole: boolean
  readonly unread?: ReadonlySet<string>
  /** How far the exchange's clock is ahead of ours (ms). */
  readonly skewMs: number
}

/**
 * What a wallet says of one asset. None where that is unknown: an incomplete wallet can hold more than it tells, also of
 * an asset that it names.
 */
export const balanceOf = (
  { balances, isWhole, unread }: Pick<Wallet, "balances" | "isWhole" | "unread">,
  asset: string
): Option.Option<Balance> =>
  isWhole && unread?.has(asset) !== true ? Option.some(balances.get(asset) ?? EMPTY) : Option.none()
const EMPTY: Balance = { free: Decimal.zero, total: Decimal.zero }

/** What accounts at exchanges are to hold: for tests. What is left out holds nothing, and its keys may all but withdraw. */
export interface Script {
  readonly check?: (
    exchange: ExchangeName,
    sandbox: boolean
  ) => Effect.Effect<Wallet & Rights, WalletUnavailable>
  readonly of?: (account: ExchangeAccountId) => Effect.Effect<Wallet, WalletUnavailable>
  readonly contracts?: (
    account: ExchangeAccountId,
    market: MarketId
  ) => Effect.Effect<Decimal.Decimal, WalletUnavailable>
}

/** A wallet with so much of each asset, all of it free: `{ BTC: "0.5" }`. */
export const holding = (assets: Readonly<Record<string, string>>): Wallet => ({
  balances: new Map(
    Object.entries(assets).map(([asset, text]) => {
      const total = Decimal.unsafeFromText(text)
      return [asset, { free: total, total }]
    })
  ),
  isWhole: true,
  skewMs: 0
})

/**
 * What exchanges say of accounts. A port; asks, and never trades.
 *
 * **Whoever implements it keeps**
 *
 * - Exactness: amounts come as the exchange wrote them, with what open orders hold in `total`.
 * - Freshness: each question is asked anew.
 * - Errors: what was not told, or cannot be read, is `WalletUnavailable`, and never an empty wallet: bots stop where less
 *   is there than they hold. Its words are ours, and hold nothing of a key.
 * - Wholeness: a wallet of which only a part was told is not `isWhole`, and nothing in it counts as zero.
 *
 * **Proved by** `WalletsContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class Wallets extends Context.Tag("signalbox/services/money/Wallets")<
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
    ) => Effect.Effect<Decimal.Decimal, WalletUnavailable>
  }
>() {
  /** Tells what the script says, asked each time. */
  static readonly layerMemory = (script: Script = {}) =>
    Layer.succeed(Wallets, {
      check: Effect.fn("Wallets.check")((exchange, sandbox) =>
        script.check === undefined
          ? Effect.succeed({ ...holding({}), ...HARMLESS })
          : script.check(exchange, sandbox)
      ),
      of: Effect.fn("Wallets.of")((account) =>
        script.of === undefined ? Effect.succeed(holding({})) : script.of(account)
      ),
      contracts: Effect.fn("Wallets.contracts")((account, market) =>
        script.contracts === undefined ? Effect.succeed(Decimal.zero) : script.contracts(account, market)
      )
    })
}

const HARMLESS: Rights = { canTrade: Option.some(true), canWithdraw: Option.some(false) }
