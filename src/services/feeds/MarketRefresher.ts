// Who asks an exchange for its markets when somebody names a pair that is not known, as a reference: without a layer
// nobody does, so that a server in memory or in a replay needs no network.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { ExchangeName } from "../../domain/Market.ts"

/** Refreshes markets on request. */
export class MarketRefresher extends Context.Reference<MarketRefresher>()(
  "signalbox/services/feeds/MarketRefresher",
  {
    defaultValue: (): {
      /** Begins a refresh without waiting for it; returns what is done about the exchange, undefined where nothing is. */
      readonly ask: (exchange: ExchangeName) => Effect.Effect<string | undefined>
    } => ({ ask: () => Effect.succeed(undefined) })
  }
) {}
