// Candles inside the watch windows of all bots that they concern: such a candle changes nothing but trails, as in a
// back-test. Batches of them cost a few comparisons a candle; only the others are walked.
import type { BotState } from "../../../domain/Bot.ts"
import type { Settings } from "../../../domain/Strategy.ts"
import { ofLast } from "../../../domain/Ticker.ts"
import { hasInFlight } from "../../../trading/Bot.ts"
import { keyOf } from "../../../trading/bot/Keys.ts"
import type { Context } from "../../../trading/Decision.ts"
import { follow, type Window, windowOf } from "../../../trading/Watch.ts"
import { merged, scan } from "../../../trading/watch/Scan.ts"
import type { Catalogue } from "../../Markets.ts"
import type { PriceEvent } from "../../Tickers.ts"
import { contextOf } from "../decide/Context.ts"
import type { EngineState } from "../EngineState.ts"
import type { BotEntry } from "../Roster.ts"
import { pairKey } from "./LastPrices.ts"

/** A candle that has ended. */
export type Bar = Extract<PriceEvent, { readonly _tag: "Barred" }>

/** The window of a pair, and the key of its slot if it has exactly one; no window if each candle has to be walked. */
interface PairWindow {
  readonly key: string
  readonly window: Window | undefined
}

/** A bot's windows by pair, all computed at one moment, and what they were computed from. */
interface Known {
  state: BotState
  readonly settings: Settings
  readonly halted: boolean
  readonly catalogue: Catalogue
  readonly pairs: Map<string, PairWindow>
}

/** A trail that a candle inside the window moves. */
interface Move {
  readonly bot: BotEntry
  readonly at: number
  readonly pair: string
  readonly key: string
  readonly window: Window
}

/** Candles passed in one call, before others get their turn. */
const MOST_CANDLES = 8_192

/** The bots' windows as candles see them. */
export class CandleWindows {
  readonly #engineState: EngineState
  #known = new WeakMap<BotEntry, Known>()
  #isAnyKnown = false
  /** Bots whose trails were moved, and when (ms): their windows in the roster are behind. */
  readonly #moved = new Map<BotEntry, number>()
  /** By pair: the last candles passed, and those of the moment at hand. */
  readonly #last = new Map<string, Bar>()
  readonly #bars = new Map<string, Bar>()
  #pair = { exchange: "", pair: "", key: "" }

  constructor(engineState: EngineState) {
    this.#engineState = engineState
  }

  /**
   * Passes the moments from an index on whose candles change nothing; returns the index of the first one that has to be
   * walked, or the end.
   */
  pass(events: ReadonlyArray<PriceEvent>, from: number, catalogue: Catalogue): number {
    const end = Math.min(events.length, from + MOST_CANDLES)
    let place = from
    while (place < end) {
      const next = this.#passMoment(events, place, catalogue)
      if (next === place) break
      place = next
    }
    this.#flush(catalogue)
    return place
  }

  /** Whether a moment's candles change nothing about the bot. If so, its trails are moved: ask once. */
  isCalm(bot: BotEntry, bars: ReadonlyArray<Bar>, catalogue: Catalogue): boolean {
    const moves: Array<Move> = []
    for (const bar of bars)
      if (!this.#isInside(bot, bar, { pair: pairKey(bar), catalogue, moves })) return false
    this.#move(moves)
    this.#flush(catalogue)
    return true
  }

  /** Forgets the windows: after a walk or a quote the rooms of the balance rules may be others. */
  forget(bot?: BotEntry): void {
    if (bot !== undefined) this.#known.delete(bot)
    else if (this.#isAnyKnown) {
      this.#known = new WeakMap()
      this.#isAnyKnown = false
    }
  }

  /** Passes the candles of one moment, or none of them: returns the index after them, or the same. */
  #passMoment(events: ReadonlyArray<PriceEvent>, from: number, catalogue: Catalogue): number {
    const moves: Array<Move> = []
    const bars = this.#bars
    bars.clear()
    const first = events[from]
    if (first?._tag !== "Barred") return from
    let place = from
    for (; ; place++) {
      const bar = events[place]
      if (bar?._tag !== "Barred" || bar.candle.at !== first.candle.at) break
      const pair = this.#keyOf(bar)
      if (bars.has(pair)) break
      for (const bot of this.#engineState.roster.concernedAt(pair))
        if (!this.#isInside(bot, bar, { pair, catalogue, moves })) return from
      bars.set(pair, bar)
    }
    this.#move(moves)
    for (const [pair, bar] of bars) this.#last.set(pair, bar)
    return place
  }

  /** The pair's key. A batch is mostly of one pair, and its key is long. */
  #keyOf({ exchange, pair }: Bar): string {
    if (this.#pair.pair !== pair || this.#pair.exchange !== exchange)
      this.#pair = { exchange, pair, key: pairKey({ exchange, pair }) }
    return this.#pair.key
  }

  #isInside(
    bot: BotEntry,
    bar: Bar,
    {
      catalogue,
      moves,
      pair
    }: { readonly pair: string; readonly catalogue: Catalogue; readonly moves: Array<Move> }
  ): boolean {
    const { candle } = bar
    if (bot.held.size > 0 && bot.held.kinds(bar.pair).length > 0) return false
    const known = this.#windowsOf(bot, candle.at, catalogue).pairs.get(pair)
    if (known?.window === undefined || candle.at >= known.window.at) return false
    const { key, window } = known
    const { trail } = window
    if (trail === undefined) return candle.low > window.below && candle.high < window.above
    ONE.open[0] = candle.open
    ONE.high[0] = candle.high
    ONE.low[0] = candle.low
    ONE.close[0] = candle.close
    const { extreme, index } = scan(ONE, 0, 1, window)
    if (index === 0) return false
    if (extreme !== trail.extreme)
      moves.push({ bot, at: candle.at, pair, key, window: { ...window, trail: { ...trail, extreme } } })
    return true
  }

  #move(moves: ReadonlyArray<Move>): void {
    for (const { at, bot, key, pair, window } of moves) {
      const known = this.#known.get(bot)
      if (known === undefined || window.trail === undefined) continue
      const state = follow(bot.record.state, key, ofLast(window.trail.extreme, 0))
      known.pairs.set(pair, { key, window })
      known.state = state
      bot.record = { ...bot.record, state }
      bot.moved = true
      this.#moved.set(bot, at)
    }
  }

  /** The bot's windows at the last prices and this time (ms); computed anew where anything has changed. */
  #windowsOf(bot: BotEntry, now: number, catalogue: Catalogue): Known {
    const { settings } = bot.strategy
    const known = this.#known.get(bot)
    const isValid =
      known?.state === bot.record.state &&
      known.settings === settings &&
      known.halted === bot.halted &&
      known.catalogue === catalogue
    if (known !== undefined && isValid) return known
    this.#engineState.roster.advanceTrails(bot)
    this.#flushPrices()
    const pairs = new Map<string, PairWindow>()
    const made = { state: bot.record.state, settings, halted: bot.halted, catalogue, pairs }
    this.#known.set(bot, made)
    this.#isAnyKnown = true
    try {
      this.#measure(bot, pairs, this.#contextOf(bot, now, catalogue))
    } catch {
      // A fault of ours: without windows the candle is walked, which logs the fault and goes on.
      pairs.clear()
    }
    return made
  }

  #measure(bot: BotEntry, pairs: Map<string, PairWindow>, context: Context): void {
    const { state } = bot.record
    // Real money is walked, as is a bot with an order under way.
    if (state.live !== undefined || hasInFlight(state)) return
    for (const slot of Object.values(state.slots)) {
      const pair = pairKey(slot)
      const own = windowOf(context, state, slot)
      const other = pairs.get(pair)
      const window = other === undefined ? own : other.window && merged([other.window, own])
      pairs.set(pair, { key: keyOf(slot), window })
    }
  }

  #contextOf(bot: BotEntry, now: number, catalogue: Catalogue): Context {
    const { marks, own, paperFills, roster } = this.#engineState
    const prices = { feed: pairKey, quote: marks.last.bind(marks) }
    return contextOf(bot, { roster, catalogue, prices, now, own, paperFills })
  }

  /** Notes the closes, and brings the roster's windows to where the trails are. */
  #flush(catalogue: Catalogue): void {
    this.#flushPrices()
    for (const [bot, at] of this.#moved) {
      const { adoption, faults } = this.#engineState.engine
      faults.attempt(bot, () => adoption.updateWatch(bot, this.#contextOf(bot, at, catalogue)))
    }
    this.#moved.clear()
  }

  /** Notes the closes of the candles passed. */
  #flushPrices(): void {
    for (const bar of this.#last.values())
      this.#engineState.marks.closed(bar, bar.candle.close, bar.candle.at)
    this.#last.clear()
  }
}

/** One candle as a series. */
const ONE = {
  at: new Float64Array(1),
  open: new Float64Array(1),
  high: new Float64Array(1),
  low: new Float64Array(1),
  close: new Float64Array(1),
  length: 1
}
