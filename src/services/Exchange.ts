// The port to an exchange, with the paper layer. Its errors are reports: after an order may have been sent, the answer
// is certain or `Unknown`, never a guess.
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Decimal } from "../domain/Decimal.ts"
import type { Fill } from "../domain/Fill.ts"
import type { Order, OrderId } from "../domain/Order.ts"
import type { Ticker } from "../domain/Ticker.ts"
import type { Fees } from "../trading/books/Fees.ts"
import { fill, fillLate, isTaker, TOO_DEAR } from "../trading/books/Matching.ts"
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

/**
 * An order with what the exchange needs besides: the fees, and the time of the event that led to it (ms). `quote` reads
 * the market's price as it is when it is called, for an exchange on paper that fills late.
 */
export interface Ticket<O extends Order = Approved> {
  readonly order: O
  readonly fees: Fees
  readonly at: number
  readonly quote?: () => Ticker | undefined
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
   * is ever unknown: after a crash, `lookup` computes the same fill again. Where a fill model has latency, a market order
   * fills that much later, at the price of then, and once: asked again, it has the same fill.
   */
  static readonly layerPaper = Layer.sync(Exchange, () => {
    const late = new Map<OrderId, Report>()
    const onPaper = (ticket: Ticket<Order>): Effect.Effect<Report> => {
      const { at, fees, order } = ticket
      const lateMs = isTaker(order) ? (fees.fills?.model.latencyMs ?? 0) : 0
      return lateMs > 0
        ? Effect.map(Effect.sleep(lateMs), () => once(late, ticket, lateMs))
        : Effect.succeed(filledWith(order.id, fill(order, fees, at)))
    }
    return { submit: onPaper, lookup: onPaper }
  })
}

/** The most late fills that are kept for orders that are asked about again: their reports are stored soon after. */
const MAX_LATE = 10_000

/** The report on an order that arrives now: the one that was made, if it arrived before. */
function once(late: Map<OrderId, Report>, { at, fees, order, quote }: Ticket<Order>, lateMs: number): Report {
  const known = late.get(order.id)
  if (known !== undefined) return known
  const ticker = quote?.()
  const price = ticker === undefined ? order.price : order.side === "buy" ? ticker.ask : ticker.bid
  const made = fillLate(order, fees, at + lateMs, price)
  const report =
    made === undefined ? Report.Rejected({ order: order.id, reason: TOO_DEAR }) : filledWith(order.id, made)
  const [oldest] = late.keys()
  if (late.size >= MAX_LATE && oldest !== undefined) late.delete(oldest)
  late.set(order.id, report)
  return report
}

function filledWith(order: OrderId, made: Fill): Report {
  return Report.Filled({ order, fills: [made], done: true })
}
