// The markets whose prices are needed, counted by owner: those where a bot has a position, an order or a held alert,
// those where an alert would be decided, and those that rules look at. Adding or dropping an owner costs only that owner's markets.
import * as Option from "effect/Option"
import { type MarketId, marketKey } from "../../../domain/Market.ts"
import type { Settings } from "../../../domain/Strategy.ts"
import type { StrategyId } from "../../../domain/StrategyId.ts"
import { keyOf } from "../../../trading/bot/Keys.ts"
import { type Place, tradableOf } from "../../../trading/Routing.ts"
import type { Catalogue } from "../../Markets.ts"
import * as ChangeSignal from "../../records/ChangeSignal.ts"
import { pairKey } from "./LastPrices.ts"

/** The registry of needs. */
export class NeededMarkets {
  readonly #held = new Shared(keyOf)
  readonly #listed = new Shared<Place>(pairKey)
  #also: ReadonlyMap<string, MarketId> = new Map()
  readonly #changes = ChangeSignal.ofChanges()

  /** Waits until the needed markets may have changed since `markets` was last read. */
  get changed(): ChangeSignal.Changes["rings"] {
    return this.#changes.rings
  }

  /** Sets what a strategy's bot needs now. */
  hold(bot: StrategyId, markets: ReadonlyMap<string, MarketId>): void {
    for (const market of this.#held.put(bot, markets)) {
      // A pair that a strategy lists is streamed already.
      if (!this.#listed.has(pairKey(market))) return this.#changes.changed()
    }
  }

  /** Sets what a strategy needs for its alerts: nothing while it is inactive or follows no signal. */
  list(strategy: StrategyId, settings: Settings | undefined): void {
    const isHeard = settings?.active === true && settings.signalId !== undefined
    const [moved] = this.#listed.put(strategy, isHeard ? tradableOf(settings) : NOWHERE)
    if (moved !== undefined) this.#changes.changed()
  }

  /** Sets the markets that rules of signals look at, in place of those before. */
  watchAlso(markets: ReadonlyArray<MarketId>): void {
    const also = new Map(markets.map((market) => [marketKey(market), market]))
    const isSame = also.size === this.#also.size && [...also.keys()].every((key) => this.#also.has(key))
    this.#also = also
    if (!isSame) this.#changes.changed()
  }

  /** All needed markets that the catalogue lists, each once, sorted by key. */
  markets(catalogue: Catalogue): ReadonlyArray<MarketId> {
    this.#changes.reading()
    const found = new Map<string, MarketId>()
    for (const market of this.#held) found.set(marketKey(market), market)
    for (const [key, market] of this.#also)
      if (Option.isSome(catalogue.market(market))) found.set(key, market)
    for (const place of this.#listed) {
      for (const kind of ["spot", "swap"] as const) {
        const id = { ...place, kind }
        if (Option.isSome(catalogue.market(id))) found.set(marketKey(id), id)
      }
    }
    return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, id]) => id)
  }
}

/** Things counted by owner: each exists while at least one owner has it. */
class Shared<A> {
  readonly #keyOf: (thing: A) => string
  readonly #own = new Map<number, ReadonlyMap<string, A>>()
  readonly #all = new Map<string, { readonly thing: A; owners: number }>()

  constructor(keyOf: (thing: A) => string) {
    this.#keyOf = keyOf
  }

  has(key: string): boolean {
    return this.#all.has(key)
  }

  *[Symbol.iterator](): Generator<A> {
    for (const { thing } of this.#all.values()) yield thing
  }

  /** Replaces what an owner has; returns what appeared or disappeared for all owners together. */
  put(owner: number, things: ReadonlyMap<string, A>): ReadonlyArray<A> {
    const before = this.#own.get(owner)
    if (before === things || (before === undefined && things.size === 0)) return []
    if (things.size === 0) this.#own.delete(owner)
    else this.#own.set(owner, things)
    const moved: Array<A> = []
    // Take before leaving, so that what stays is never dropped in between.
    for (const thing of things.values()) if (this.#take(this.#keyOf(thing), thing)) moved.push(thing)
    for (const thing of before?.values() ?? []) if (this.#leave(this.#keyOf(thing))) moved.push(thing)
    return moved
  }

  #take(key: string, thing: A): boolean {
    const shared = this.#all.get(key)
    if (shared === undefined) this.#all.set(key, { thing, owners: 1 })
    else shared.owners++
    return shared === undefined
  }

  #leave(key: string): boolean {
    const shared = this.#all.get(key)
    if (shared !== undefined && shared.owners > 1) {
      shared.owners--
      return false
    }
    return this.#all.delete(key)
  }
}

const NOWHERE: ReadonlyMap<string, Place> = new Map()
