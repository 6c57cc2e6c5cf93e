// The port that reads balances and permissions of accounts at exchanges, with an in-memory layer for tests. It never
// trades; an unknown balance is an error, never zero.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { ExchangeAccountId } from "../../domain/Arming.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { Credentials } from "../../domain/ExchangeAccount.ts"
import type { KnownExchange, MarketId } from "../../domain/Market.ts"

/** An exchange did not report; `reason` says why, without quoting the exchange. */
export class WalletUnavailable extends Schema.TaggedError<WalletUnavailable>()("WalletUnavailable", {
  reason: Schema.String
}) {
  override get message() {
    return this.reason
  }
}

/** The balance of one asset: `free` to use, and `total` including what open orders hold. */
export interface Balance {
  readonly free: Decimal.Decimal
  readonly total: Decimal.Decimal
}

/** A key's permissions as the exchange reports them; none where it does not. */
export interface Rights {
  readonly canTrade: Option.Option<boolean>
  readonly canWithdraw: Option.Option<boolean>
  /** The exchange's id of the key's owner: to be compared, not shown. */
  readonly identity?: string
}

/**
 * The balances of an exchange account now, by asset in upper case. `isWhole`: the exchange reported everything, and
 * only then a missing asset is zero. `unread` are assets that were reported without an amount. Read it with
 * `balanceOf`.
 */
export interface Wallet {
  readonly balances: ReadonlyMap<string, Balance>
  readonly isWhole: boolean
  readonly unread?: ReadonlySet<string>
  /** How far the exchange's clock is ahead of ours (ms). */
  readonly skewMs: number
}

/**
 * The balance of one asset. None where it is unknown: an incomplete wallet may hold more than it reports, also of an
 * asset that it names.
 */
export const balanceOf = (
  { balances, isWhole, unread }: Pick<Wallet, "balances" | "isWhole" | "unread">,
  asset: string
): Option.Option<Balance> =>
  isWhole && unread?.has(asset) !== true ? Option.some(balances.get(asset) ?? EMPTY) : Option.none()
const EMPTY: Balance = { free: Decimal.zero, total: Decimal.zero }

/** The answers of a test's exchanges. Without them, accounts are empty, and keys may trade and not withdraw. */
export interface Script {
  readonly check?: (
    exchange: KnownExchange,
    sandbox: boolean
  ) => Effect.Effect<Wallet & Rights, WalletUnavailable>
  readonly of?: (account: ExchangeAccountId) => Effect.Effect<Wallet, WalletUnavailable>
  readonly contracts?: (
    account: ExchangeAccountId,
    market: MarketId
  ) => Effect.Effect<Decimal.Decimal, WalletUnavailable>
}

/** A wallet with these amounts, all of them free: `{ BTC: "0.5" }`. */
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
 * Reads accounts at exchanges. A port; it asks, and never trades.
 *
 * **An implementation keeps**
 *
 * - Exactness: amounts are as the exchange wrote them, with what open orders hold in `total`.
 * - Freshness: every call asks the exchange.
 * - Errors: what was not reported, or cannot be read, is `WalletUnavailable`, and never an empty wallet: bots stop
 *   where less is there than they hold. Its words are ours, and hold nothing of a key.
 * - Wholeness: a wallet that was reported in part is not `isWhole`, and nothing in it counts as zero.
 *
 * **Proved by** `WalletsContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class Wallets extends Context.Tag("signalbox/services/money/Wallets")<
  Wallets,
  {
    /** Checks keys before they are stored: their permissions and balances. */
    readonly check: (
      exchange: KnownExchange,
      sandbox: boolean,
      credentials: Credentials
    ) => Effect.Effect<Wallet & Rights, WalletUnavailable>
    /** Reads an account's balances. */
    readonly of: (account: ExchangeAccountId) => Effect.Effect<Wallet, WalletUnavailable>
    /** Reads an account's position in a perpetual, in base: negative for a short. */
    readonly contracts: (
      account: ExchangeAccountId,
      market: MarketId
    ) => Effect.Effect<Decimal.Decimal, WalletUnavailable>
  }
>() {
  /** Answers from the script. */
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
