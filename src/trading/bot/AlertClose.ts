// A closing alert on an open position: all of it or a part, if the minimum profit lets it.
import type { Extras, Reason } from "../../domain/Alert.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { Position } from "../../domain/Position.ts"
import { figuresOf } from "../books/Positions.ts"
import { placeOf } from "../Decision.ts"
import { closingPrice, favourable, reached, tidy } from "../Prices.ts"
import { closingNumbers, partNumbers } from "../rules/ClosePositions.ts"
import { gate } from "../rules/exits.ts"
import * as Parts from "../rules/Parts.ts"
import { viewOf } from "../rules/Rules.ts"
import type { View } from "../rules/Trigger.ts"
import type { Arrival } from "./Arrival.ts"
import * as Drafts from "./Draft.ts"

/** The part of the position that a closing alert is about, in percent; undefined for all of it. */
export const partOf = ({ closePercent }: Extras): number | undefined =>
  closePercent === undefined || closePercent >= 100 ? undefined : closePercent

/**
 * Closes the position, or the part that the alert names. The minimum profit gates both, unless a target is held or the
 * strategy ignores the gate for signals.
 */
export const closeOnAlert = (arrival: Arrival, position: Position): Reason => {
  const { alert, draft, id, side, ticker } = arrival
  if (position.side !== side || !(position.openedBy < placeOf(alert))) return "no_position"
  const view = viewOf(draft.context, draft.state, id, ticker)
  const { minProfitPercent, signalIgnoresMinProfit } = draft.context.settings
  const level = gate(view, figuresOf(position))
  const isTargeted = position.tp !== undefined || position.ladder !== undefined
  const free = signalIgnoresMinProfit || isTargeted || level === undefined
  if (!free && !reached(closingPrice(side, ticker), level, favourable(side))) return "below_min_profit"
  const needed = free || minProfitPercent === undefined ? {} : { "min profit percent": minProfitPercent }
  const percent = partOf(alert)
  return percent === undefined
    ? closeAll(arrival, position, view, needed)
    : closePart(arrival, position, { view, needed, percent })
}

type Numbers = Readonly<Record<string, number>>

const closeAll = (
  { draft, id, key, side, ticker }: Arrival,
  position: Position,
  view: View,
  needed: Numbers
): Reason => {
  const price = closingPrice(side, ticker)
  // The exit may first have to wait until the protective stop at the exchange has ended; it is noted then.
  if (!Drafts.leave(draft, id, position, { exitReason: "signal", type: "market", price })) return "closed"
  const numbers = { ...closingNumbers(view, "market", price), ...needed }
  Drafts.note(draft, "closed", { market: key, side, reason: "signal", price, numbers })
  return "closed"
}

/** A part under the market's minimum is owed; where it would leave less than the minimum, all is closed. */
const closePart = (
  arrival: Arrival,
  position: Position,
  { needed, percent, view }: { readonly view: View; readonly needed: Numbers; readonly percent: number }
): Reason => {
  const { alert, draft, id, key, side, ticker } = arrival
  const price = closingPrice(side, ticker)
  const wanted = Parts.wanted(position, percent)
  const plan = Parts.plan(position, wanted, tidy(price), draft.context.market(id))
  if (plan._tag === "Whole") return closeAll(arrival, position, view, needed)
  const slot = draft.state.slots[key]
  if (slot === undefined) return "no_position"
  if (plan._tag === "Owed") {
    Drafts.putSlot(draft, key, { ...slot, position: Parts.owing(position, wanted) })
    const owed = { owed: Decimal.approximate(wanted) }
    Drafts.note(draft, "part_owed", { market: key, side, price, alert: alert.id, numbers: owed })
    return "below_min_notional"
  }
  const { quantity: part } = plan
  const isOrdered = Drafts.leave(draft, id, position, { exitReason: "signal", type: "market", price, part })
  const next = draft.state.slots[key]
  // The risk gate let no order pass, and none is kept for later: what was owed is owed still.
  if (!isOrdered && (next === slot || next === undefined)) return "pending_exit"
  if (next?.position?.owed !== undefined)
    Drafts.putSlot(draft, key, { ...next, position: Parts.settled(next.position) })
  if (!isOrdered) return "reduced"
  const numbers = { ...closingNumbers(view, "market", price), ...partNumbers(position, part), ...needed }
  Drafts.note(draft, "reduced", { market: key, side, reason: "signal", price, numbers })
  return "reduced"
}
