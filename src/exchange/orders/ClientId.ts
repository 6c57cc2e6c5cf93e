// Client order ids: a hash of the arming's tag and our order id, so that a crash never gives an order a second id, and
// no two orders ever share one.
import { createHash } from "node:crypto"
import type { OrderId } from "../../domain/Order.ts"

/** 32 hexadecimal digits, a format that every exchange accepts. */
export const clientIdOf = (tag: string, order: OrderId): string =>
  createHash("sha256").update(`${tag}:${order}`).digest("hex").slice(0, 32)
