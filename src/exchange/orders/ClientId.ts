import { createHash } from "node:crypto"
import type { OrderId } from "../../domain/Order.ts"

/**
 * The id that an order has at the exchange: 32 hexadecimal digits, which all seven take. It is a function of the
 * order's own and the arming's tag, so that it is the same after a crash, and never that of another order.
 */
export const clientIdOf = (tag: string, order: OrderId): string =>
  createHash("sha256").update(`${tag}:${order}`).digest("hex").slice(0, 32)
