// The scripted exchange's books: its orders, their fills, and the reports about them.
import * as Decimal from "../domain/Decimal.ts"
import type { Fill } from "../domain/Fill.ts"
import type { Order, OrderId } from "../domain/Order.ts"
import { Report, type Ticket } from "../services/Exchange.ts"
import { rateOf } from "../trading/books/Fees.ts"

/** An order at the exchange. Queries do not find it before `visibleAt` (ms). */
export interface Placed {
  readonly ticket: Ticket<Order>
  readonly visibleAt: number
  status: "open" | "filled" | "cancelled" | "rejected"
  /** Why the order was rejected. */
  reason: string
  readonly fills: Array<Fill>
}

/** How this report is distorted. */
export interface Telling {
  /** The report is the response to the order itself, which always finds it. */
  readonly isAtHome?: boolean
  /** The last fill is missing. */
  readonly isLate?: boolean
  /** The first fill appears twice. */
  readonly isRepeated?: boolean
}

/**
 * Keeps orders and reports. It accepts the id of a finished order again, as a new order, like the strictest of real
 * exchanges.
 */
export class Venue {
  /** Every order by id; several if an id was used again. */
  readonly orders = new Map<string, Array<Placed>>()

  /** Accepts an order unless one with its id is open. */
  place(ticket: Ticket<Order>, visibleAt: number): Placed | undefined {
    const { id } = ticket.order
    const before = this.orders.get(id) ?? []
    if (before.some(({ status }) => status === "open")) return undefined
    const placed: Placed = { ticket, visibleAt, status: "open", reason: "", fills: [] }
    this.orders.set(id, [...before, placed])
    return placed
  }

  /**
   * Fills a quantity (base) at a price (quote); a limit order fills at its own price. A quantity of 0 does nothing.
   */
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

  /** The report about an order at a time (ms). */
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
