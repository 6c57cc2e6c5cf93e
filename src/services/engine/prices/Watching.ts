import * as Effect from "effect/Effect"
import type { MarketId } from "../../../domain/Market.ts"
import type { Strategy } from "../../../domain/Strategy.ts"
import { type Catalogue, Markets } from "../../Markets.ts"
import { StrategyStore } from "../../StrategyStore.ts"
import { Tickers } from "../../Tickers.ts"
import type { Needs } from "./Needs.ts"

/** How soon after one change of the markets the next is told; how often the catalogue is looked at. */
const PAUSE_MS = 100
const LOOK_MS = 1000

/**
 * Tells the feed which markets' prices are needed. Both go on outside of any turn, and are to be run again and again:
 * each ends when there may be something new to tell.
 */
export const make = Effect.fnUntraced(function* (needs: Needs, loaded: ReadonlyArray<Strategy>) {
  const store = yield* StrategyStore
  const markets = yield* Markets
  const tickers = yield* Tickers

  /** In which revision the strategies that follow a signal are known. */
  const known = new Map<Strategy["id"], number>()
  const learn = ({ id, revision, settings }: Strategy): void => {
    known.set(id, revision)
    needs.list(id, settings)
  }
  for (const strategy of loaded) if (strategy.settings.signalId !== undefined) learn(strategy)

  /** Only what has changed is read: there may be thousands, with hundreds of pairs each. */
  const listen = Effect.gen(function* () {
    const now = new Map((yield* store.following).map(({ id, revision }) => [id, revision]))
    for (const id of known.keys()) if (!now.has(id)) forget(id)
    const changed = new Set([...now.keys()].filter((id) => known.get(id) !== now.get(id)))
    if (changed.size > 0) for (const strategy of yield* store.among(changed)) learn(strategy)
    yield* store.changed
  })
  const forget = (id: Strategy["id"]): void => {
    known.delete(id)
    needs.list(id, undefined)
  }

  let told: ReadonlyArray<MarketId> = []
  let seen: Catalogue | undefined
  let isBehind = true

  /** Told at once; what comes up right after that waits for a moment. */
  const tell = Effect.gen(function* () {
    const catalogue = yield* markets.catalogue
    if (isBehind || catalogue !== seen) {
      // Until it is told: should that fail, it is told again.
      isBehind = true
      const wanted = needs.markets(catalogue)
      if (!areSame(wanted, told)) {
        yield* tickers.watch(wanted)
        told = wanted
        yield* Effect.sleep(PAUSE_MS)
      }
      seen = catalogue
    }
    // Another process may have made the catalogue anew.
    isBehind = yield* Effect.timeoutTo(needs.changed, {
      duration: LOOK_MS,
      onSuccess: () => true,
      onTimeout: () => false
    })
  })

  return { listen, tell }
})

const areSame = (one: ReadonlyArray<MarketId>, other: ReadonlyArray<MarketId>): boolean =>
  one.length === other.length &&
  one.every(({ exchange, kind, pair }, place) => {
    const there = other[place]
    return there?.exchange === exchange && there.pair === pair && there.kind === kind
  })
