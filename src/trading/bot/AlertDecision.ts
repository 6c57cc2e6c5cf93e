// Decides an alert for its slot: open, add targets, close, cancel a waiting entry, or nothing, each with a reason.
// Exit rules run before the alert and again after it.
import type { Reason } from "../../domain/Alert.ts"
import type { Slot } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { MarketId } from "../../domain/Market.ts"
import type { PositionSide } from "../../domain/Order.ts"
import type { Position } from "../../domain/Position.ts"
import type { Ticker } from "../../domain/Ticker.ts"
import { figuresOf } from "../books/Positions.ts"
import type { AlertAnswer, BotAlert, Draft } from "../Decision.ts"
import { closingPrice, favourable, openingPrice, reached, tidy } from "../Prices.ts"
import { meaningOf } from "../Routing.ts"
import { about, applyRules, disarm } from "../rules/ApplyRules.ts"
import { closingNumbers } from "../rules/ClosePositions.ts"
import * as Entry from "../rules/entry.ts"
import { gate } from "../rules/exits.ts"
import { viewOf } from "../rules/Rules.ts"
import { isBusy } from "../rules/Trigger.ts"
import * as Drafts from "./Draft.ts"
import { keyOf } from "./Keys.ts"

/**
 * Answers one alert. While the slot has an order in flight the alert waits, unless the order cannot change the answer.
 */
export const answer = (draft: Draft, alert: BotAlert, id: MarketId): AlertAnswer => {
  const ticker = draft.context.quote(id)
  const key = keyOf(id)
  if (ticker === undefined) return unpriced(draft, alert, key)
  const { markets } = about(draft, id)
  applyRules(draft, markets, "exits")
  const slot = draft.state.slots[key]
  if (slot?.astray !== undefined) return { _tag: "Answered", reason: "astray" }
  const isOrdering = draft.orders.length > 0 || (slot !== undefined && isBusy(slot))
  if (isOrdering && !isPlain(slot, alert)) return { _tag: "Waiting", on: "order" }
  if (draft.state.closing !== undefined) return { _tag: "Waiting", on: "order" }
  const before = draft.changes.length
  const { act, side } = meaningOf(alert.type)
  const reason = decided({ draft, alert, id, key, side, ticker }, act, slot)
  if (draft.changes.length > before) applyRules(draft, markets, "exits")
  return { _tag: "Answered", reason }
}

/** Cancelling a waiting entry needs no price; everything else waits for one. */
const unpriced = (draft: Draft, alert: BotAlert, key: string): AlertAnswer => {
  const { act, side } = meaningOf(alert.type)
  const slot = draft.state.slots[key]
  if (act === "open" || slot?.trailingBuy?.side !== side) return { _tag: "Waiting", on: "price" }
  Drafts.cancelEntry(draft, key, slot, "closing_alert")
  return { _tag: "Answered", reason: "entry_cancelled" }
}

/**
 * An entry alert beside a live entry order is answered at once. A paper order ends within the event, so the alert waits
 * for it.
 */
const isPlain = (slot: Slot | undefined, alert: BotAlert): boolean =>
  slot?.order?.purpose === "entry" &&
  slot.order.live !== undefined &&
  slot.position === undefined &&
  meaningOf(alert.type).act === "open"

/** An alert at a market with a price. */
interface Arrival {
  readonly draft: Draft
  readonly alert: BotAlert
  readonly id: MarketId
  readonly key: string
  readonly side: PositionSide
  readonly ticker: Ticker
}

const decided = (arrival: Arrival, act: "open" | "close", slot: Slot | undefined): Reason => {
  const { alert, draft, key, side } = arrival
  if (slot?.position !== undefined) {
    return act === "open" ? retarget(arrival, slot, slot.position) : closeOnAlert(arrival, slot.position)
  }
  const pending = slot?.trailingBuy?.side ?? slot?.order?.position
  if (slot !== undefined && pending !== undefined) {
    if (act === "open") return pending === side ? "pending_entry" : "opposite_position"
    if (pending !== side || !((slot.trailingBuy?.alert ?? 0) < alert.id)) return "no_position"
    Drafts.cancelEntry(draft, key, slot, "closing_alert")
    return "entry_cancelled"
  }
  return act === "open" ? open(arrival) : "no_position"
}

/** An entry alert on an open position: each of tp and sl replaces only its own. */
const retarget = ({ alert, draft, key, side, ticker }: Arrival, slot: Slot, position: Position): Reason => {
  if (position.side !== side) return "opposite_position"
  const { sl, tp } = alert
  if (tp === undefined && sl === undefined) return "already_open"
  const price = closingPrice(side, ticker)
  if (!Entry.targetsFit(side, alert, price)) return "bad_target"
  const held = tp === undefined ? position : { ...disarm(position), tp }
  Drafts.putSlot(draft, key, { ...slot, position: sl === undefined ? held : { ...held, sl } })
  const numbers = { ...(tp === undefined ? {} : { tp }), ...(sl === undefined ? {} : { sl }) }
  Drafts.note(draft, "targets_updated", { market: key, price, numbers })
  return "targets_updated"
}

/** The minimum profit gates the close, unless a take profit is held or the strategy ignores the gate for signals. */
const closeOnAlert = ({ alert, draft, id, key, side, ticker }: Arrival, position: Position): Reason => {
  if (position.side !== side || !(position.openedBy < alert.id)) return "no_position"
  const price = closingPrice(side, ticker)
  const view = viewOf(draft.context, draft.state, id, ticker)
  const figures = figuresOf(position)
  const level = gate(view, figures)
  const free =
    draft.context.settings.signalIgnoresMinProfit || position.tp !== undefined || level === undefined
  if (!free && !reached(price, level, favourable(side))) return "below_min_profit"
  // The exit may first have to wait until the protective stop at the exchange has ended; it is noted then.
  if (!Drafts.leave(draft, id, position, { exitReason: "signal", type: "market", price })) return "closed"
  const { minProfitPercent } = draft.context.settings
  const needed = free || minProfitPercent === undefined ? {} : { "min profit percent": minProfitPercent }
  const numbers = { ...closingNumbers(view, "market", price), ...needed }
  Drafts.note(draft, "closed", { market: key, side, reason: "signal", price, numbers })
  return "closed"
}

const open = (arrival: Arrival): Reason => {
  const { alert, draft, id, key, side, ticker } = arrival
  const { context, state } = draft
  const price = tidy(openingPrice(side, ticker))
  const check = Entry.check(context, state, id, { side, targets: alert, price, alert: alert.id })
  if (check._tag === "Refused") {
    if (check.text !== undefined)
      Drafts.noteVeto(draft, key, { side, price, alert: alert.id, text: check.text })
    return check.reason
  }
  const { quantity, targets = alert } = check
  if (context.settings.trailingBuy !== undefined) {
    arm(arrival, price, targets)
    return "trailing_buy_armed"
  }
  if (!Drafts.enter(draft, id, { side, purpose: "entry", quantity, price, alert: alert.id, targets }))
    return "insufficient_balance"
  const numbers = { quantity: Decimal.approximate(quantity) }
  Drafts.note(draft, "opened", { market: key, side, price, numbers })
  return "opened"
}

const arm = ({ alert, draft, id, key, side }: Arrival, price: number, { sl, tp }: Entry.Targets): void => {
  const trailingBuy = {
    side,
    alert: alert.id,
    extreme: price,
    armedAt: draft.context.now,
    ...(tp === undefined ? {} : { tp }),
    ...(sl === undefined ? {} : { sl })
  }
  Drafts.putSlot(draft, key, { exchange: id.exchange, pair: id.pair, kind: id.kind, trailingBuy })
  const { trailingBuy: trail } = draft.context.settings
  const numbers = trail === undefined ? {} : { "trail percent": trail.percent }
  Drafts.note(draft, "trailing_buy_armed", { market: key, side, price, numbers })
}
