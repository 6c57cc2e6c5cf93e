import type { MarketId } from "../domain/Market.ts"
import type { Alerts } from "../domain/requests/BacktestRequest.ts"
import type { Violation } from "../domain/requests/Violations.ts"
import type { Wanted } from "../services/backtest/Wanted.ts"
import type * as BacktestMarkets from "../trading/backtest/BacktestMarkets.ts"

/** What a worker is told: first the body of a request, then all that it has to be answered with. */
export type Message =
  | { readonly _tag: "Read"; readonly body: Uint8Array }
  | {
      readonly _tag: "Run"
      readonly ground: typeof BacktestMarkets.MarketsMessage.Encoded
      readonly alerts: Wanted | undefined
      readonly database: string
    }

/** What it answers: what has to be known, then what came of it as JSON; or why there is nothing to come of it. */
export type Answer =
  | {
      readonly _tag: "Asks"
      /** Whose markets it has to know: those of the candles, and those that the strategy lists. */
      readonly places: ReadonlyArray<Pick<MarketId, "exchange" | "pair">>
      readonly alerts: Extract<Alerts, { _tag: "OnRecord" }> | undefined
    }
  | { readonly _tag: "Done"; readonly json: string }
  | { readonly _tag: "Refused"; readonly violations: ReadonlyArray<Violation> }
  | { readonly _tag: "Unreadable"; readonly text: string }
