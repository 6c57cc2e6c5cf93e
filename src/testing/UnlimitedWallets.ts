// Exchange accounts with unlimited balances, for tests in which no order may fail for lack of money.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Decimal from "../domain/Decimal.ts"
import { type Balance, Wallets, WalletUnavailable } from "../services/money/Wallets.ts"

const enough = Decimal.unsafeFromText("1000000000000")
const PLENTY: Balance = { free: enough, total: enough }

/** Holds a huge balance of every asset, named or not. */
class Bottomless extends Map<string, Balance> {
  override get(): Balance {
    return PLENTY
  }
}

const wallet = { balances: new Bottomless(), isWhole: true, skewMs: 0 }
const rights = { canTrade: Option.some(true), canWithdraw: Option.some(false) }

/** Wallets whose balances always cover the strategies' positions. */
export const layer = Wallets.layerMemory({
  check: () => Effect.succeed({ ...wallet, ...rights }),
  of: () => Effect.succeed(wallet),
  contracts: () => new WalletUnavailable({ reason: "nobody counts contracts in a test" })
})
