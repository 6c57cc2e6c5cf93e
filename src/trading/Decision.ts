// The vocabulary of `decide`: the context a decision may read, the events, and the decision with its changes, orders,
// postings and notes. `evolve` applies a change; every change sets whole values, so applying it twice is harmless.
import type * as Alert from "../domain/Alert.ts"
import type { Armed } from "../domain/Arming.ts"
import type { BalanceRule, BotState, Slot } from "../domain/Bot.ts"
import type { Decimal } from "../domain/Decimal.ts"
import type { Fill } from "../domain/Fill.ts"
import type { Market, MarketId, Pair } from "../domain/Market.ts"
import type { Order, OrderId } from "../domain/Order.ts"
import type { ManualAct } from "../domain/position/ManualOrder.ts"
import type { Settings } from "../domain/Strategy.ts"
import type { Ticker } from "../domain/Ticker.ts"
import type { Trade } from "../domain/Trade.ts"
import type { Fees } from "./books/Fees.ts"
import type { Posting } from "./books/Ledger.ts"
import type { ManualAnswer } from "./bot/ManualAnswer.ts"
import type { Note } from "./Notes.ts"
import type { OwnDecisions } from "./OwnDecisions.ts"
import type { Approved } from "./Risk.ts"

/** Everything that a decision may read besides the bot's state. `now` in ms since the epoch. */
export interface Context {
  readonly now: number
  readonly settings: Settings
  /** The market; undefined if the exchange has none. An inactive market takes no entries. */
  readonly market: (id: MarketId) => Market | undefined
  /** The strategy's own fees, else those of the trading exchange (`feesOf`). */
  readonly fees: (id: MarketId) => Fees
  /** The last accepted price; undefined if there is none or it is too old to trade on. */
  readonly quote: (id: MarketId) => Ticker | undefined
  /**
   * The price source of a market; markets of one feed always have the same price. Live, each market is its own feed
   * (`marketKey`); in a back-test one file of candles prices the spot market and the perpetual of a pair.
   */
  readonly feed: (id: MarketId) => string
  /** The rank of a market among those taken in turn: pairs as listed, spot before swap (`rankBy`). */
  readonly rank: (id: MarketId) => number
  /** The id of the n-th order of this decision, from 0: a function of (strategy, journal id, n). */
  readonly orderId: (index: number) => OrderId
  /**
   * Whether another armed strategy of the same exchange account has a position or an order on this perpetual. The two
   * would net there, and the exits of one would find nothing to close. Absent: none has.
   */
  readonly isPerpetualInUse?: (id: MarketId) => boolean
  /** The markets to decide on together; absent: the market of the event alone. */
  readonly moment?: Moment | undefined
  /** Whether entries are halted, DCA included. Absent: they are not. */
  readonly halted?: boolean
  /** An embedder's own decisions; absent: there are none. */
  readonly own?: OwnDecisions | undefined
}

/**
 * The open of a candle: all markets that it prices are decided together, under these rules. Each order is resolved
 * before the next decision.
 */
export interface Moment {
  readonly markets: ReadonlyArray<MarketId>
  readonly rules: "exits" | "all"
}

/**
 * An alert as a bot sees it. Ids ascend as alerts arrive; `at` is when it was received (ms). `foreign`: its signal is
 * another account's, so that its `buyPercentage` is not heeded. `place`: it is judged as if it had this id, since it
 * waited for an alert that belongs before it.
 */
export interface BotAlert extends Alert.Extras {
  readonly id: number
  readonly type: Alert.AlertType
  readonly pair: Pair
  readonly tp?: number
  readonly sl?: number
  readonly foreign?: true
  readonly place?: number
  readonly at: number
}

/** An alert's place in the sequence of ids: it acts only on what alerts before it opened. */
export const placeOf = ({ id, place }: BotAlert): number => place ?? id

/**
 * An event that a bot reacts to.
 *
 * - `Alert`: already routed to its slot, with what that found out about its entry (`route`).
 * - `Price`: the quote of the market changed. `rules: "exits"` omits DCA and trailing buy.
 * - `Time`: the clock passed an `at` of the watch. All slots are checked at their quotes.
 * - `SettingsChanged`: the context holds the new settings. Also sent when a halt begins or ends.
 * - `Ended`: the strategy is being deleted; close everything at the last price.
 * - `Filled`: a fill; `done` if the order ended with it.
 * - `Accepted`, `Unknown`, `Cancelled`, `Rejected` (with the exchange's reason): reports on an order.
 * - `Cut`: only `quantity` of the order was sent, because the exchange would not have taken more.
 * - `Missing`: the exchange has not known the order for so long that it cannot have arrived.
 * - `Disarmed`: real money ends. No entries from now on; open positions are managed to their end. `close` sells them
 *   at once, `forget` writes off the positions that are astray.
 * - `Manual`: the owner's own order for a market.
 * - `Funding`: a perpetual's funding rate (a fraction) falls due at a price.
 * - `Astray`, `Found`: the exchange holds less of the position than the books, or enough again.
 */
export type Event =
  | {
      readonly _tag: "Alert"
      readonly alert: BotAlert
      readonly market: MarketId
      readonly entry?: EntryTerms | undefined
    }
  | { readonly _tag: "Price"; readonly market: MarketId; readonly rules: "exits" | "all" }
  | { readonly _tag: "Time" }
  | { readonly _tag: "SettingsChanged" }
  | { readonly _tag: "Ended" }
  | { readonly _tag: "Disarmed"; readonly close: boolean; readonly forget: boolean }
  | { readonly _tag: "Manual"; readonly market: MarketId; readonly act: ManualAct }
  | { readonly _tag: "Funding"; readonly market: MarketId; readonly rate: number; readonly price: number }
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

/**
 * The entry of an alert that first closes the other side: why it may not be made, where that is known already, and until
 * when (ms) it may.
 */
export interface EntryTerms {
  readonly refused?: Alert.IgnoredReason | undefined
  readonly until?: number | undefined
}

/** A change of the state: whole values that replace others, so that applying it twice is harmless. */
export type Change =
  | { readonly _tag: "Slot"; readonly key: string; readonly slot: Slot }
  | { readonly _tag: "Cash"; readonly cash: Decimal }
  | { readonly _tag: "Closing"; readonly rule: BalanceRule }
  | { readonly _tag: "Live"; readonly live: Armed }
  | { readonly _tag: "Charts"; readonly charts: NonNullable<BotState["charts"]> }
  | {
      readonly _tag: "Rebased"
      readonly baseline: Decimal
      readonly rule?: BalanceRule
      readonly until: number
    }

/** The answer to an alert: its recorded reason, or what it waits for. */
export type AlertAnswer =
  | { readonly _tag: "Answered"; readonly reason: Alert.Reason }
  | { readonly _tag: "Waiting"; readonly on: "order" | "price" }

/**
 * A bot's decision about one event. Apply `changes` in sequence (`evolve`), post `postings` to the ledger, add `trades`
 * to the performance, submit `orders` (the changed state already holds each one as its slot's order in flight or stop),
 * and keep `notes` for the timeline. `cancels` are resting orders to cancel at the exchange; `trip` means that the
 * day's loss exceeds its bound and the bot must be halted. `alert` is present exactly if the event was an alert, `manual` if it
 * was an order by hand: one that is refused must not be adopted. With
 * `overrun` the bot exceeded `MAX_DECISIONS`: everything else is empty, the alert has no answer, and the bot must get
 * no further events.
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
  readonly manual?: ManualAnswer
  readonly overrun?: true
}

/** A day that lost more than its bound, in quote. */
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

/** The bot exceeded `MAX_DECISIONS`: the event changes nothing. */
export const OVERRUN: Decision = { ...NOTHING, overrun: true }

/**
 * A decision under construction. Rules return what should change and `Bot` records it here; a draft never leaves
 * `decide`.
 */
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
  manual?: ManualAnswer
  /** How often a rule acted again in a slot. */
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
    case "Charts":
      return { ...state, charts: change.charts }
    case "Rebased":
      return rebased(state, change.baseline, change.rule, change.until)
  }
}

const withSlot = (slots: BotState["slots"], key: string, slot: Slot): BotState["slots"] => {
  if (slot.position ?? slot.trailingBuy ?? slot.order ?? slot.stop ?? slot.turn)
    return { ...slots, [key]: slot }
  // Copied key by key: rest destructuring is slower to create and to read.
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
