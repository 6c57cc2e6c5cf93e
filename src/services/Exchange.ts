// The port to an exchange, with the paper layer. Its errors are reports: after an order may have been sent, the answer
// is certain or `Unknown`, never a guess.
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Decimal } from "../domain/Decimal.ts"
import type { Fill } from "../domain/Fill.ts"
import type { Order, OrderId } from "../domain/Order.ts"
import type { Fees } from "../trading/books/Fees.ts"
import { fill } from "../trading/books/Matching.ts"
import type { Approved } from "../trading/Risk.ts"

/**
 * An exchange's report on an order.
 *
 * - `Rejected`: certain. Nothing was or will be traded.
 * - `Unknown`: no answer, or none to be trusted. Ask again, never send again.
 * - `Missing`: the exchange finds the order neither by its id nor among open orders and trades. It may still be on its
 *   way.
 * - `Filled`: all fills that the exchange knows of, reported before or not; `done` when no more will come.
 * - `cut`: the quantity (in base) that was sent, where the exchange would not have taken all of it.
 */
export type Report = Data.TaggedEnum<{
  Accepted: { readonly order: OrderId; readonly cut?: Decimal }
  Rejected: { readonly order: OrderId; readonly reason: string }
  Filled: {
    readonly order: OrderId
    readonly fills: ReadonlyArray<Fill>
    readonly done: boolean
    readonly cut?: Decimal
  }
  Unknown: { readonly order: OrderId }
  Missing: { readonly order: OrderId }
}>
export const Report: Data.TaggedEnum.Constructor<Report> = Data.taggedEnum<Report>()

/** An order with what the exchange needs besides: the fees, and the time of the event that led to it (ms). */
export interface Ticket<O extends Order = Approved> {
  readonly order: O
  readonly fees: Fees
  readonly at: number
}

/**
 * Sends, looks up and cancels orders. A port. Errors are reports: after sending, nothing may be guessed.
 *
 * **An implementation keeps**
 *
 * - Repeats: an order's id trades once, however often and from however many fibers it is sent, also across restarts.
 *   Pass it to the exchange as the client's order id.
 * - `lookup` sends nothing. It returns all fills of the order that the exchange knows of, whether or not they were
 *   reported before.
 * - Fills: each has an id of its own, never changes once reported, and has the order's market and side. Together they
 *   do not exceed the order. Quantities and fees are exact decimals; a fee in the coin bought is subtracted from the
 *   quantity.
 * - Errors: there are none. `Rejected` only where it is certain that nothing was or will be traded; whatever is in
 *   doubt, such as a time-out or an unreadable answer, is `Unknown`. A defect, and ten seconds without an answer, count
 *   as `Unknown` too.
 * - Size: less may be sent than was ordered where the exchange would refuse the whole, and is reported as `cut`; never
 *   more.
 * - `cancel` ends an order that may rest; it reports the fills so far, and `done` once no more will come. An order that
 *   has already ended is no error.
 * - Interruption: the call may be interrupted at any time. `lookup` finds what was sent by then.
 *
 * **Proved by** `ExchangeContract` of `signalbox/testing`.
 *
 * @example
 * ```ts
 * import { Effect, Layer } from "effect"
 * import { Exchange, Memory } from "signalbox"
 * import { Report } from "signalbox/services/Exchange"
 *
 * // Rejects every order.
 * const closed = Layer.succeed(Exchange, {
 *   submit: ({ order }) => Effect.succeed(Report.Rejected({ order: order.id, reason: "closed" })),
 *   lookup: ({ order }) => Effect.succeed(Report.Missing({ order: order.id }))
 * })
 * const server = Memory.layerWith(closed)
 * ```
 *
 * @category Ports
 */
export class Exchange extends Context.Tag("signalbox/services/Exchange")<
  Exchange,
  {
    /** Sends an order whose intent is on disk. Sending the same id again must not trade again. */
    readonly submit: (ticket: Ticket) => Effect.Effect<Report>
    /** Reports on an order that was, or may have been, sent. Sends nothing. */
    readonly lookup: (ticket: Ticket<Order>) => Effect.Effect<Report>
    /** Cancels the rest of an order and reports its fills so far. Absent where no protective stop can rest. */
    readonly cancel?: (ticket: Ticket<Order>) => Effect.Effect<Report>
  }
>() {
  /**
   * Paper trading: an order fills completely, at the price it was decided at, as soon as its intent is on disk. Nothing
   * is ever unknown: after a crash, `lookup` computes the same fill again.
   */
  static readonly layerPaper = Layer.succeed(Exchange, { submit: onPaper, lookup: onPaper })
}

function onPaper({ at, fees, order }: Ticket<Order>): Effect.Effect<Report> {
  return Effect.succeed(Report.Filled({ order: order.id, fills: [fill(order, fees, at)], done: true }))
}
