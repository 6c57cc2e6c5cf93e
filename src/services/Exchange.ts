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
 * What is known of an order after asking an exchange. `Rejected` is definite: nothing was or will be traded.
 * `Unknown` is an answer that did not come, or none that can be trusted: ask again, never send again. `Missing` is
 * sound, but proves little yet: the exchange finds the order neither by its id nor among open orders and trades,
 * which can also be because it is still on its way there. `Filled` carries all fills of the order that the exchange
 * tells of, whether or not they were reported before; `done` when nothing more will come. `cut` is there where less was
 * sent than was ordered, and says how much (in base): the exchange would not have taken more.
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
export const Report = Data.taggedEnum<Report>()

/** An order with what the exchange has to know besides: the fees, and the time of the event that made it (ms). */
export interface Ticket<O extends Order = Approved> {
  readonly order: O
  readonly fees: Fees
  readonly at: number
}

/**
 * Where orders go. A port. Failures are reports: after sending, nothing may be left to guess.
 *
 * **Whoever implements it keeps**
 *
 * - Repeats: an order's id trades once, however often and from however many fibers it is sent, also across restarts.
 *   Hand it to the exchange as the client's order id.
 * - `lookup` sends nothing. It tells all fills of the order that the exchange knows of; whether they were told before
 *   is not its concern.
 * - Fills: each has an id of its own, never changes once told, and bears the order's market and side. Together they
 *   are not more than was ordered. Quantities and fees are exact decimals; a fee in the coin bought is off the
 *   quantity.
 * - Errors: there are none. `Rejected` only where it is sure that nothing was or will be traded; whatever is in doubt,
 *   a time-out or an answer that cannot be read among it, is `Unknown`. A defect and more than ten seconds without an
 *   answer are taken for `Unknown` too.
 * - Size: less may be sent than was ordered where the exchange would refuse the whole, and is told as `cut`; never more.
 * - `cancel` ends an order that may rest; it tells what the order had come to by then, and `done` once nothing more
 *   will come. An order that has ended before is no fault.
 * - Interruption: the call may be given up at any time. What was sent by then is found by `lookup`.
 *
 * **Proved by** `ExchangeContract` of `signalbox/testing`.
 *
 * @example
 * ```ts
 * import { Effect, Layer } from "effect"
 * import { Exchange, Memory } from "signalbox"
 * import { Report } from "signalbox/services/Exchange"
 *
 * // Takes nothing at all: every order is turned down.
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
    /** What became of an order that was, or may have been, sent. Sends nothing. */
    readonly lookup: (ticket: Ticket<Order>) => Effect.Effect<Report>
    /** Takes back what rests of an order, and says what it had come to. Absent where no protective stop can rest. */
    readonly cancel?: (ticket: Ticket<Order>) => Effect.Effect<Report>
  }
>() {
  /**
   * Paper trading: an order is taken the moment its intent is on disk, and fills whole at the price it was decided
   * at. So nothing is ever unknown: after a crash, what became of an order is what would have become of it.
   */
  static readonly layerPaper = Layer.succeed(Exchange, { submit: onPaper, lookup: onPaper })
}

function onPaper({ at, fees, order }: Ticket<Order>): Effect.Effect<Report> {
  return Effect.succeed(Report.Filled({ order: order.id, fills: [fill(order, fees, at)], done: true }))
}
