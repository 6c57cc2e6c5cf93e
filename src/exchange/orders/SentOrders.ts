// The orders that this run has sent or is sending, with the exchange's ids. The oldest are dropped beyond 10,000.
import type { OrderId } from "../../domain/Order.ts"

/** The most orders that are remembered. */
const MEMORY = 10_000

export class SentOrders {
  readonly #ids = new Map<OrderId, string | undefined>()

  /** Whether the order was sent, or is being sent. */
  has(order: OrderId): boolean {
    return this.#ids.has(order)
  }

  /** The exchange's id of the order; undefined if it is not known. */
  idOf(order: OrderId): string | undefined {
    return this.#ids.get(order)
  }

  /** Remembers the order as the newest, with the exchange's id once it is known. */
  remember(order: OrderId, id?: string): void {
    this.#ids.delete(order)
    this.#ids.set(order, id)
    const [oldest] = this.#ids.size > MEMORY ? this.#ids.keys() : []
    if (oldest !== undefined) this.#ids.delete(oldest)
  }

  /** Forgets an order that certainly was not sent. */
  forget(order: OrderId): void {
    this.#ids.delete(order)
  }
}
