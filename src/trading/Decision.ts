import type * as Alert from "../domain/Alert.ts"
import type { Armed } from "../domain/Arming.ts"
import type { BalanceRule, BotState, Slot } from "../domain/Bot.ts"
import type { Decimal } from "../domain/Decimal.ts"
import type { Fill } from "../domain/Fill.ts"
import type { Market, MarketId, Pair } from "../domain/Market.ts"
import type { Order, OrderId } from "../domain/Order.ts"
import type { Settings } from "../domain/Strategy.ts"
import type { Ticker } from "../domain/Ticker.ts"
import type { Trade } from "../domain/Trade.ts"
import type { Fees } from "./books/Fees.ts"
import type { Posting } from "./books/Ledger.ts"
import type { Note } from "./Notes.ts"
import type { Approved } from "./Risk.ts"

/** All that a decision may look at besides the bot's own state. `now` in ms since the epoch. */
export interface Context {
  readonly now: number
  readonly settings: Settings
  /** What may be traded; absent where the exchange has no such market. A market that is not active takes no entries. */
  readonly market: (id: MarketId) => Market | undefined
  /** The strategy's own fees, else the trading exchange's (`feesOf`). */
  readonly fees: (id: MarketId) => Fees
  /** The last sound price; absent where there is none, or none fresh enough to trade on. */
  readonly quote: (id: MarketId) => Ticker | undefined
  /**
   * What prices this market: markets of one feed always stand at one price. Live, each market is its own feed
   * (`marketKey`); in candles one file prices the spot market and the perpetual of a pair.
   */
  readonly feed: (id: MarketId) => string
  /** Where this market stands among those that are taken in turn: in the strategy's order of pairs, spot before swap (`rankBy`). */
  readonly rank: (id: MarketId) => number
  /** The id of the n-th order of this decision, from 0: a function of (strategy, journal sequence, n). */
  readonly orderId: (index: number) => OrderId
  /**
   * Whether another armed strategy of the same exchange account has a position or an order on this perpetual: the two would
   * net out there, so that the exits of one find nothing to close. Absent, none has.
   */
  readonly isPerpetualInUse?: (id: MarketId) => boolean
  /** What is looked at together now; absent, the market of the event alone. */
  readonly moment?: Moment | undefined
  /** Whether a halt holds: nothing is entered and nothing averaged into. Absent, none does. */
  readonly halted?: boolean
}

/**
 * At the open of a candle: all markets that it prices are looked at together, by these rules. An order is resolved before
 * anything else is decided.
 */
export interface Moment {
  readonly markets: ReadonlyArray<MarketId>
  readonly rules: "exits" | "all"
}

/** An alert as a bot sees it. Ids ascend in order of arrival; `at` is when it was received (ms). */
export interface BotAlert {
  readonly id: number
  readonly type: Alert.AlertType
  readonly pair: Pair
  readonly tp?: number
  readonly sl?: number
  readonly at: number
}

/**
 * What a bot is asked to react to.
 *
 * - `Alert`: routed to the slot it concerns (`route`).
 * - `Price`: the quote of that market in the context is news. `rules: "exits"` leaves out DCA and trailing buy.
 * - `Time`: the clock passed an `at` of the watch. All slots are looked at, at their quotes.
 * - `SettingsChanged`: the context holds the new settings.
 * - `Ended`: the strategy is being deleted: close all at the last price.
 * - `Filled`: a fill; `done` when the order holds nothing more. `Rejected`, with the
 *   exchange's reason, `Accepted`, `Unknown`: of an order.
 * - `Cut`: less of the order was sent than was decided, only `quantity`: the exchange would not have taken more.
 * - `Missing`: for long enough the exchange has known nothing of the order, which so never arrived.
 * - `Disarmed`: no more real money: nothing is entered from now on, what is open is managed to its end; `close` sells
 *   it at once, `forget` takes positions that went astray out of the books.
 * - `Astray`, `Found`: the exchange holds less of the position than the books, or as much again.
 * - A halt that begins or ends is `SettingsChanged`.
 */
export type Event =
  | { readonly _tag: "Alert"; readonly alert: BotAlert; readonly market: MarketId }
  | { readonly _tag: "Price"; readonly market: MarketId; readonly rules: "exits" | "all" }
  | { readonly _tag: "Time" }
  | { readonly _tag: "SettingsChanged" }
  | { readonly _tag: "Ended" }
  | { readonly _tag: "Disarmed"; readonly close: boolean; readonly forget: boolean }
  | { readonly _tag: "Astray" | "Found"; readonly market: MarketId }
  | { readonly _tag: "Filled"; readonly market: MarketId; readonly fill: Fill; readonly done: boolean }
  | {
      readonly _tag: "Rejected"
      readonly market: MarketId
      readonly order: OrderId
      readonly reason?: string
    }
  | {
      readonly _tag: "Cut"
      readonly market: MarketId
      readonly order: OrderId
      readonly quantity: Decimal
    }
  | {
      readonly _tag: "Cancelled" | "Missing" | "Accepted" | "Unknown"
      readonly market: MarketId
      readonly order: OrderId
    }

/** What becomes of the state: whole values put in place of others, so that applying one twice is harmless. */
export type Change =
  | { readonly _tag: "Slot"; readonly key: string; readonly slot: Slot }
  | { readonly _tag: "Cash"; readonly cash: Decimal }
  | { readonly _tag: "Closing"; readonly rule: BalanceRule }
  | { readonly _tag: "Live"; readonly live: Armed }
  | {
      readonly _tag: "Rebased"
      readonly baseline: Decimal
      readonly rule?: BalanceRule
      readonly until: number
    }

/** What became of an alert: its recorded reason, or what it has to wait for. */
export type AlertAnswer =
  | { readonly _tag: "Answered"; readonly reason: Alert.Reason }
  | { readonly _tag: "Waiting"; readonly on: "order" | "price" }

/**
 * What a bot makes of one event. Apply `changes` in order (`evolve`), post `postings` to the ledger, add `trades`
 * to the performance, submit `orders` (each is already in the changed state as its slot's order in flight, or as its stop), and
 * keep `notes` for the timeline. `cancels` are resting orders to be taken back at the exchange; `trip` says that the
 * day has lost too much, which halts. `alert` is there exactly when the event was an alert. With `overrun` the bot came
 * to no end within `MAX_DECISIONS`: all else is empty, an alert has no answer, and the bot is not to be asked again.
 */
export interface Decision {
  readonly changes: ReadonlyArray<Change>
  readonly orders: ReadonlyArray<Approved>
  readonly trades: ReadonlyArray<Trade>
  readonly postings: ReadonlyArray<Posting>
  readonly notes: ReadonlyArray<Note>
  readonly cancels: ReadonlyArray<Order>
  readonly trip?: Trip
  readonly alert?: AlertAnswer
  readonly overrun?: true
}

/** A day that lost more than agreed, in quote. */
export interface Trip {
  readonly lost: Decimal
  readonly most: Decimal
}

/** A decision that changes nothing. */
export const NOTHING: Decision = {
  changes: [],
  orders: [],
  trades: [],
  postings: [],
  notes: [],
  cancels: []
}

/** The bot came to no end: nothing of the event is kept. */
export const OVERRUN: Decision = { ...NOTHING, overrun: true }

/** A decision in the making: rules return what should change, and `Bot` writes it here. Never leaves `decide`. */
export interface Draft {
  readonly context: Context
  state: BotState
  readonly changes: Array<Change>
  readonly orders: Array<Approved>
  readonly trades: Array<Trade>
  readonly postings: Array<Posting>
  readonly notes: Array<Note>
  readonly cancels: Array<Order>
  trip?: Trip
  /** How often a rule has acted again in a slot. */
  repeats: number
}

/** The state after a change. */
export const evolve = (state: BotState, change: Change): BotState => {
  switch (change._tag) {
    case "Slot":
      return { ...state, slots: withSlot(state.slots, change.key, change.slot) }
    case "Cash":
      return { ...state, cash: change.cash }
    case "Closing":
      return { ...state, closing: change.rule }
    case "Live":
      return { ...state, live: change.live }
    case "Rebased":
      return rebased(state, change.baseline, change.rule, change.until)
  }
}

const withSlot = (slots: BotState["slots"], key: string, slot: Slot): BotState["slots"] => {
  if (slot.position ?? slot.trailingBuy ?? slot.order ?? slot.stop) return { ...slots, [key]: slot }
  // Built up anew: what a destructuring leaves over is slower to make and to read.
  const others: Record<string, Slot> = {}
  for (const other in slots) {
    const kept = slots[other]
    if (kept !== undefined && other !== key) others[other] = kept
  }
  return others
}

const rebased = (
  state: BotState,
  baseline: Decimal,
  rule: BalanceRule | undefined,
  until: number
): BotState => {
  const { closing: _, ...rest } = state
  if (rule === undefined) return { ...rest, baseline }
  return rule === "balance_take_profit"
    ? { ...rest, baseline, takeProfitUntil: until }
    : { ...rest, baseline, stopLossUntil: until }
}
