// The port that lists a strategy's orders, with its in-memory layer. The Portfolio writes them.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Fill } from "../../domain/Fill.ts"
import type { Order, OrderStatus } from "../../domain/Order.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import { MemoryState } from "../records/MemoryState.ts"

/** An order as intended, its status, and its fills, oldest first. */
export interface OrderRecord {
  /** Its number among all orders, by intent. */
  readonly sequence: number
  readonly order: Order
  readonly status: OrderStatus
  readonly fills: ReadonlyArray<Fill>
}

/**
 * Orders, to be read. A port; the Portfolio writes them. The caller has checked whose the strategy is.
 *
 * **An implementation keeps**
 *
 * - Order: newest first, in pages that neither skip nor repeat. A page costs what it holds.
 * - Freshness: what a commit stored is visible from the moment it ends.
 *
 * **Proved by** `OrdersContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class Orders extends Context.Tag("signalbox/services/money/Orders")<
  Orders,
  {
    /** Lists at most `limit` orders, with sequences below `before` where given. */
    readonly page: (
      strategy: StrategyId,
      page: { readonly limit: number; readonly before?: number }
    ) => Effect.Effect<ReadonlyArray<OrderRecord>>
  }
>() {
  static readonly layerMemory = Layer.effect(
    Orders,
    Effect.map(MemoryState, ({ fills, orders }) => ({
      page: Effect.fn("Orders.page")((strategy, { before = Number.MAX_SAFE_INTEGER, limit }) =>
        Effect.sync(() =>
          [...orders.values()]
            .map((row, index) => ({ ...row, sequence: index + 1 }))
            .filter((row) => row.strategy === strategy && row.sequence < before)
            .slice(-limit)
            .reverse()
            .map(({ order, sequence, status }) => ({
              sequence,
              order,
              status,
              fills: fills.filter(({ fill }) => fill.order === order.id).map(({ fill }) => fill)
            }))
        )
      )
    }))
  )
}
