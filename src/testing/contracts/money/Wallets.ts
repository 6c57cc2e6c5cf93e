// The contract of `Wallets`: the exact balances of an exchange account now, or a failure.
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { ExchangeAccountId } from "../../../domain/Arming.ts"
import * as Decimal from "../../../domain/Decimal.ts"
import type { Credentials } from "../../../domain/ExchangeAccount.ts"
import type { KnownExchange } from "../../../domain/Market.ts"
import { type Wallet, Wallets } from "../../../services/money/Wallets.ts"
import * as Contract from "../../Contract.ts"
import { expect } from "../../expect.ts"

/** The suite's exchange account, and how to change its balances. */
export interface Setup<R> {
  readonly exchange: KnownExchange
  /** An account there that is connected, and the keys that it is connected with. */
  readonly account: ExchangeAccountId
  readonly credentials: Credentials
  /** Makes the account hold just so much of an asset, all of it free. */
  readonly hold: (asset: string, amount: string) => Effect.Effect<unknown, unknown, R | Scope.Scope>
  /** Leaves the next request unanswered. */
  readonly fail: Effect.Effect<unknown, unknown, R | Scope.Scope>
}

/**
 * The promises of `Wallets`: the exact amounts that the exchange reports now, nothing assumed, and a failure where it
 * does not answer. An implementer asks each time, and never trades.
 */
export const suiteOf = <R = never>(ground: Setup<R>) =>
  Contract.suite<Wallets | R>("Wallets", (it) => {
    const { account, exchange, fail, hold } = ground
    const held = ({ balances }: Wallet, asset: string) =>
      Decimal.toText(balances.get(asset)?.total ?? Decimal.zero)

    it("a wallet has the exact total of each asset", () =>
      Effect.gen(function* () {
        const wallets = yield* Wallets
        yield* hold("BTC", "0.12345678")
        yield* hold("USDT", "1000.5")
        const wallet = yield* wallets.of(account)
        expect([held(wallet, "BTC"), held(wallet, "USDT")]).toEqual(["0.12345678", "1000.5"])
        expect(Decimal.toText(wallet.balances.get("USDT")?.free ?? Decimal.zero)).toBe("1000.5")
      }))

    it("balances are requested anew each time, so that a coin sold by hand is missing", () =>
      Effect.gen(function* () {
        const wallets = yield* Wallets
        yield* hold("BTC", "2")
        yield* wallets.of(account)
        yield* hold("BTC", "0.5")
        expect(held(yield* wallets.of(account), "BTC")).toBe("0.5")
      }))

    it("the check of keys shows the balances of their account before the keys are stored", () =>
      Effect.gen(function* () {
        const wallets = yield* Wallets
        yield* hold("USDT", "7")
        expect(held(yield* wallets.check(exchange, false, ground.credentials), "USDT")).toBe("7")
      }))

    it("an unanswered request is a failure, and never an empty wallet", () =>
      Effect.gen(function* () {
        const wallets = yield* Wallets
        yield* hold("BTC", "1")
        yield* fail
        const { _tag, message } = yield* Effect.flip(wallets.of(account))
        expect(_tag).toBe("WalletUnavailable")
        expect(message.length > 0 && message.length <= 200).toBe(true)
        expect(held(yield* wallets.of(account), "BTC")).toBe("1")
      }))

    it("an account that is not connected is a failure", () =>
      Effect.gen(function* () {
        const wallets = yield* Wallets
        const { _tag } = yield* Effect.flip(wallets.of(ExchangeAccountId.make(account + 1_000)))
        expect(_tag).toBe("WalletUnavailable")
      }))
  })
