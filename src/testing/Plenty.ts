import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Decimal from "../domain/Decimal.ts"
import { type Balance, Wallets, WalletUnavailable } from "../services/money/Wallets.ts"

const enough = Decimal.unsafeFromText("1000000000000")
const PLENTY: Balance = { free: enough, total: enough }

/** More of every asset than anybody counts on, be it named or not. */
class Bottomless extends Map<string, Balance> {
  override get(): Balance {
    return PLENTY
  }
}

const wallet = { balances: new Bottomless(), isWhole: true, skewMs: 0 }
const rights = { canTrade: Option.some(true), canWithdraw: Option.some(false) }

/** An account that has whatever its strategies believe to have: nothing goes astray. */
export const layer = Wallets.layerMemory({
  check: () => Effect.succeed({ ...wallet, ...rights }),
  of: () => Effect.succeed(wallet),
  contracts: () => new WalletUnavailable({ reason: "nobody counts contracts in a test" })
})
