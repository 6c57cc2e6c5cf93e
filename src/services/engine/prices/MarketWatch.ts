// Tells the price feed which markets are needed. It runs outside of any turn; a failed call is repeated.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { MarketId } from "../../../domain/Market.ts"
import { Venues } from "../../feeds/Venues.ts"
import { constantOf } from "../../internal/Waiting.ts"
import { type Catalogue, Markets } from "../../Markets.ts"
import { Tickers } from "../../Tickers.ts"
import type { EngineState } from "../EngineState.ts"
import type { NeededMarkets } from "./NeededMarkets.ts"

/** The pause after one change of the markets, and how often the catalogue is read (ms). */
const PAUSE_MS = 100
const LOOK_MS = 1000

/** Makes the loop, which ends when there may be something new to tell. */
export const make = Effect.fnUntraced(function* ({ needs }: Pick<EngineState, "needs">) {
  const markets = yield* Markets
  const tickers = yield* Tickers
  const exchanges = new Set((yield* Venues).exchanges)

  let watched: ReadonlyArray<MarketId> = []
  let seen: Catalogue | undefined
  let isBehind = true
  const isChanged = changing(needs, markets)

  /** Tells the feed at once, then pauses before the next change. */
  const updateFeed = Effect.gen(function* () {
    const catalogue = yield* markets.catalogue
    if (isBehind || catalogue !== seen) {
      // Stays set until the feed has the markets, so that an error leads to another try.
      isBehind = true
      const wanted = needs.markets(catalogue).filter(({ exchange }) => exchanges.has(exchange))
      if (!areSame(wanted, watched)) {
        yield* tickers.watch(wanted)
        watched = wanted
        yield* Effect.sleep(PAUSE_MS)
      }
      seen = catalogue
    }
    isBehind = yield* isChanged
  })
  return updateFeed
})

/** Makes the wait for changed needs: whether they have changed. Another process may refresh the catalogue, unless that is a constant. */
const changing = (needs: NeededMarkets, markets: typeof Markets.Service): Effect.Effect<boolean> =>
  Option.isSome(constantOf(markets.catalogue))
    ? Effect.as(needs.changed, true)
    : Effect.timeoutTo(needs.changed, {
        duration: LOOK_MS,
        onSuccess: () => true,
        onTimeout: () => false
      })

const areSame = (one: ReadonlyArray<MarketId>, other: ReadonlyArray<MarketId>): boolean =>
  one.length === other.length &&
  one.every(({ exchange, kind, pair }, place) => {
    const there = other[place]
    return there?.exchange === exchange && there.pair === pair && there.kind === kind
  })
