import * as Option from "effect/Option"
import type { BotState } from "../../domain/Bot.ts"
import { type MarketId, marketKey } from "../../domain/Market.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import { ofLast, type Ticker } from "../../domain/Ticker.ts"
import { isOneAccount } from "../../trading/Arming.ts"
import { keyOf } from "../../trading/bot/Keys.ts"
import { type Place, routesOf } from "../../trading/Routing.ts"
import { follow, type Window } from "../../trading/Watch.ts"
import { WindowIndex } from "../../trading/watch/WindowIndex.ts"
import type { BotRecord } from "../Portfolio.ts"
import { Holding } from "./Holding.ts"
import { pairKey } from "./prices/Marks.ts"
import type { Needs } from "./prices/Needs.ts"

/** A strategy with its bot, in memory: the very rows that the portfolio holds. */
export interface BotEntry {
  strategy: Strategy
  record: BotRecord
  readonly held: Holding
  /** By market key: what could change the bot's mind when it was looked at last; trails move on in the roster. */
  windows: ReadonlyMap<string, Window>
  /** When time alone can change it (ms). */
  wakesAt: number
  /** Whether the time of alerts that it holds may have run out already: at the start, and where there were many. */
  overdue: boolean
  /** Whether a trail has moved since the bot was last stored. */
  moved: boolean
  /** Whether its last event could not be decided, by a flaw of ours: said once, not at every price. */
  ailing: boolean
  /** Whether a halt binds it, and whether it has been told so. */
  halted: boolean
  haltTold: boolean
}

/** A strategy with its bot as it is stored, before it has looked at anything. */
export const fresh = (strategy: Strategy, record: BotRecord): BotEntry => ({
  strategy,
  record,
  held: new Holding(),
  windows: new Map(),
  wakesAt: Number.POSITIVE_INFINITY,
  overdue: true,
  moved: false,
  ailing: false,
  halted: false,
  haltTold: false
})

/** Whether the bot gets no events: it came to no end with one, or the operator said so. */
export const isAside = ({ record }: BotEntry): boolean => record.state.setAside !== undefined

/** All bots, and which of them a price concerns. */
export class Roster {
  readonly #bots = new Map<number, BotEntry>()
  readonly #crowds = new Map<string, WindowIndex>()
  readonly #concerned = new Listing()
  readonly #holding = new Listing()
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  get(id: StrategyId): Option.Option<BotEntry> {
    return Option.fromNullable(this.#bots.get(id))
  }

  all(): Iterable<BotEntry> {
    return this.#bots.values()
  }

  /** Binds an account's bots at once; they are told with the next change of the halts. */
  halt(account: Strategy["account"]): void {
    for (const bot of this.#bots.values()) if (bot.strategy.account === account) bot.halted = true
  }

  put(bot: BotEntry): void {
    this.#bots.set(bot.strategy.id, bot)
    this.reindex(bot)
  }

  delete(id: StrategyId): void {
    const bot = this.#bots.get(id)
    if (bot === undefined) return
    this.watch(bot, new Map())
    this.#concerned.list(bot, NOTHING)
    this.#holding.list(bot, NOTHING)
    this.#needs.hold(id, NOWHERE)
    this.#bots.delete(id)
  }

  /** Those that hold, await or have ordered something on this pair, in order of their strategies' ids. */
  concerned(market: Place): ReadonlyArray<BotEntry> {
    return this.#concerned.at(pairKey(market))
  }

  /**
   * Whether another bot that trades with real money on the bot's account at the exchange has a position or an order on this
   * perpetual. What is decided counts, sent or not; one that is being disarmed counts until it is flat.
   */
  isPerpetualInUse(bot: BotEntry, id: MarketId): boolean {
    const { live } = bot.record.state
    if (live === undefined) return false
    return this.concerned(id).some(({ record: { state }, strategy }) => {
      if (strategy.id === bot.strategy.id || state.live === undefined || !isOneAccount(live, state.live))
        return false
      const slot = state.slots[keyOf(id)]
      return (slot?.position ?? slot?.order ?? slot?.stop) !== undefined
    })
  }

  /** To be called when a bot's slots, held alerts or settings have changed. Costs what the bot holds. */
  reindex(bot: BotEntry): void {
    const held = isAside(bot) ? NOTHING : heldAt(bot)
    const slots = isAside(bot) ? [] : Object.values(bot.record.state.slots)
    this.#holding.list(bot, held)
    this.#concerned.list(bot, new Set([...slots.map(pairKey), ...held]))
    this.#needs.hold(bot.strategy.id, needsOf(bot))
  }

  /** Puts a bot's windows in place of those before. */
  watch(bot: BotEntry, windows: ReadonlyMap<string, Window>): void {
    const { id } = bot.strategy
    for (const key of bot.windows.keys()) if (!windows.has(key)) this.#crowds.get(key)?.drop(id)
    for (const [key, window] of windows) this.#crowdAt(key).put(id, window)
    bot.windows = windows
  }

  /** A bot's state with its trails where they have come; the very one that is stored where none has moved. */
  stateOf(bot: BotEntry): BotState {
    let { state } = bot.record
    for (const [key, { trail }] of bot.windows) {
      if (trail === undefined) continue
      const extreme = this.#crowds.get(key)?.extremeOf(bot.strategy.id) ?? trail.extreme
      state = follow(state, key, ofLast(extreme, 0))
    }
    return state
  }

  /** Brings a bot's state to where its trails have come: before it decides, and before it is stored. */
  bringUp(bot: BotEntry): void {
    const state = this.stateOf(bot)
    if (state === bot.record.state) return
    bot.record = { ...bot.record, state }
    bot.moved = true
  }

  /** Takes in a quote at a time (ms). Whose window it leaves, and who holds alerts for the pair; in order of their ids. */
  tick(market: MarketId, ticker: Ticker, now: number): ReadonlyArray<Concern> {
    const left = this.#crowds.get(keyOf(market))?.tick(ticker.bid, ticker.ask, now) ?? []
    const holding = this.#holding.isEmpty() ? NOBODY : this.#holding.at(pairKey(market))
    if (left.length === 0 && holding.length === 0) return UNCONCERNED
    const concerns = new Map<BotEntry, Concern>()
    for (const bot of holding) concerns.set(bot, { bot, isLeft: false })
    for (const id of left) {
      const bot = this.#bots.get(id)
      if (bot !== undefined) concerns.set(bot, { bot, isLeft: true })
    }
    return [...concerns.values()].sort((one, other) => one.bot.strategy.id - other.bot.strategy.id)
  }

  #crowdAt(key: string): WindowIndex {
    const known = this.#crowds.get(key)
    if (known !== undefined) return known
    const crowd = new WindowIndex()
    this.#crowds.set(key, crowd)
    return crowd
  }
}

/** A bot that a quote concerns: because it leaves its window, else because of alerts that it holds. */
export interface Concern {
  readonly bot: BotEntry
  readonly isLeft: boolean
}

/** Bots by what they have to do with, in order of their strategies' ids. */
class Listing {
  /** Replaced, never changed: a reader may be under way. */
  readonly #bots = new Map<string, ReadonlyArray<BotEntry>>()
  readonly #keys = new Map<StrategyId, ReadonlySet<string>>()

  isEmpty(): boolean {
    return this.#bots.size === 0
  }

  at(key: string): ReadonlyArray<BotEntry> {
    return this.#bots.get(key) ?? NOBODY
  }

  /** Lists the bot under these keys, and no longer under others. */
  list(bot: BotEntry, keys: ReadonlySet<string>): void {
    const { id } = bot.strategy
    const before = this.#keys.get(id) ?? NOTHING
    for (const key of before) if (!keys.has(key)) this.#drop(key, id)
    for (const key of keys) if (!before.has(key)) this.#bots.set(key, joined(this.at(key), bot))
    if (keys.size === 0) this.#keys.delete(id)
    else this.#keys.set(id, keys)
  }

  #drop(key: string, id: StrategyId): void {
    const left = this.at(key).filter((bot) => bot.strategy.id !== id)
    if (left.length === 0) this.#bots.delete(key)
    else this.#bots.set(key, left)
  }
}

/** The bots with one more, in order of their strategies' ids: mostly the newest. */
const joined = (bots: ReadonlyArray<BotEntry>, bot: BotEntry): ReadonlyArray<BotEntry> => {
  let place = bots.length
  while (place > 0 && (bots[place - 1]?.strategy.id ?? 0) > bot.strategy.id) place--
  return bots.toSpliced(place, 0, bot)
}

const NOBODY: ReadonlyArray<BotEntry> = []
const NOWHERE: ReadonlyMap<string, MarketId> = new Map()
const UNCONCERNED: ReadonlyArray<Concern> = []
const NOTHING: ReadonlySet<string> = new Set()

const heldAt = (bot: BotEntry): ReadonlySet<string> =>
  new Set([...bot.held.pairs()].flatMap((pair) => marketsOf(bot, pair).map(pairKey)))

/** The markets whose prices a bot cannot do without, by key: of its slots, and of alerts that it holds. */
const needsOf = (bot: BotEntry): ReadonlyMap<string, MarketId> => {
  const needs = new Map<string, MarketId>()
  const { slots } = bot.record.state
  for (const key in slots) {
    const slot = slots[key]
    if (slot !== undefined) needs.set(key, { exchange: slot.exchange, pair: slot.pair, kind: slot.kind })
  }
  for (const text of bot.held.pairs()) {
    const place = routesOf(bot.strategy.settings).get(text)
    if (place === undefined) continue
    for (const kind of bot.held.kinds(text)) {
      const id = { ...place, kind }
      needs.set(marketKey(id), id)
    }
  }
  return needs
}

/** Where a held alert for a pair may be decided: the slots of the pair, and the exchange that would be chosen for it now. */
export const marketsOf = (bot: BotEntry, text: string): ReadonlyArray<Place> => {
  const slots = Object.values(bot.record.state.slots).filter(({ pair }) => pair === text)
  const route = routesOf(bot.strategy.settings).get(text)
  return route === undefined ? slots : [...slots, route]
}
