// The contract of `Wallets`: what an exchange account holds.
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { ExchangeAccountId } from "../../../domain/Arming.ts"
import * as Decimal from "../../../domain/Decimal.ts"
import type { Credentials } from "../../../domain/ExchangeAccount.ts"
import type { ExchangeName } from "../../../domain/Market.ts"
import { type Wallet, Wallets } from "../../../services/money/Wallets.ts"
import * as Contract from "../../Contract.ts"
import { expect } from "../../expect.ts"

/** What an exchange of the suite holds, and how it is made to hold it. */
export interface Setup<R> {
  readonly exchange: ExchangeName
  /** An account there that is connected, and the keys that it is connected with. */
  readonly account: ExchangeAccountId
  readonly credentials: Credentials
  /** Makes the account hold just so much of an asset, all of it free. */
  readonly hold: (asset: string, amount: string) => Effect.Effect<unknown, unknown, R | Scope.Scope>
  /** Makes the next question go unanswered. */
  readonly fail: Effect.Effect<unknown, unknown, R | Scope.Scope>
}

/**
 * What `Wallets` promises to whoever looks after positions: the exact amounts that the exchange tells now, nothing made
 * up, and a failure where it does not tell. An implementer asks each time, and never trades.
 */
export const suiteOf = <R = never>(ground: Setup<R>) =>
  Contract.suite<Wallets | R>("Wallets", (it) => {
    const { account, exchange, fail, hold } = ground
    const held = ({ balances }: Wallet, asset: string) =>
      Decimal.toText(balances.get(asset)?.total ?? Decimal.zero)

    it("tells what is there, to the last digit, and of each asset by itself", () =>
      Effect.gen(function* () {
        const wallets = yield* Wallets
        yield* hold("BTC", "0.12345678")
        yield* hold("USDT", "1000.5")
        const wallet = yield* wallets.of(account)
        expect([held(wallet, "BTC"), held(wallet, "USDT")]).toEqual(["0.12345678", "1000.5"])
        expect(Decimal.toText(wallet.balances.get("USDT")?.free ?? Decimal.zero)).toBe("1000.5")
      }))

    it("asks anew each time: what was sold by hand is gone", () =>
      Effect.gen(function* () {
        const wallets = yield* Wallets
        yield* hold("BTC", "2")
        yield* wallets.of(account)
        yield* hold("BTC", "0.5")
        expect(held(yield* wallets.of(account), "BTC")).toBe("0.5")
      }))

    it("keys are looked at before they are kept: what they see is what the account holds", () =>
      Effect.gen(function* () {
        const wallets = yield* Wallets
        yield* hold("USDT", "7")
        expect(held(yield* wallets.check(exchange, false, ground.credentials), "USDT")).toBe("7")
      }))

    it("what is not told is a failure, and never an empty wallet", () =>
      Effect.gen(function* () {
        const wallets = yield* Wallets
        yield* hold("BTC", "1")
        yield* fail
        const { _tag, message } = yield* Effect.flip(wallets.of(account))
        expect(_tag).toBe("WalletUnavailable")
        expect(message.length > 0 && message.length <= 200).toBe(true)
        expect(held(yield* wallets.of(account), "BTC")).toBe("1")
      }))

    it("an account that nobody connected is a failure too", () =>
      Effect.gen(function* () {
        const wallets = yield* Wallets
        const { _tag } = yield* Effect.flip(wallets.of(ExchangeAccountId.make(account + 1_000)))
        expect(_tag).toBe("WalletUnavailable")
      }))
  })
