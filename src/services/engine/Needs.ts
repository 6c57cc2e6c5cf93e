import * as Option from "effect/Option"
import { type MarketId, marketKey } from "../../domain/Market.ts"
import type { Settings } from "../../domain/Strategy.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import { routesOf } from "../../trading/Routing.ts"
import * as Bell from "../Bell.ts"
import type { Catalogue } from "../Markets.ts"
import { pairKey } from "./Marks.ts"

/** Where spot and perpetual of one pair are. */
type Place = Pick<MarketId, "exchange" | "pair">

/**
 * Which markets' prices are needed, and for how long: those where a bot holds, awaits or has ordered something or keeps
 * an alert, and those where an alert for a strategy would be decided. Counted, so that each comes and goes at the cost
 * of the one bot or strategy that it comes and goes with.
 */
export class Needs {
  readonly #held = new Shared<MarketId>()
  readonly #listed = new Shared<Place>()
  readonly #changes = Bell.ofChanges()

  /** Waits until other markets may be needed than when they were asked for last. */
  get changed(): Bell.Changes["rings"] {
    return this.#changes.rings
  }

  /** What the bot of a strategy needs now, by market key. */
  hold(bot: StrategyId, markets: ReadonlyMap<string, MarketId>): void {
    for (const market of this.#held.put(bot, markets)) {
      // Where a strategy lists the pair, its prices come already.
      if (!this.#listed.has(pairKey(market))) return this.#changes.changed()
    }
  }

  /** What a strategy needs now: nothing where alerts are not heard, or open nothing. */
  list(strategy: StrategyId, settings: Settings | undefined): void {
    const isHeard = settings?.active === true && settings.signalId !== undefined
    const [moved] = this.#listed.put(strategy, isHeard ? placesOf(settings) : NOWHERE)
    if (moved !== undefined) this.#changes.changed()
  }

  /** All of them by this catalogue, each once, in order of their keys. */
  markets(catalogue: Catalogue): ReadonlyArray<MarketId> {
    this.#changes.reading()
    const found = new Map<string, MarketId>()
    for (const market of this.#held) found.set(marketKey(market), market)
    for (const place of this.#listed) {
      for (const kind of ["spot", "swap"] as const) {
        const id = { ...place, kind }
        if (Option.isSome(catalogue.market(id))) found.set(marketKey(id), id)
      }
    }
    return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, id]) => id)
  }
}

/** Things by key, each there for as long as an owner has it. */
class Shared<A> {
  readonly #own = new Map<number, ReadonlyMap<string, A>>()
  readonly #all = new Map<string, { readonly thing: A; owners: number }>()

  has(key: string): boolean {
    return this.#all.has(key)
  }

  *[Symbol.iterator](): Generator<A> {
    for (const { thing } of this.#all.values()) yield thing
  }

  /** What an owner has in place of what it had; what came or went for all of them. */
  put(owner: number, things: ReadonlyMap<string, A>): ReadonlyArray<A> {
    const before: ReadonlyMap<string, A> = this.#own.get(owner) ?? new Map()
    if (before === things) return []
    if (things.size === 0) this.#own.delete(owner)
    else this.#own.set(owner, things)
    const moved: Array<A> = []
    for (const [key, thing] of things) if (!before.has(key) && this.#take(key, thing)) moved.push(thing)
    for (const [key, thing] of before) if (!things.has(key) && this.#leave(key)) moved.push(thing)
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

/** Made once for each settings value, which never change. */
const placesOf = (settings: Settings): ReadonlyMap<string, Place> => {
  const known = places.get(settings)
  if (known !== undefined) return known
  const made = new Map<string, Place>()
  for (const [pair, exchange] of routesOf(settings)) made.set(pairKey({ exchange, pair }), { exchange, pair })
  places.set(settings, made)
  return made
}

const places = new WeakMap<Settings, ReadonlyMap<string, Place>>()
const NOWHERE: ReadonlyMap<string, Place> = new Map()
