import * as Decimal from "../domain/Decimal.ts"
import type { Fill } from "../domain/Fill.ts"
import type { Order, OrderId } from "../domain/Order.ts"
import { Report, type Ticket } from "../services/Exchange.ts"
import { rateOf } from "../trading/books/Fees.ts"

/** An order as an exchange has it. It is in nobody's sight before `visibleAt` (ms). */
export interface Placed {
  readonly ticket: Ticket<Order>
  readonly visibleAt: number
  status: "open" | "filled" | "cancelled" | "rejected"
  /** Why it was rejected. */
  reason: string
  readonly fills: Array<Fill>
}

/** How an exchange tells of an order this time. */
export interface Telling {
  /** It is the place that took the order: there it is in sight at once. */
  readonly isAtHome?: boolean
  /** The last fill has not come through yet. */
  readonly isLate?: boolean
  /** The first fill is told twice. */
  readonly isRepeated?: boolean
}

/**
 * What an exchange knows of the orders that arrived there, and what it reports of each: the books of the scripted
 * exchange. It takes an id whose order has ended once more, as a new order, like the meaner ones of real exchanges.
 */
export class Venue {
  /** Every order that arrived, by id; more than one where an id was taken again. */
  readonly orders = new Map<string, Array<Placed>>()

  /** Takes an order, unless one of its id is open. */
  place(ticket: Ticket<Order>, visibleAt: number): Placed | undefined {
    const { id } = ticket.order
    const before = this.orders.get(id) ?? []
    if (before.some(({ status }) => status === "open")) return undefined
    const placed: Placed = { ticket, visibleAt, status: "open", reason: "", fills: [] }
    this.orders.set(id, [...before, placed])
    return placed
  }

  /** Fills so much of an order (base) at a price (quote): a limit order at its own. Nothing of it is no fill. */
  fill(placed: Placed, quantity: Decimal.Decimal, marketPrice: number, at: number): void {
    if (!Decimal.isPositive(quantity)) return
    const { fees, order } = placed.ticket
    const price = order.type === "limit" ? order.price : marketPrice
    const notional = Decimal.multiply(quantity, Decimal.fromNumber(price))
    const fee = Decimal.multiply(notional, rateOf(order, fees))
    const { exchange, id, kind, pair, side } = order
    const taken = this.orders.get(id)?.length ?? 1
    const name = `${taken}-${placed.fills.length + 1}`
    placed.fills.push({
      order: id,
      id: name,
      exchange,
      pair,
      kind,
      side,
      quantity,
      price,
      notional,
      fee,
      at
    })
  }

  fillsOf(id: string): ReadonlyArray<Fill> {
    return (this.orders.get(id) ?? []).flatMap(({ fills }) => fills)
  }

  /** What is told of an order at a time (ms). */
  report(order: OrderId, now: number, { isAtHome, isLate, isRepeated }: Telling = {}): Report {
    const [placed] = this.orders.get(order) ?? []
    if (placed === undefined || (isAtHome !== true && now < placed.visibleAt))
      return Report.Missing({ order })
    if (placed.status === "rejected") return Report.Rejected({ order, reason: placed.reason })
    const fills = isLate === true ? placed.fills.slice(0, -1) : [...placed.fills]
    const [first] = fills
    if (isRepeated === true && first !== undefined) fills.push(first)
    const done = placed.status !== "open" && isLate !== true
    if (fills.length === 0 && !done) return Report.Accepted({ order })
    return Report.Filled({ order, fills, done })
  }
}
