// Books the funding of a perpetual: cash that the position pays or receives, without an order.
import * as Decimal from "../../domain/Decimal.ts"
import type { MarketId } from "../../domain/Market.ts"
import * as Ledger from "../books/Ledger.ts"
import type { Draft } from "../Decision.ts"
import * as Drafts from "./Draft.ts"
import { keyOf } from "./Keys.ts"

/** Pays quantity x price x rate: longs to shorts where the rate is positive. Nothing is held: nothing is paid. */
export const paid = (draft: Draft, id: MarketId, rate: number, price: number): void => {
  const key = keyOf(id)
  const slot = draft.state.slots[key]
  if (slot?.position === undefined) return
  const { position } = slot
  const worth = Decimal.product(position.quantity, Decimal.fromNumber(price))
  const toShorts = Decimal.multiply(worth, Decimal.fromNumber(rate))
  const received = position.side === "long" ? Decimal.negate(toShorts) : toShorts
  Drafts.putSlot(draft, key, {
    ...slot,
    position: {
      ...position,
      proceeds: Decimal.add(position.proceeds, received),
      funding: Decimal.add(position.funding ?? Decimal.zero, received)
    }
  })
  Drafts.change(draft, { _tag: "Cash", cash: Decimal.add(draft.state.cash, received) })
  draft.postings.push(Ledger.funding(key, received, draft.context.now))
}
