import type { Slot } from "../domain/Bot.ts"
import * as Decimal from "../domain/Decimal.ts"
import type { Fill } from "../domain/Fill.ts"
import type { MarketId } from "../domain/Market.ts"
import type { ExitReason, Order, OrderId } from "../domain/Order.ts"
import type { Position } from "../domain/Position.ts"
import type { Draft } from "./Decision.ts"
import * as Drafts from "./Draft.ts"
import { keyOf } from "./Keys.ts"
import * as Ledger from "./Ledger.ts"
import { disarm, look, settle } from "./Look.ts"
import type { NoteRule } from "./Notes.ts"
import * as Positions from "./Positions.ts"
import { favourable, reached } from "./Prices.ts"
import { freeCash } from "./Risk.ts"
import { viewOf } from "./Rules.ts"
import * as Sizing from "./Sizing.ts"
import { priceFor } from "./Trigger.ts"
import { arming } from "./trailing.ts"

/** Takes a fill into the books, then looks at what holds now. A fill of no order in flight changes nothing. */
export const filled = (draft: Draft, id: MarketId, fill: Fill, done: boolean): void => {
  const key = keyOf(id)
  const slot = draft.state.slots[key]
  if (slot?.order === undefined || slot.order.id !== fill.order) {
    return Drafts.note(draft, "unexpected_fill", { market: key, price: fill.price })
  }
  const { order, ...rest } = slot
  const kept = done ? rest : { ...rest, order: remaining(order, fill) }
  if (order.purpose === "exit") reduce(draft, key, kept, order.exitReason ?? "signal", fill)
  else enlarge(draft, id, key, kept, order, fill)
  settle(draft)
  look(draft, id, "all")
}

/** An order that came to nothing more. What it wanted is decided anew at the next price; an averaging entry waits. */
export const ended = (draft: Draft, id: MarketId, order: OrderId, rule: NoteRule): void => {
  const key = keyOf(id)
  const slot = draft.state.slots[key]
  if (slot?.order === undefined || slot.order.id !== order) return
  const { order: gone, ...rest } = slot
  Drafts.putSlot(draft, key, rest)
  if (Decimal.isPositive(gone.quantity))
    Drafts.note(draft, rule, { market: key, price: gone.price, reason: gone.purpose })
  if (gone.purpose === "dca" && gone.partlyFilled !== true && rest.position !== undefined) {
    Drafts.putSlot(draft, key, {
      ...rest,
      position: { ...rest.position, dcaSkippedAt: freeCash(draft.state) }
    })
  }
  if (gone.purpose === "exit" && rest.position !== undefined)
    sweep(draft, key, rest, gone.exitReason, gone.price, order)
  settle(draft)
}

const remaining = (order: Order, fill: Fill): Order => {
  const quantity = Decimal.max(Decimal.subtract(order.quantity, fill.quantity), Decimal.zero)
  const used = Decimal.add(fill.notional, fill.fee)
  const reserved = Decimal.max(Decimal.subtract(order.reserved, used), Decimal.zero)
  return { ...order, quantity, reserved, partlyFilled: true }
}

const enlarge = (draft: Draft, id: MarketId, key: string, slot: Slot, order: Order, fill: Fill): void => {
  const before = slot.position
  const another = order.partlyFilled !== true
  const position =
    before === undefined ? Positions.opened(order, fill) : Positions.increased(before, fill, another)
  const cash = Decimal.subtract(draft.state.cash, Decimal.add(fill.notional, fill.fee))
  Drafts.putSlot(draft, key, { ...slot, position })
  Drafts.change(draft, { _tag: "Cash", cash })
  draft.postings.push(Ledger.entry(key, fill))
  if (position.peak !== undefined) disarmUnderArm(draft, id, key, position)
}

/** An averaging entry that brings the profit under the arm disarms the trailing sell. */
const disarmUnderArm = (draft: Draft, id: MarketId, key: string, position: Position): void => {
  const ticker = draft.context.quote(id)
  const slot = draft.state.slots[key]
  if (ticker === undefined || slot === undefined) return
  const view = viewOf(draft.context, draft.state, id, ticker)
  const disarmed = disarm(position)
  const level = view.figures === undefined ? undefined : arming(view, disarmed, view.figures)?.level
  if (level === undefined || reached(priceFor(view, "closing"), level, favourable(position.side))) return
  Drafts.putSlot(draft, key, { ...slot, position: disarmed })
  Drafts.note(draft, "trailing_sell_disarmed", {
    market: key,
    side: position.side,
    reason: "averaging_entry",
    level
  })
}

const reduce = (draft: Draft, key: string, slot: Slot, reason: ExitReason, fill: Fill): void => {
  if (slot.position === undefined) return
  const exited = Positions.decreased(slot.position, fill, reason)
  draft.postings.push(Ledger.exit(key, fill, exited))
  Drafts.change(draft, { _tag: "Cash", cash: Decimal.add(draft.state.cash, exited.net) })
  const { position: _, ...rest } = slot
  if (Decimal.isPositive(exited.position.quantity)) {
    const held = { ...rest, position: exited.position }
    Drafts.putSlot(draft, key, held)
    if (held.order === undefined) sweep(draft, key, held, reason, fill.price, fill.order)
    return
  }
  Drafts.putSlot(draft, key, rest)
  draft.trades.push(Positions.completed(slot, exited.position, reason, fill.at))
}

/** What rounding left under the market's minimum is dust: it closes the trade. */
const sweep = (
  draft: Draft,
  key: string,
  slot: Slot,
  reason: ExitReason | undefined,
  price: number,
  order: OrderId
): void => {
  const { position, ...rest } = slot
  const market = draft.context.market(slot)
  if (position === undefined || market === undefined || Decimal.isZero(position.exitQuantity)) return
  if (Sizing.isTradable(position.quantity, price, market)) return
  Drafts.putSlot(draft, key, rest)
  draft.postings.push(Ledger.dust(key, position.basis, order, draft.context.now))
  draft.trades.push(Positions.completed(slot, position, reason ?? "signal", draft.context.now))
  const numbers = { quantity: Decimal.approximate(position.quantity) }
  Drafts.note(draft, "dust", { market: key, price, numbers })
}
