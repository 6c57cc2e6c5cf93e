// A decision under construction: the one place that records changes, notes, postings and orders. An order enters the
// state and the decision only after `Risk.approve`. It also sets an order's type,
// price and quantity: `enter`, `leave`, `submit`.
import * as Either from "effect/Either"
import type { BotState, Slot } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { MarketId } from "../../domain/Market.ts"
import type { Order, PositionSide } from "../../domain/Order.ts"
import type { Position } from "../../domain/Position.ts"
import {
  type AlertAnswer,
  type Change,
  type Context,
  type Decision,
  type Draft,
  evolve,
  OVERRUN
} from "../Decision.ts"
import type { Note } from "../Notes.ts"
import { MAX_DECISIONS } from "../Overrun.ts"
import { tidy } from "../Prices.ts"
import * as Risk from "../Risk.ts"
import type { Targets } from "../rules/entry.ts"
import { isWaiting } from "../rules/Trigger.ts"
import { targetsOf } from "../rules/targeted.ts"
import { reserved } from "../Sizing.ts"
import { keyOf } from "./Keys.ts"
import * as Retry from "./Retry.ts"

/** An empty decision on this state. */
export const begin = (context: Context, state: BotState): Draft => ({
  context,
  state,
  changes: [],
  orders: [],
  trades: [],
  postings: [],
  notes: [],
  cancels: [],
  repeats: 0
})

/** Whether the rules acted again too often. The draft is then discarded. */
export const isOverrun = ({ repeats }: Draft): boolean => repeats > MAX_DECISIONS

/** The finished decision, with the answer to its alert if there was one. */
export const finish = (draft: Draft, alert?: AlertAnswer): Decision => {
  if (isOverrun(draft)) return OVERRUN
  const { cancels, changes, manual, notes, orders, postings, trades, trip } = draft
  const decision = { changes, orders, trades, postings, notes, cancels }
  if (trip === undefined && manual === undefined)
    return alert === undefined ? decision : { ...decision, alert }
  return {
    ...decision,
    ...(trip === undefined ? {} : { trip }),
    ...(manual === undefined ? {} : { manual }),
    ...(alert === undefined ? {} : { alert })
  }
}

/** Records a change and applies it to the state that the next rule sees. */
export const change = (draft: Draft, change: Change): void => {
  draft.state = evolve(draft.state, change)
  draft.changes.push(change)
}

/** Replaces the slot of a market. */
export const putSlot = (draft: Draft, key: string, slot: Slot): void =>
  change(draft, { _tag: "Slot", key, slot })

/** Adds a note to the timeline, at the time of the event. */
export const note = (draft: Draft, rule: Note["rule"], rest: Omit<Note, "at" | "rule">): void => {
  draft.notes.push({ ...rest, at: draft.context.now, rule })
}

/** Notes that an embedder's own decisions are against an entry, in their words. */
export const noteVeto = (
  draft: Draft,
  key: string,
  veto: Required<Pick<Note, "side" | "price" | "text">> & Pick<Note, "alert" | "reason">
): void => note(draft, "vetoed", { market: key, ...veto })

/** An entry to submit; `alert` is the id of the alert behind it. */
export interface Entry {
  readonly side: PositionSide
  readonly purpose: "entry" | "dca"
  readonly quantity: Decimal.Decimal
  readonly price: number
  readonly alert: number
  readonly targets: Targets
}

/** Submits an entry as a market order at a tidy price, and reserves its cost until it is resolved. */
export const enter = (draft: Draft, id: MarketId, entry: Entry): boolean => {
  const { context } = draft
  const { alert, price, purpose, quantity, side, targets } = entry
  return submit(draft, {
    id: context.orderId(draft.orders.length),
    exchange: id.exchange,
    pair: id.pair,
    kind: id.kind,
    position: side,
    side: side === "long" ? "buy" : "sell",
    type: "market",
    quantity,
    price,
    purpose,
    reserved: reserved(quantity, price, context.fees(id)),
    alert,
    ...targetsOf(targets),
    at: context.now
  })
}

/** What an exit is for: its reason, the quantity `part` if it is not all that is held, and the steps done with it. */
export type PendingExit = Retry.PendingExit

/** How a position is closed. */
export interface Exit extends PendingExit {
  readonly type: Order["type"]
  readonly price: number
}

/**
 * Closes the whole position, or a part of it; live, in whole amount steps. If an exit was just rejected, or a stop at
 * the exchange has to be cancelled first, the close is remembered and retried.
 */
export const leave = (draft: Draft, id: MarketId, position: Position, exit: Exit): boolean => {
  const { exitReason, part, price, step, type } = exit
  const { now } = draft.context
  const slot = draft.state.slots[keyOf(id)]
  if (slot !== undefined && isWaiting(slot, "market", now)) {
    putSlot(draft, keyOf(id), { ...slot, retry: Retry.retryAfterWait(slot, exit, now) })
    return false
  }
  if (slot?.stop !== undefined) {
    takeBack(draft, { ...slot, retry: Retry.retryAfterStop(slot, now, type, exit) }, exitReason)
    return false
  }
  const quantity = part === undefined ? position.quantity : Decimal.min(part, position.quantity)
  return submit(draft, {
    id: draft.context.orderId(draft.orders.length),
    exchange: id.exchange,
    pair: id.pair,
    kind: id.kind,
    position: position.side,
    side: position.side === "long" ? "sell" : "buy",
    type,
    quantity: draft.state.live === undefined ? quantity : inSteps(draft, id, quantity),
    price: tidy(price),
    purpose: "exit",
    exitReason,
    reserved: Decimal.zero,
    ...(part !== undefined && Decimal.lessThan(part, position.quantity) ? { part: true } : {}),
    ...(step === undefined ? {} : { step }),
    at: now
  })
}

/** The quantity rounded down to the amount step. */
const inSteps = (draft: Draft, id: MarketId, quantity: Decimal.Decimal): Decimal.Decimal => {
  const market = draft.context.market(id)
  return market === undefined ? quantity : Decimal.floorToStep(quantity, market.amountStep)
}

/** Cancels the slot's stop at the exchange. Nothing else is decided for the slot until the stop has ended. */
export const takeBack = (draft: Draft, slot: Slot, reason: string): void => {
  const { stop, stopEnding } = slot
  if (stop === undefined) return
  const key = keyOf(slot)
  putSlot(draft, key, { ...slot, stopEnding: true })
  if (stopEnding === true) return
  draft.cancels.push(stop)
  note(draft, "stop_cancelled", { market: key, reason, price: stop.price })
}

/** Disarms the trailing buy and forgets the second leg of a turn, if there is one. */
export const cancelEntry = (draft: Draft, key: string, slot: Slot, reason: string): void => {
  if (slot.trailingBuy === undefined && slot.turn === undefined) return
  const { trailingBuy: _, turn: __, ...rest } = slot
  putSlot(draft, key, rest)
  note(draft, "entry_cancelled", { market: key, reason })
}

/** Submits an order if the risk gate approves it. A live order keeps the account and tag that it is sent to. */
export const submit = (draft: Draft, wanted: Order): boolean => {
  const { context, state } = draft
  const { live } = state
  const order = live === undefined ? wanted : { ...wanted, live: { account: live.account, tag: live.tag } }
  const key = keyOf(order)
  const approved = Risk.approve(order, key, state, context)
  if (Either.isLeft(approved)) {
    note(draft, "order_refused", { market: key, reason: approved.left, price: order.price })
    return false
  }
  const slot = draft.state.slots[key] ?? { exchange: order.exchange, pair: order.pair, kind: order.kind }
  putSlot(
    draft,
    key,
    order.type === "stop" ? { ...slot, stop: approved.right } : { ...slot, order: approved.right }
  )
  draft.orders.push(approved.right)
  return true
}
