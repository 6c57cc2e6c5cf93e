// Cash and positions of a back-test at a moment, rebuilt from its postings and fills: exact, and as doubles for the
// samples between two fills.
import * as Decimal from "../../domain/Decimal.ts"
import type { Fill } from "../../domain/Fill.ts"
import type { Order, PositionSide } from "../../domain/Order.ts"
import type { Posting } from "../books/Ledger.ts"

/** A fill and its order. */
export interface Filled {
  readonly order: Pick<Order, "purpose" | "position">
  readonly fill: Pick<Fill, "quantity">
}

/** A position: `quantity` in base, `basis` in quote, as doubles beside the exact values. */
interface Held {
  readonly side: PositionSide
  exactQuantity: Decimal.Decimal
  exactBasis: Decimal.Decimal
  quantity: number
  basis: number
}

/** What the bot holds after the postings so far, which come in their sequence. */
export interface Holdings {
  readonly postings: ReadonlyArray<Posting>
  readonly fills: ReadonlyArray<Filled>
  readonly positions: Map<string, Held>
  exactCash: Decimal.Decimal
  cash: number
  posting: number
  fill: number
}

/** Before the first posting. Each posting of an entry or exit has its fill, in the same sequence. */
export const make = (postings: ReadonlyArray<Posting>, fills: ReadonlyArray<Filled>): Holdings => ({
  postings,
  fills,
  positions: new Map(),
  exactCash: Decimal.zero,
  cash: 0,
  posting: 0,
  fill: 0
})

/** Books everything up to a time (ms), that included. */
export const advance = (holdings: Holdings, at: number): void => {
  for (;;) {
    const posting = holdings.postings[holdings.posting]
    if (posting === undefined || posting.at > at) return
    holdings.posting++
    book(holdings, posting)
  }
}

const book = (holdings: Holdings, { lines, market }: Posting): void => {
  let [cash, basis, hasFill] = [Decimal.zero, Decimal.zero, false]
  for (const { account, amount } of lines) {
    if (account === "cash") cash = Decimal.add(cash, amount)
    if (account === "positions") basis = Decimal.add(basis, amount)
    if (account === "fees") hasFill = true
  }
  holdings.exactCash = Decimal.add(holdings.exactCash, cash)
  holdings.cash = Decimal.toNumber(holdings.exactCash)
  // Funding changes cash alone.
  if (market === undefined || lines.some(({ account }) => account === "funding")) return
  const filled = hasFill ? holdings.fills[holdings.fill++] : undefined
  // Without a fill the position was dust.
  if (filled === undefined) holdings.positions.delete(market)
  else resize(holdings, market, filled, basis)
}

const resize = ({ positions }: Holdings, market: string, { fill, order }: Filled, basis: Decimal.Decimal) => {
  const before = positions.get(market)
  const change = order.purpose === "exit" ? Decimal.negate(fill.quantity) : fill.quantity
  const exactQuantity = Decimal.add(before?.exactQuantity ?? Decimal.zero, change)
  if (!Decimal.isPositive(exactQuantity)) return void positions.delete(market)
  const exactBasis = Decimal.add(before?.exactBasis ?? Decimal.zero, basis)
  positions.set(market, {
    side: order.position,
    exactQuantity,
    exactBasis,
    quantity: Decimal.toNumber(exactQuantity),
    basis: Decimal.toNumber(exactBasis)
  })
}

/** The position's worth at a price: `Positions.worth` in doubles. */
export const worth = ({ basis, quantity, side }: Held, price: number): number =>
  side === "long" ? quantity * price : basis + basis - quantity * price
