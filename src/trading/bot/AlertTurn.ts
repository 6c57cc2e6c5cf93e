// An entry alert that first closes the other side, or cancels its waiting entry. The closing leg is a closing alert and
// acts whatever is against the entry; the entry follows once the slot is empty (Turns).
import type { Reason } from "../../domain/Alert.ts"
import type { BotState, Slot } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { Fill } from "../../domain/Fill.ts"
import { OrderId } from "../../domain/Order.ts"
import type { Position } from "../../domain/Position.ts"
import * as Positions from "../books/Positions.ts"
import { type Draft, placeOf } from "../Decision.ts"
import { tidy } from "../Prices.ts"
import { oppositionOf } from "../Routing.ts"
import * as Entry from "../rules/entry.ts"
import { isBusy } from "../rules/Trigger.ts"
import { targetsOf } from "../rules/targeted.ts"
import { closeOnAlert } from "./AlertClose.ts"
import * as AlertEntry from "./AlertEntry.ts"
import type { Arrival } from "./Arrival.ts"
import * as Drafts from "./Draft.ts"
import * as Opening from "./Opening.ts"
import * as Turns from "./Turns.ts"

/** What the alert does to the other side; undefined if there is none, or the alert does not touch it. */
export const turn = (arrival: Arrival, slot: Slot): Reason | undefined => {
  const { alert, draft, side } = arrival
  const way = oppositionOf(draft.context.settings, alert)
  if (way === "ignore") return undefined
  const { position } = slot
  if (position === undefined) return isWaitingOpposite(arrival, slot) ? instead(arrival, slot) : undefined
  if (position.side === side) return way === "reverse" ? back(arrival, slot) : undefined
  if (!(position.openedBy < placeOf(alert))) return undefined
  if (slot.turn !== undefined) return "pending_entry"
  const closed = closeOnAlert(
    { ...arrival, side: position.side, alert: { ...alert, closePercent: 100 } },
    position
  )
  return closed === "closed" && way === "reverse" ? follow(arrival, position) : closed
}

/** Whether an entry of the other side waits that came before the alert. */
const isWaitingOpposite = ({ alert, side }: Arrival, { trailingBuy, turn }: Slot): boolean => {
  const waiting = trailingBuy ?? turn
  return waiting !== undefined && waiting.side !== side && waiting.alert < placeOf(alert)
}

/** Cancels the waiting entry of the other side, and makes this one in its place. */
const instead = (arrival: Arrival, slot: Slot): Reason => {
  const { alert, draft, entry, id, key } = arrival
  Drafts.cancelEntry(draft, key, slot, "opposite_alert")
  if (oppositionOf(draft.context.settings, alert) === "close") return "entry_cancelled"
  if (entry?.refused !== undefined) {
    Turns.note(draft, key, { alert: alert.id, side: arrival.side }, { reason: entry.refused })
    return "entry_cancelled"
  }
  const wanted = AlertEntry.wantedOf(arrival)
  const opened = Opening.open(draft, id, wanted)
  if (opened._tag === "Opened") {
    AlertEntry.noteOwnSize(arrival)
    return "turned"
  }
  const { price, side } = wanted
  Turns.note(draft, key, { alert: alert.id, side }, { reason: opened.reason, price })
  return "entry_cancelled"
}

/** The chart turned back before the position was closed: it stays, and the turn is forgotten. */
const back = ({ alert, draft, key }: Arrival, slot: Slot): Reason | undefined => {
  const { retry, turn, ...rest } = slot
  if (turn === undefined || turn.alert >= placeOf(alert)) return undefined
  Drafts.cancelEntry(draft, key, slot, "opposite_alert")
  if (retry?.wish === "signal") Drafts.putSlot(draft, key, rest)
  return "entry_cancelled"
}

/** The other side is being closed: keeps the entry that follows, unless it is refused already. */
const follow = (arrival: Arrival, position: Position): Reason => {
  const { alert, draft, entry, id, key, side } = arrival
  const slot = draft.state.slots[key]
  const wanted = AlertEntry.wantedOf(arrival)
  const { buyPercentage, price, targets } = wanted
  const dropped = (reason: string): Reason => {
    Turns.note(draft, key, { alert: alert.id, side }, { reason, price })
    return "closed"
  }
  if (entry?.refused !== undefined) return dropped(entry.refused)
  // The risk gate let no closing order pass, so that nothing will follow it.
  if (slot === undefined || !(isBusy(slot) || slot.retry?.wish !== undefined)) return "closed"
  const after = closedState(draft, { key, position, price })
  const check = Entry.check(draft.context, after, id, wanted)
  if (check._tag === "Refused") {
    if (check.text !== undefined)
      Drafts.noteVeto(draft, key, { side, price, alert: alert.id, text: check.text })
    return dropped(check.reason)
  }
  const turn = {
    alert: alert.id,
    at: alert.at,
    side,
    ...targetsOf(targets),
    ...(buyPercentage === undefined ? {} : { buyPercentage }),
    ...(entry?.until === undefined ? {} : { until: entry.until })
  }
  Drafts.putSlot(draft, key, { ...slot, turn })
  Drafts.note(draft, "turning", { market: key, side, price, alert: alert.id })
  AlertEntry.noteOwnSize(arrival)
  return "turned"
}

/** The state once the position is closed at a price with the taker fee, as a paper order closes it. */
const closedState = (
  { context, state }: Draft,
  { key, position, price }: { readonly key: string; readonly position: Position; readonly price: number }
): BotState => {
  const slot = state.slots[key]
  if (slot === undefined) return state
  const { quantity } = position
  const notional = Decimal.multiply(quantity, Decimal.fromNumber(tidy(price)))
  const { exchange, kind, pair } = slot
  const fill: Fill = {
    order: OrderId.make("turn"),
    id: "1",
    exchange,
    pair,
    kind,
    side: position.side === "long" ? "sell" : "buy",
    quantity,
    price,
    notional,
    fee: Decimal.multiply(notional, context.fees(slot).taker),
    at: context.now
  }
  const { net } = Positions.decreased(position, fill, undefined)
  const { [key]: _, ...slots } = state.slots
  return { ...state, cash: Decimal.add(state.cash, net), slots }
}
