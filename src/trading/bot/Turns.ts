// The second leg of a turn: the entry that follows the order that closes the other side. It is decided once the slot is
// empty, on what is then free; no other rule is looked at between the legs.
import type { Slot, Turn } from "../../domain/Bot.ts"
import type { MarketId } from "../../domain/Market.ts"
import type { Draft } from "../Decision.ts"
import { openingPrice, tidy } from "../Prices.ts"
import { entryMarket } from "../Routing.ts"
import type { WantedEntry } from "../rules/entry.ts"
import * as Drafts from "./Draft.ts"
import { keyOf } from "./Keys.ts"
import { open } from "./Opening.ts"

/** Whether a slot waits only for the price of its turn's entry. */
export const isDue = ({ order, position, stop, turn }: Slot): boolean =>
  turn !== undefined && position === undefined && order === undefined && stop === undefined

/**
 * Decides the entry of a slot's turn, if the slot is empty and there is a price. Closing one side and opening the other
 * read the same side of the book: on paper both legs have one price.
 */
export const follow = (draft: Draft, key: string): void => {
  const slot = draft.state.slots[key]
  if (slot?.turn === undefined || !isDue(slot)) return
  const { turn } = slot
  const market = entryMarket(draft.context, draft.state, slot)
  if (typeof market === "string") return drop(draft, key, slot, market)
  if (turn.until !== undefined && draft.context.now > turn.until) return drop(draft, key, slot, "stale")
  const ticker = draft.context.quote(market)
  const isHere = keyOf(market) === key
  if (ticker === undefined) return
  const price = openingPrice(turn.side, ticker)
  const occupied = isHere ? undefined : occupiedBy(draft, market, turn)
  if (occupied !== undefined) return drop(draft, key, slot, occupied)
  const { turn: _, ...rest } = slot
  Drafts.putSlot(draft, key, rest)
  const opened = open(draft, market, wantedOf(turn, tidy(price)))
  if (opened._tag === "Refused") note(draft, key, turn, { reason: opened.reason, price })
}

/** The entry of a turn at a price. */
export const wantedOf = (
  { alert, buyPercentage, side, sl, tp, tps }: Omit<Turn, "at">,
  price: number
): WantedEntry => ({ alert, side, price, targets: { tp, sl, tps }, buyPercentage })

/** Notes why the other side was not opened. */
export const note = (
  draft: Draft,
  key: string,
  { alert, side }: Pick<Turn, "alert" | "side">,
  { price, reason }: { readonly reason: string; readonly price?: number | undefined }
): void =>
  Drafts.note(draft, "turn_dropped", {
    market: key,
    side,
    reason,
    alert,
    ...(price === undefined ? {} : { price })
  })

const drop = (draft: Draft, key: string, slot: Slot, reason: string): void => {
  const { turn, ...rest } = slot
  Drafts.putSlot(draft, key, rest)
  if (turn !== undefined) note(draft, key, turn, { reason })
}

/** What stands in the way on the market of the entry, where that is another than the one that was closed. */
const occupiedBy = (draft: Draft, id: MarketId, { side }: Turn): string | undefined => {
  const other = draft.state.slots[keyOf(id)]
  if (other === undefined) return undefined
  const held = other.position?.side
  if (held !== undefined) return held === side ? "already_open" : "opposite_position"
  return "pending_entry"
}
