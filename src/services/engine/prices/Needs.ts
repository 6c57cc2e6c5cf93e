import * as Option from "effect/Option"
import { type MarketId, marketKey, quoteOf } from "../../../domain/Market.ts"
import type { Settings } from "../../../domain/Strategy.ts"
import type { StrategyId } from "../../../domain/StrategyId.ts"
import { keyOf } from "../../../trading/bot/Keys.ts"
import { type Place, routesOf } from "../../../trading/Routing.ts"
import type { Catalogue } from "../../Markets.ts"
import * as Bell from "../../records/Bell.ts"
import { pairKey } from "./Marks.ts"

/**
 * Which markets' prices are needed, and for how long: those where a bot holds, awaits or has ordered something or keeps
 * an alert, and those where an alert for a strategy would be decided. Counted, so that each comes and goes at the cost
 * of the one bot or strategy that it comes and goes with.
 */
export class Needs {
  readonly #held = new Shared(keyOf)
  readonly #listed = new Shared<Place>(pairKey)
  readonly #changes = Bell.ofChanges()

  /** Waits until other markets may be needed than when they were asked for last. */
  get changed(): Bell.Changes["rings"] {
    return this.#changes.rings
  }

  /** What the bot of a strategy needs now. */
  hold(bot: StrategyId, markets: ReadonlyMap<string, MarketId>): void {
    for (const market of this.#held.put(bot, markets)) {
      // Where a strategy lists the pair, its prices come already.
      if (!this.#listed.has(pairKey(market))) return this.#changes.changed()
    }
  }

  /** What a strategy needs now: nothing where alerts are not heard, or open nothing. */
  list(strategy: StrategyId, settings: Settings | undefined): void {
    const isHeard = settings?.active === true && settings.signalId !== undefined
    const [moved] = this.#listed.put(strategy, isHeard ? tradableOf(settings) : NOWHERE)
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

/** Where alerts for a strategy may open something: in its own currency. Found once for each settings. */
const tradableOf = (settings: Settings): ReadonlyMap<string, Place> => {
  const known = tradable.get(settings)
  if (known !== undefined) return known
  const made = new Map([...routesOf(settings)].filter(([, { pair }]) => quoteOf(pair) === settings.quote))
  tradable.set(settings, made)
  return made
}

const tradable = new WeakMap<Settings, ReadonlyMap<string, Place>>()

/** Things that several owners have, each there for as long as one of them does. */
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

  /** What an owner has in place of what it had; what came or went for all of them. */
  put(owner: number, things: ReadonlyMap<string, A>): ReadonlyArray<A> {
    const before = this.#own.get(owner)
    if (before === things || (before === undefined && things.size === 0)) return []
    if (things.size === 0) this.#own.delete(owner)
    else this.#own.set(owner, things)
    const moved: Array<A> = []
    // What stays is never gone: it is taken once more before it is left.
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
