// Who asks an exchange for its markets when somebody names a pair that is not known, or when the operator asks for it, as
// a reference: without a layer nobody does, so that a server in memory or in a replay needs no network.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { ExchangeName } from "../../domain/Market.ts"

/** How far the last refresh of an exchange's markets is. Times in seconds since the Unix epoch. */
export interface RefreshState {
  readonly stage: "waiting" | "running" | "done" | "failed"
  /** Since when. */
  readonly at: number
  /** Before this time nothing asks the exchange again; undefined where it may be asked at once. */
  readonly notBefore: number | undefined
  /** Why it failed. */
  readonly failure: string | undefined
}

/** Refreshes markets on request. */
export class MarketRefresher extends Context.Reference<MarketRefresher>()(
  "signalbox/services/feeds/MarketRefresher",
  {
    defaultValue: (): {
      /** Whether anything is refreshed at all. */
      readonly isOn: boolean
      /** Begins a refresh without waiting for it; returns what is done about the exchange, undefined where nothing is. */
      readonly ask: (exchange: ExchangeName) => Effect.Effect<string | undefined>
      /** The refreshes since the start, by exchange. */
      readonly states: Effect.Effect<ReadonlyMap<ExchangeName, RefreshState>>
    } => ({
      isOn: false,
      ask: () => Effect.succeed(undefined),
      states: Effect.succeed(new Map())
    })
  }
) {}
