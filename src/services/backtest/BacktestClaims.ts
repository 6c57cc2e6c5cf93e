// Which accounts have a back-test under way on some server. One server alone knows by itself.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { AccountId } from "../../domain/Account.ts"

/** The claims. Servers that share a database share them there. */
export class BacktestClaims extends Context.Reference<BacktestClaims>()(
  "signalbox/services/backtest/BacktestClaims",
  {
    defaultValue: (): {
      /** Whether the account has no back-test on another server; it has one here from then on. */
      readonly take: (account: AccountId) => Effect.Effect<boolean>
      readonly release: (account: AccountId) => Effect.Effect<void>
    } => ({ take: () => Effect.succeed(true), release: () => Effect.void })
  }
) {}
