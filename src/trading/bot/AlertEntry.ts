// An entry alert: it opens a position, adds to an open one, or replaces the targets of one.
import type { Reason } from "../../domain/Alert.ts"
import type { Slot } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { Position } from "../../domain/Position.ts"
import { closingPrice, openingPrice, tidy } from "../Prices.ts"
import { disarm } from "../rules/ApplyRules.ts"
import * as Entry from "../rules/entry.ts"
import type { Arrival } from "./Arrival.ts"
import * as Drafts from "./Draft.ts"
import * as Opening from "./Opening.ts"

/** The entry that an alert wants at the present price. Another account's alert does not say how much to buy. */
export const wantedOf = ({ alert, side, ticker }: Arrival): Entry.WantedEntry => ({
  side,
  targets: alert,
  price: tidy(openingPrice(side, ticker)),
  alert: alert.id,
  buyPercentage: alert.foreign === true ? undefined : alert.buyPercentage
})

/** Opens a position, or arms the trailing buy. */
export const open = (arrival: Arrival): Reason => {
  const opened = Opening.open(arrival.draft, arrival.id, wantedOf(arrival))
  if (opened._tag === "Opened") noteOwnSize(arrival)
  return opened.reason
}

/** Notes that a strategy of another account bought its own size, and not the alert's. */
export const noteOwnSize = ({ alert, draft, key, side }: Arrival): void => {
  const { buyPercentage, foreign, id } = alert
  const { buyPercent } = draft.context.settings
  if (foreign !== true || buyPercentage === undefined || buyPercentage === buyPercent) return
  const numbers = { "alert percent": buyPercentage, "own percent": buyPercent }
  Drafts.note(draft, "own_size", { market: key, side, alert: id, numbers })
}

/** An entry alert on an open position of its side: adds an entry while there may be more, else only sets targets. */
export const enlarge = (arrival: Arrival, slot: Slot, position: Position): Reason => {
  if (position.side !== arrival.side) return "opposite_position"
  const { maxEntries = 1 } = arrival.draft.context.settings
  return entriesOf(position) < maxEntries ? add(arrival, position) : retarget(arrival, slot, position)
}

/** How many entries alerts made: the first, and those they added. */
const entriesOf = ({ added = 0 }: Position): number => 1 + added

const add = (arrival: Arrival, position: Position): Reason => {
  const { alert, draft, id, key, side, ticker } = arrival
  const entry = { ...wantedOf(arrival), held: position, growth: alert.growth }
  const { price } = entry
  const check = Entry.check(draft.context, draft.state, id, entry)
  if (check._tag === "Refused") {
    if (check.text !== undefined)
      Drafts.noteVeto(draft, key, { side, price, alert: alert.id, text: check.text })
    return refusedWith(arrival, position, check.reason)
  }
  const { quantity, targets = alert } = check
  if (!Drafts.enter(draft, id, { side, purpose: "entry", quantity, price, alert: alert.id, targets }))
    return refusedWith(arrival, position, "insufficient_balance")
  const numbers = {
    quantity: Decimal.approximate(quantity),
    "entry number": entriesOf(position) + 1,
    "most entries": draft.context.settings.maxEntries ?? 1
  }
  Drafts.note(draft, "added", { market: key, side, price, numbers })
  noteOwnSize(arrival)
  const slot = draft.state.slots[key]
  if (slot !== undefined && isGiven(targets))
    replace(draft, { key, slot, position }, targets, closingPrice(side, ticker))
  return "added"
}

/** Good targets that came with a refused entry are replaced all the same. */
const refusedWith = (arrival: Arrival, position: Position, reason: Reason): Reason => {
  const { alert, draft, key, side, ticker } = arrival
  const slot = draft.state.slots[key]
  const price = closingPrice(side, ticker)
  if (slot === undefined || !isGiven(alert) || reason === "bad_target") return reason
  if (!Entry.targetsFit(side, alert, price)) return reason
  replace(draft, { key, slot, position }, alert, price)
  return "targets_updated"
}

/** Each of tp, tps and sl replaces only its own; tp and tps replace each other. */
const retarget = ({ alert, draft, key, side, ticker }: Arrival, slot: Slot, position: Position): Reason => {
  if (!isGiven(alert)) return "already_open"
  const price = closingPrice(side, ticker)
  if (!Entry.targetsFit(side, alert, price)) return "bad_target"
  replace(draft, { key, slot, position }, alert, price)
  return "targets_updated"
}

const isGiven = ({ sl, tp, tps }: Entry.Targets): boolean => (tp ?? sl ?? tps) !== undefined

/** A slot and its position, whose targets are replaced. */
interface Target {
  readonly key: string
  readonly slot: Slot
  readonly position: Position
}

const replace = (
  draft: Arrival["draft"],
  { key, position, slot }: Target,
  targets: Entry.Targets,
  price: number
): void => {
  Drafts.putSlot(draft, key, { ...slot, position: retargeted(position, targets) })
  const { sl, tp, tps } = targets
  const numbers = {
    ...(tp === undefined ? {} : { tp }),
    ...Object.fromEntries((tps ?? []).map((step, index) => [`tp ${index + 1}`, step.price])),
    ...(sl === undefined ? {} : { sl })
  }
  Drafts.note(draft, "targets_updated", { market: key, price, numbers })
}

/** The position with these targets. A ladder counts from the quantity that is held when it is set. */
export const retargeted = (position: Position, { sl, tp, tps }: Entry.Targets): Position => {
  const stopped = sl === undefined ? position : { ...position, sl }
  if (tp === undefined && tps === undefined) return stopped
  const { ladder: _, tp: __, ...rest } = disarm(stopped)
  return {
    ...rest,
    ...(tp === undefined ? {} : { tp }),
    ...(tps === undefined ? {} : { ladder: { steps: tps, base: position.quantity, done: 0 } })
  }
}
