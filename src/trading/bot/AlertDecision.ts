// Decides an alert for its slot: open, add, set targets, close all or a part, turn, cancel a waiting entry, or nothing,
// each with a reason.
// Exit rules run before the alert and again after it.
import type { Reason } from "../../domain/Alert.ts"
import type { Slot } from "../../domain/Bot.ts"
import type { MarketId } from "../../domain/Market.ts"
import type { PositionSide } from "../../domain/Order.ts"
import { type AlertAnswer, type BotAlert, type Draft, type EntryTerms, placeOf } from "../Decision.ts"
import { meaningOf, oppositionOf } from "../Routing.ts"
import { about, applyRules } from "../rules/ApplyRules.ts"
import { isBusy } from "../rules/Trigger.ts"
import { closeOnAlert, partOf } from "./AlertClose.ts"
import { enlarge, open } from "./AlertEntry.ts"
import { turn } from "./AlertTurn.ts"
import type { Arrival } from "./Arrival.ts"
import * as Drafts from "./Draft.ts"
import { keyOf } from "./Keys.ts"

/** An alert routed to its market, with what its route found out about an entry that follows a closing leg. */
interface RoutedAlert {
  readonly alert: BotAlert
  readonly market: MarketId
  readonly entry?: EntryTerms | undefined
}

/**
 * Answers one alert. While the slot has an order in flight the alert waits, unless the order cannot change the answer.
 */
export const answer = (draft: Draft, { alert, entry, market: id }: RoutedAlert): AlertAnswer => {
  const ticker = draft.context.quote(id)
  const key = keyOf(id)
  if (ticker === undefined) return unpriced(draft, alert, key, entry)
  const { markets } = about(draft, id)
  applyRules(draft, markets, "exits")
  const slot = draft.state.slots[key]
  if (slot?.astray !== undefined) return { _tag: "Answered", reason: "astray" }
  const isOrdering = draft.orders.length > 0 || (slot !== undefined && isBusy(slot))
  if (isOrdering && !isPlain(draft, slot, alert)) return { _tag: "Waiting", on: "order" }
  if (draft.state.closing !== undefined || isAddingToClosing(draft, slot, alert))
    return { _tag: "Waiting", on: "order" }
  const before = draft.changes.length
  const { act } = meaningOf(alert.type)
  const side = sideOf(alert, slot)
  const reason = decided({ draft, alert, id, key, side, ticker, entry }, act, slot)
  if (draft.changes.length > before) applyRules(draft, markets, "exits")
  return { _tag: "Answered", reason }
}

/** The side that an alert is about: whichever is held or waits, where it says so. */
const sideOf = (alert: BotAlert, slot: Slot | undefined): PositionSide => {
  const { side } = meaningOf(alert.type)
  if (alert.eitherSide !== true || slot === undefined) return side
  return slot.position?.side ?? pendingOf(slot) ?? side
}

/** The side of the entry that waits or is in flight. */
const pendingOf = ({ order, trailingBuy, turn }: Slot): PositionSide | undefined =>
  trailingBuy?.side ?? turn?.side ?? order?.position

/** Cancelling a waiting entry needs no price; everything else waits for one. */
const unpriced = (draft: Draft, alert: BotAlert, key: string, entry: EntryTerms | undefined): AlertAnswer => {
  const { act, side } = meaningOf(alert.type)
  const slot = draft.state.slots[key]
  const waiting = slot?.position === undefined ? (slot?.trailingBuy ?? slot?.turn) : undefined
  if (slot === undefined || waiting === undefined || !(waiting.alert < placeOf(alert)) || isBusy(slot))
    return { _tag: "Waiting", on: "price" }
  const isOwn = waiting.side === side || alert.eitherSide === true
  const isClosed = act === "close" && isOwn
  if (isClosed && partOf(alert) !== undefined) return { _tag: "Answered", reason: "pending_entry" }
  const isTurned = act === "open" && waiting.side !== side && isWithoutEntry(draft, alert, entry)
  if (!isClosed && !isTurned) return { _tag: "Waiting", on: "price" }
  Drafts.cancelEntry(draft, key, slot, isClosed ? "closing_alert" : "opposite_alert")
  return { _tag: "Answered", reason: "entry_cancelled" }
}

/** Whether an alert cancels the other side's entry and makes none in its place. */
const isWithoutEntry = ({ context }: Draft, alert: BotAlert, entry: EntryTerms | undefined): boolean => {
  const way = oppositionOf(context.settings, alert)
  return way === "close" || (way === "reverse" && entry?.refused !== undefined)
}

/**
 * An entry alert beside a live entry order is answered at once, unless it turns. A paper order ends within the event,
 * so the alert waits for it.
 */
const isPlain = ({ context }: Draft, slot: Slot | undefined, alert: BotAlert): boolean => {
  const { act, side } = meaningOf(alert.type)
  if (slot?.order?.purpose !== "entry" || slot.order.live === undefined || slot.position !== undefined)
    return false
  return (
    act === "open" && (slot.order.position === side || oppositionOf(context.settings, alert) === "ignore")
  )
}

/**
 * Whether an entry would add to a position whose close is decided and only waits to be sent: it waits for the close, which
 * would sell what it buys.
 */
const isAddingToClosing = ({ context }: Draft, slot: Slot | undefined, alert: BotAlert): boolean => {
  const { act, side } = meaningOf(alert.type)
  if (act !== "open" || slot?.position?.side !== side || slot.retry?.wish === undefined) return false
  if ((context.settings.maxEntries ?? 1) === 1) return false
  const takesBack = slot.turn !== undefined && oppositionOf(context.settings, alert) === "reverse"
  return slot.retry.part === undefined && !takesBack
}

const decided = (arrival: Arrival, act: "open" | "close", slot: Slot | undefined): Reason => {
  const turned = act === "open" && slot !== undefined ? turn(arrival, slot) : undefined
  if (turned !== undefined) return turned
  const { alert, side } = arrival
  if (slot?.position !== undefined) {
    if (act === "open") return enlarge(arrival, slot, slot.position)
    if (slot.turn?.side === side && slot.turn.alert < placeOf(alert))
      return partOf(alert) === undefined ? cancelled(arrival, slot) : "pending_entry"
    return closeOnAlert(arrival, slot.position)
  }
  const pending = slot === undefined ? undefined : pendingOf(slot)
  if (slot !== undefined && pending !== undefined) {
    if (act === "open") return pending === side ? "pending_entry" : "opposite_position"
    const waiting = slot.trailingBuy ?? slot.turn
    if (pending !== side || !((waiting?.alert ?? 0) < placeOf(alert))) return "no_position"
    return partOf(alert) === undefined ? cancelled(arrival, slot) : "pending_entry"
  }
  return act === "open" ? open(arrival) : "no_position"
}

const cancelled = ({ draft, key }: Arrival, slot: Slot): Reason => {
  Drafts.cancelEntry(draft, key, slot, "closing_alert")
  return "entry_cancelled"
}
