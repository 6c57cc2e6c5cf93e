// Books what happens to orders: each fill posts to the ledger, changes cash and position, and a closed position becomes
// a trade. What rounding leaves under the market's minimum is dust and ends the trade.
import type { Slot } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { Fill } from "../../domain/Fill.ts"
import type { MarketId } from "../../domain/Market.ts"
import type { ExitReason, Order, OrderId } from "../../domain/Order.ts"
import type { Position } from "../../domain/Position.ts"
import * as Ledger from "../books/Ledger.ts"
import * as Positions from "../books/Positions.ts"
import type { Draft } from "../Decision.ts"
import type { NoteRule } from "../Notes.ts"
import { favourable, reached } from "../Prices.ts"
import { freeCash } from "../Risk.ts"
import { about, applyRules, disarm } from "../rules/ApplyRules.ts"
import { settle } from "../rules/ClosePositions.ts"
import * as DailyLoss from "../rules/DailyLoss.ts"
import { viewOf } from "../rules/Rules.ts"
import { stepped } from "../rules/steps.ts"
import { priceFor } from "../rules/Trigger.ts"
import { arming } from "../rules/trailing.ts"
import * as Sizing from "../Sizing.ts"
import * as Drafts from "./Draft.ts"
import { keyOf } from "./Keys.ts"
import * as Retry from "./Retry.ts"
import * as Turns from "./Turns.ts"

/** Books a fill, then applies the rules that hold now. A fill of no order in flight changes nothing. */
export const filled = (draft: Draft, id: MarketId, fill: Fill, done: boolean): void => {
  const key = keyOf(id)
  const slot = draft.state.slots[key]
  const order = slot === undefined ? undefined : orderIn(slot, fill.order)
  if (slot === undefined || order === undefined) {
    return Drafts.note(draft, "unexpected_fill", { market: key, price: fill.price })
  }
  const kept = done ? without(slot, order) : { ...slot, ...placed(remaining(order, fill)) }
  const booking = { key, slot: kept, order, done }
  if (order.purpose === "exit") reduce(draft, booking, fill)
  else enlarge(draft, id, booking, fill)
  // A loss of the day bars the entry of a turn too.
  DailyLoss.turn(draft)
  Turns.follow(draft, key)
  settle(draft)
  const { markets, rules } = about(draft, id)
  applyRules(draft, markets, rules)
}

/** Only `quantity` of the order was sent; the rest of it will never fill. */
export const cut = (draft: Draft, id: MarketId, order: OrderId, quantity: Decimal.Decimal): void => {
  const key = keyOf(id)
  const slot = draft.state.slots[key]
  const whole = slot === undefined ? undefined : orderIn(slot, order)
  if (slot === undefined || whole === undefined || !Decimal.lessThan(quantity, whole.quantity)) return
  Drafts.putSlot(draft, key, { ...slot, ...placed({ ...whole, quantity }) })
  const [sent, decided] = [quantity, whole.quantity].map(Decimal.approximate)
  Drafts.note(draft, "order_cut", {
    market: key,
    reason: whole.purpose,
    numbers: { sent: sent ?? 0, decided: decided ?? 0 },
    ...alertFact(whole)
  })
}

/** The alert behind an entry order. */
const alertFact = ({ alert, purpose }: Order): { readonly alert?: number } =>
  purpose === "entry" && alert !== undefined ? { alert } : {}

/** How an order ended: the rule of its note, and the exchange's reason if there is one. */
interface OrderEnd {
  readonly rule: NoteRule
  readonly reason?: string | undefined
}

/**
 * An order ended without a further fill. The rules decide again at the next price; a DCA entry waits for more cash or
 * new settings.
 */
export const ended = (draft: Draft, id: MarketId, order: OrderId, end: OrderEnd): void => {
  const { reason, rule } = end
  const key = keyOf(id)
  const slot = draft.state.slots[key]
  const endedOrder = slot === undefined ? undefined : orderIn(slot, order)
  if (slot === undefined || endedOrder === undefined) return
  const isTakenBack = endedOrder.type === "stop" && slot.stopEnding === true
  const rest = without(slot, endedOrder)
  Drafts.putSlot(draft, key, rest)
  if (Decimal.isPositive(endedOrder.quantity) && !isTakenBack)
    Drafts.note(draft, rule, {
      ...{ market: key, price: endedOrder.price, reason: reason ?? endedOrder.purpose },
      ...(endedOrder.partlyFilled === true ? {} : alertFact(endedOrder))
    })
  if (endedOrder.purpose === "dca" && endedOrder.partlyFilled !== true && rest.position !== undefined) {
    Drafts.putSlot(draft, key, {
      ...rest,
      position: { ...rest.position, dcaSkippedAt: freeCash(draft.state) }
    })
  }
  if (rest.position !== undefined)
    sweep(draft, { key, slot: rest, order: endedOrder }, endedOrder.price, isHopeless(rest, endedOrder, rule))
  if (endedOrder.purpose === "exit" && !isTakenBack) putOff(draft, key, endedOrder)
  // A loss of the day bars the entry of a turn too.
  DailyLoss.turn(draft)
  Turns.follow(draft, key)
  settle(draft)
  if (isTakenBack) decideAfterStop(draft, id, key)
}

/** The slot's order or stop with this id. */
const orderIn = ({ order, stop }: Slot, id: OrderId): Order | undefined =>
  order?.id === id ? order : stop?.id === id ? stop : undefined

const placed = (order: Order): Pick<Slot, "stop" | "order"> =>
  order.type === "stop" ? { stop: order } : { order }

const without = (slot: Slot, order: Order): Slot => {
  if (order.type === "stop") {
    const { stop: _, stopEnding: __, ...rest } = slot
    return rest
  }
  const { entryEnding: _, order: __, ...rest } = slot
  return rest
}

/**
 * A rejected exit waits before it is sent again, on paper only if no rule would decide it again; the rest of an exit
 * that must be made is retried at once.
 */
const putOff = (draft: Draft, key: string, order: Order): void => {
  const slot = draft.state.slots[key]
  if (slot?.position === undefined) return
  const { now } = draft.context
  const exitReason = Retry.pendingExit(slot, order)
  const mustWait = order.live !== undefined || exitReason !== undefined
  if (mustWait && order.partlyFilled !== true)
    return Drafts.putSlot(draft, key, { ...slot, retry: Retry.retryLater(slot, order.type, now, exitReason) })
  if (exitReason !== undefined)
    Drafts.putSlot(draft, key, { ...slot, retry: Retry.retryNow(exitReason, now) })
}

/**
 * The stop was cancelled to make way for an exit. If that was a limit and the price has moved away since, it waits
 * before the next try.
 */
const decideAfterStop = (draft: Draft, id: MarketId, key: string): void => {
  applyRules(draft, [id], "all")
  const { now } = draft.context
  const slot = draft.state.slots[key]
  if (slot?.position === undefined || slot.order !== undefined || slot.retry?.type !== "limit") return
  if (!Retry.waits(slot.retry, now))
    Drafts.putSlot(draft, key, { ...slot, retry: Retry.retryLater(slot, "limit", now) })
}

const remaining = (order: Order, fill: Fill): Order => {
  const quantity = Decimal.max(Decimal.subtract(order.quantity, fill.quantity), Decimal.zero)
  const used = Decimal.add(fill.notional, fill.fee)
  const reserved = Decimal.max(Decimal.subtract(order.reserved, used), Decimal.zero)
  return { ...order, quantity, reserved, partlyFilled: true }
}

/** An order of a slot, whose key and other contents are given. */
interface Booking {
  readonly key: string
  readonly slot: Slot
  readonly order: Order
  /** Whether the order has ended. */
  readonly done: boolean
}

/** Notes what a fill bought or sold, and how much of the order it leaves. */
const noteFill = (draft: Draft, { done, key, order, slot: { position } }: Booking, fill: Fill): void => {
  const rest = Decimal.subtract(order.quantity, traded(fill))
  const remains = done
    ? { ordered: Decimal.approximate(order.quantity) }
    : { "still ordered": Decimal.approximate(rest) }
  Drafts.note(draft, "order_filled", {
    market: key,
    side: order.position,
    reason: order.purpose,
    price: fill.price,
    numbers: {
      quantity: Decimal.approximate(fill.quantity),
      ...(Decimal.isPositive(rest) ? remains : {}),
      ...(order.part === true && position !== undefined
        ? { left: Decimal.approximate(position.quantity) }
        : {})
    }
  })
}

/** The quantity that the order traded: more than arrived, where the fee is in the coin bought. */
const traded = ({ paid, pair, quantity }: Fill): Decimal.Decimal =>
  paid !== undefined && pair.startsWith(`${paid.asset}/`) ? Decimal.add(quantity, paid.amount) : quantity

const enlarge = (draft: Draft, id: MarketId, booking: Booking, fill: Fill): void => {
  const { key, order, slot } = booking
  const before = slot.position
  const increase = { isAnother: order.partlyFilled !== true, isAdded: order.purpose === "entry" }
  const position =
    before === undefined ? Positions.opened(order, fill) : Positions.increased(before, fill, increase)
  const cash = Decimal.subtract(draft.state.cash, Decimal.add(fill.notional, fill.fee))
  const held = { ...slot, position }
  Drafts.putSlot(draft, key, held)
  Drafts.change(draft, { _tag: "Cash", cash })
  draft.postings.push(Ledger.entry(key, fill))
  noteFill(draft, booking, fill)
  if (before?.breakEven === true) Drafts.note(draft, "break_even_off", { market: key, side: position.side })
  if (position.peak !== undefined) disarmUnderArm(draft, id, key, position)
  if (order.live !== undefined) sweep(draft, { ...booking, slot: held }, fill.price)
}

/** A DCA entry that brings the profit under the arm level disarms the trailing sell. */
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

/** Books an exit's fill. The last one is noted by its trade. */
const reduce = (draft: Draft, booking: Booking, fill: Fill): void => {
  const { key, order, slot } = booking
  if (slot.position === undefined) {
    Drafts.putSlot(draft, key, slot)
    return Drafts.note(draft, "unexpected_fill", { market: key, price: fill.price })
  }
  const reason = order.exitReason ?? "signal"
  const exited = Positions.decreased(stepped(slot.position, order), fill, order)
  draft.postings.push(Ledger.exit(key, fill, exited))
  Drafts.change(draft, { _tag: "Cash", cash: Decimal.add(draft.state.cash, exited.net) })
  const { position: _, retry: before, ...rest } = slot
  if (Decimal.isPositive(exited.position.quantity)) {
    const exitReason = Retry.pendingExit(slot, remaining(order, fill))
    const retry = exitReason === undefined ? {} : { retry: Retry.retryNow(exitReason, draft.context.now) }
    const held = { ...rest, position: exited.position, ...retry }
    Drafts.putSlot(draft, key, held)
    noteFill(draft, { ...booking, slot: held }, fill)
    if (orderIn(held, order.id) === undefined) sweep(draft, { ...booking, slot: held }, fill.price)
    return
  }
  // The order in flight may still open a position, which must be closed too.
  const goesOn = rest.order !== undefined && before?.wish !== undefined
  Drafts.putSlot(draft, key, goesOn ? { ...rest, retry: before } : rest)
  complete(draft, slot, exited.position, { reason, at: fill.at })
}

/** The position is closed: records the trade. */
export const complete = (
  draft: Draft,
  id: MarketId,
  position: Position,
  { at, reason }: { readonly reason: ExitReason; readonly at: number }
): void => {
  const { live, period } = draft.state
  draft.trades.push(Positions.completed(id, position, { reason, at, period, isLive: live !== undefined }))
}

/** The number of rejections after which a live exit under the market's minimum is given up. */
const HOPELESS = 3

const isHopeless = ({ retry }: Slot, { live, purpose }: Order, rule: NoteRule): boolean =>
  rule === "order_rejected" && live !== undefined && purpose === "exit" && (retry?.times ?? 0) >= HOPELESS - 1

/**
 * Sweeps dust: the rest under the market's minimum after an exit, anything under one amount step, and an entry that
 * filled so little that the exchange takes no exit. Dust closes the trade.
 */
const sweep = (
  draft: Draft,
  { key, order, slot }: Omit<Booking, "done">,
  price: number,
  isRefused = false
): void => {
  const { position, retry: _, ...rest } = slot
  const market = draft.context.market(slot)
  if (position === undefined || market === undefined || slot.order !== undefined) return
  // A part leaves a rest on purpose, however small a later price makes it.
  const isExit = order.purpose === "exit" && order.part !== true
  const isLeft = isRefused || (isExit && !Decimal.isZero(position.exitQuantity))
  const isUnderStep = order.live !== undefined && Decimal.lessThan(position.quantity, market.amountStep)
  if (!isUnderStep && !(isLeft && !Sizing.isTradable(position.quantity, price, market))) return
  Drafts.putSlot(draft, key, rest)
  draft.postings.push(Ledger.dust(key, position.basis, order.id, draft.context.now))
  complete(draft, slot, position, { reason: order.exitReason ?? "written_off", at: draft.context.now })
  const numbers = { quantity: Decimal.approximate(position.quantity) }
  Drafts.note(draft, "dust", { market: key, price, numbers })
}
