// The answer to an order by hand: what it leads to, with the figures of a close, or why it is refused.
import type { Decimal } from "../../domain/Decimal.ts"
import type { OrderId, PositionSide } from "../../domain/Order.ts"
import type { ManualRefusal } from "../../domain/position/ManualOrder.ts"

/**
 * What a close comes to at a price, with the taker fee. `percent` is the part of what is held, `pnl` the proceeds minus
 * the cost of that part (quote), `left` what is held afterwards (base). `isRestTooSmall`: all is closed, because the rest
 * would be under the market's minimum.
 */
export interface ClosePlan {
  readonly side: PositionSide
  readonly quantity: Decimal
  readonly percent: number
  readonly price: number
  readonly notional: Decimal
  readonly fee: Decimal
  readonly proceeds: Decimal
  readonly pnl: Decimal
  readonly profitPercent: number
  readonly left: Decimal
  readonly closesAll: boolean
  readonly isRestTooSmall: boolean
}

/**
 * The answer. `Closing`: an order is decided; with `isWaiting` it is stored and sent once the slot's stop has ended.
 * `Cancelling`: an order at the exchange is to be cancelled. `Unfit`: targets on the wrong side of the market, each with
 * what it must be.
 */
export type ManualAnswer =
  | { readonly _tag: "Closing"; readonly plan: ClosePlan; readonly isWaiting: boolean }
  | { readonly _tag: "EntryCancelled" }
  | { readonly _tag: "Cancelling"; readonly order: OrderId }
  | { readonly _tag: "Retargeted" }
  | { readonly _tag: "Refused"; readonly reason: ManualRefusal; readonly detail: string }
  | { readonly _tag: "Unfit"; readonly tp?: string; readonly sl?: string }
