// Tells the price feed which markets are needed. It runs outside of any turn; a failed call is repeated.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { MarketId } from "../../../domain/Market.ts"
import { partitionOf } from "../../../domain/Partition.ts"
import type { Strategy } from "../../../domain/Strategy.ts"
import { Venues } from "../../feeds/Venues.ts"
import { constantOf } from "../../internal/Waiting.ts"
import { type Catalogue, Markets } from "../../Markets.ts"
import { StrategyStore } from "../../StrategyStore.ts"
import { Tickers } from "../../Tickers.ts"
import type { EngineState } from "../EngineState.ts"
import type { NeededMarkets } from "./NeededMarkets.ts"

/** The pause after one change of the markets, and how often the catalogue is read (ms). */
const PAUSE_MS = 100
const LOOK_MS = 1000

/** Makes the two loops; each ends when there may be something new to tell. */
export const make = Effect.fnUntraced(function* ({ needs, share }: Pick<EngineState, "needs" | "share">) {
  const store = yield* StrategyStore
  const markets = yield* Markets
  const tickers = yield* Tickers
  const exchanges = new Set((yield* Venues).exchanges)

  /** The known revision of each strategy that follows a signal. */
  const known = new Map<Strategy["id"], number>()
  const learn = ({ id, revision, settings }: Strategy): void => {
    known.set(id, revision)
    needs.list(id, settings)
  }

  /** Reads only strategies whose revision has changed: there may be thousands, with hundreds of pairs each. */
  const listen = Effect.gen(function* () {
    const { partitions } = share
    const own = (yield* store.following).filter(({ account }) => partitions.has(partitionOf(account)))
    const now = new Map(own.map(({ id, revision }) => [id, revision]))
    for (const id of known.keys()) if (!now.has(id)) forget(id)
    const changed = new Set([...now.keys()].filter((id) => known.get(id) !== now.get(id)))
    if (changed.size > 0) for (const strategy of yield* store.among(changed)) learn(strategy)
    yield* Effect.raceFirst(store.changed, share.changed)
  })
  const forget = (id: Strategy["id"]): void => {
    known.delete(id)
    needs.list(id, undefined)
  }

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
  return {
    /** Takes in strategies that are known already, so that they need not be read again. */
    learn: (strategies: Iterable<Strategy>) => {
      for (const strategy of strategies) if (strategy.settings.signalId !== undefined) learn(strategy)
    },
    listen,
    updateFeed
  }
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

export type MarketWatch = Effect.Effect.Success<ReturnType<typeof make>>

const areSame = (one: ReadonlyArray<MarketId>, other: ReadonlyArray<MarketId>): boolean =>
  one.length === other.length &&
  one.every(({ exchange, kind, pair }, place) => {
    const there = other[place]
    return there?.exchange === exchange && there.pair === pair && there.kind === kind
  })
