// All bots in memory, indexed by what concerns them: prices that leave a watch window, held alerts, open slots. A price
// costs only the bots that it concerns.
import * as Option from "effect/Option"
import type { BotState } from "../../domain/Bot.ts"
import { type MarketId, marketKey } from "../../domain/Market.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import { ofLast, type Ticker } from "../../domain/Ticker.ts"
import { keyOf } from "../../trading/bot/Keys.ts"
import { isOneAccount } from "../../trading/LiveSwitch.ts"
import { type Place, routesOf } from "../../trading/Routing.ts"
import { follow, type Window } from "../../trading/Watch.ts"
import { WindowIndex } from "../../trading/watch/WindowIndex.ts"
import type { BotRecord } from "../Portfolio.ts"
import * as ChangeSignal from "../records/ChangeSignal.ts"
import { HeldAlerts } from "./alerts/HeldAlerts.ts"
import { pairKey } from "./prices/LastPrices.ts"
import type { NeededMarkets } from "./prices/NeededMarkets.ts"

/** A strategy with its bot. `record` equals the portfolio's row once the current steps are stored. */
export interface BotEntry {
  strategy: Strategy
  record: BotRecord
  readonly held: HeldAlerts
  /** By market key: the prices and deadlines that could change the bot's next decision, as of its last look. */
  windows: ReadonlyMap<string, Window>
  /** When time alone can change the next decision (ms). `Roster.wake` sets it sooner. */
  wakesAt: number
  /**
   * Whether deadlines of held alerts may have passed unseen: at the start, and after a call that could not expire all
   * of them.
   */
  overdue: boolean
  /** The last alert that an unfinished round over the held alerts judged; absent between rounds. */
  retriedUpTo?: number | undefined
  /** Whether a trail has moved since the bot was last stored. */
  moved: boolean
  /** Whether the last event met a fault of ours: it is logged once, not at every price. */
  isFaulty: boolean
  /** Whether a halt binds the bot, and whether the bot has had the event of it. */
  halted: boolean
  haltNotified: boolean
}

/** An entry for a bot as stored, before it has looked at any price. */
export const fresh = (strategy: Strategy, record: BotRecord): BotEntry => ({
  strategy,
  record,
  held: new HeldAlerts(),
  windows: new Map(),
  wakesAt: Number.POSITIVE_INFINITY,
  overdue: true,
  moved: false,
  isFaulty: false,
  halted: false,
  haltNotified: false
})

/** Whether the bot is set aside and gets no events: after too many decisions in a row, or by the operator's command. */
export const isAside = ({ record }: BotEntry): boolean => record.state.setAside !== undefined

/** The bots and their indexes. */
export class Roster {
  readonly #bots = new Map<number, BotEntry>()
  readonly #indexes = new Map<string, WindowIndex>()
  readonly #concerned = new Listing()
  readonly #holding = new Listing()
  readonly #needs: NeededMarkets
  /** No deadline comes before it (ms). */
  #soonest = Number.POSITIVE_INFINITY
  readonly #sooner = ChangeSignal.ofChanges()

  constructor(needs: NeededMarkets) {
    this.#needs = needs
  }

  get(id: StrategyId): Option.Option<BotEntry> {
    return Option.fromNullable(this.#bots.get(id))
  }

  all(): Iterable<BotEntry> {
    return this.#bots.values()
  }

  /** Sets when time alone can change the bot's next decision (ms). */
  wake(bot: BotEntry, at: number): void {
    bot.wakesAt = at
    if (at >= this.#soonest) return
    this.#soonest = at
    this.#sooner.changed()
  }

  /** The next deadline of all bots (ms). Costs as much as there are bots. */
  soonest(): number {
    this.#sooner.reading()
    let next = Number.POSITIVE_INFINITY
    for (const { wakesAt } of this.#bots.values()) next = Math.min(next, wakesAt)
    this.#soonest = next
    return next
  }

  /** Waits until a deadline comes sooner than `soonest` last returned. */
  get sooner(): ChangeSignal.Changes["rings"] {
    return this.#sooner.rings
  }

  /**
   * Binds an account's bots to a halt at once, or releases them; their events follow with the next change of the halts.
   */
  bind(account: Strategy["account"], isHalted: boolean): void {
    for (const bot of this.#bots.values()) if (bot.strategy.account === account) bot.halted = isHalted
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

  /** The bots with a position, an order or a held alert on this pair, sorted by strategy id. */
  concerned(market: Place): ReadonlyArray<BotEntry> {
    return this.concernedAt(pairKey(market))
  }

  /** The same by the pair's key. */
  concernedAt(key: string): ReadonlyArray<BotEntry> {
    return this.#concerned.at(key)
  }

  /**
   * Whether another bot that trades real money on the same exchange account has a position or an order on this
   * perpetual. Decided orders count before they are sent; a bot that is being disarmed counts until it is flat.
   */
  isPerpetualInUse(bot: BotEntry, id: MarketId): boolean {
    const { live } = bot.record.state
    if (live === undefined) return false
    return this.concerned(id).some(({ record: { state }, strategy }) => {
      if (strategy.id === bot.strategy.id || state.live === undefined || !isOneAccount(live, state.live))
        return false
      const slot = state.slots[keyOf(id)]
      return (slot?.position ?? slot?.order ?? slot?.stop ?? slot?.turn) !== undefined
    })
  }

  /**
   * Updates the indexes; call it whenever a bot's slots, held alerts or settings have changed. Costs as much as the bot
   * holds.
   */
  reindex(bot: BotEntry): void {
    const held = isAside(bot) ? NOTHING : heldAt(bot)
    const slots = isAside(bot) ? [] : Object.values(bot.record.state.slots)
    this.#holding.list(bot, held)
    this.#concerned.list(bot, new Set([...slots.map(pairKey), ...held]))
    this.#needs.hold(bot.strategy.id, needsOf(bot))
  }

  /** Replaces a bot's windows. */
  watch(bot: BotEntry, windows: ReadonlyMap<string, Window>): void {
    const { id } = bot.strategy
    for (const key of bot.windows.keys()) if (!windows.has(key)) this.#indexes.get(key)?.drop(id)
    for (const [key, window] of windows) this.#indexAt(key).put(id, window)
    bot.windows = windows
  }

  /** The bot's state with its trails moved up to the prices seen; the stored object itself where no trail has moved. */
  stateOf(bot: BotEntry): BotState {
    let { state } = bot.record
    for (const [key, { trail }] of bot.windows) {
      if (trail === undefined) continue
      const extreme = this.#indexes.get(key)?.extremeOf(bot.strategy.id) ?? trail.extreme
      state = follow(state, key, ofLast(extreme, 0))
    }
    return state
  }

  /** Moves the bot's trails up to the prices seen; called before it decides and before it is stored. */
  advanceTrails(bot: BotEntry): void {
    const state = this.stateOf(bot)
    if (state === bot.record.state) return
    bot.record = { ...bot.record, state }
    bot.moved = true
  }

  /**
   * Takes in a quote at a time (ms). Returns the bots whose window it leaves and the bots that hold alerts for the
   * pair, sorted by strategy id.
   */
  tick(market: MarketId, ticker: Ticker, now: number): ReadonlyArray<Concern> {
    const left = this.#indexes.get(keyOf(market))?.tick(ticker.bid, ticker.ask, now) ?? []
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

  #indexAt(key: string): WindowIndex {
    const known = this.#indexes.get(key)
    if (known !== undefined) return known
    const index = new WindowIndex()
    this.#indexes.set(key, index)
    return index
  }
}

/**
 * A bot that a quote concerns: because the quote leaves its window (`isLeft`), or because it holds alerts for the pair.
 */
export interface Concern {
  readonly bot: BotEntry
  readonly isLeft: boolean
}

/** Bots listed under keys, sorted by strategy id. */
class Listing {
  /** Arrays are replaced, never changed, because a caller may be iterating over one. */
  readonly #bots = new Map<string, ReadonlyArray<BotEntry>>()
  readonly #keys = new Map<StrategyId, ReadonlySet<string>>()

  isEmpty(): boolean {
    return this.#bots.size === 0
  }

  at(key: string): ReadonlyArray<BotEntry> {
    return this.#bots.get(key) ?? NOBODY
  }

  /** Lists the bot under exactly these keys. */
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

/** Inserts a bot by strategy id; most often it is the newest and goes last. */
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

/** The markets whose prices the bot needs, by key: those of its slots and of its held alerts. */
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

/**
 * The markets where a held alert for a pair may be decided: the pair's slots, and the exchange that an entry would use
 * now.
 */
export const marketsOf = (bot: BotEntry, text: string): ReadonlyArray<Place> => {
  const slots = Object.values(bot.record.state.slots).filter(({ pair }) => pair === text)
  const route = routesOf(bot.strategy.settings).get(text)
  return route === undefined ? slots : [...slots, route]
}
