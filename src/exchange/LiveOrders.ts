// Sends, looks up and cancels the orders of one exchange account.
// 1. An order that this or an earlier run may have sent is looked up, never sent again.
// 2. Otherwise it is sent under its client order id (see Placement).
// 3. Any doubt is reported as `Unknown` and resolved by looking up.
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { OrderQuery } from "../ccxt/Dialect.ts"
import { descriptors } from "../ccxt/descriptors.ts"
import type { Order } from "../domain/Order.ts"
import { Report, type Ticket } from "../services/Exchange.ts"
import type { Connection, NotSent } from "./Connection.ts"
import { outcomeOf } from "./Outcome.ts"
import * as IsolatedMargin from "./orders/IsolatedMargin.ts"
import * as Lookup from "./orders/Lookup.ts"
import { symbolOf } from "./orders/MarketPrecision.ts"
import * as Placement from "./orders/Placement.ts"
import * as Rates from "./orders/Rates.ts"
import { orderIn } from "./orders/Responses.ts"
import { SentOrders } from "./orders/SentOrders.ts"

/** The orders of one exchange account, in the terms of the `Exchange` port. */
export interface LiveOrders {
  readonly submit: (ticket: Ticket<Order>) => Effect.Effect<Report>
  readonly lookup: (ticket: Ticket<Order>) => Effect.Effect<Report>
  readonly cancel: (ticket: Ticket<Order>) => Effect.Effect<Report>
}

/** Queries start this much (ms) before an order's decision, because clocks differ. */
const EARLIER_MS = 600_000
/** How long the report of a new order may wait (ms) for its immediate result. */
const AT_ONCE_MS = 2000

/** Orders decided before this run (`isOlder`) may have been sent by an earlier one. */
export const make = (connection: Connection, isOlder: Parts["isOlder"]): LiveOrders => {
  const descriptor = descriptors[connection.venue.exchange]
  const { dialect } = descriptor
  const parts: Parts = {
    ...{ connection, descriptor, dialect, isOlder },
    rates: Rates.make(connection),
    isolate: IsolatedMargin.make(connection, dialect),
    sent: new SentOrders()
  }
  return {
    submit: (ticket) => submit(parts, ticket),
    lookup: (ticket) => lookup(parts, ticket),
    cancel: (ticket) => cancel(parts, ticket)
  }
}

/** The parts that all orders of an account share. */
interface Parts extends Lookup.LookupParts, Placement.PlacementParts {
  readonly sent: SentOrders
  readonly isOlder: (order: Order) => Effect.Effect<boolean>
}

const submit = Effect.fn("LiveOrders.submit")(function* (parts: Parts, ticket: Ticket<Order>) {
  const { connection, isOlder, sent } = parts
  const { order } = ticket
  const rejected = (reason: string) => Report.Rejected({ order: order.id, reason })
  // The keys belong to another exchange, where the symbol may mean another market.
  if (order.exchange !== connection.venue.exchange) return rejected(ELSEWHERE)
  // Exchanges accept a used client order id once its order is done, so anything that may have been sent is never sent
  // again.
  if (sent.has(order.id) || (yield* isOlder(order))) return yield* lookup(parts, ticket)
  sent.remember(order.id)
  return yield* Effect.catchTag(placed(parts, ticket), "NotSent", ({ reason }) =>
    Effect.sync(() => {
      sent.forget(order.id)
      return rejected(reason)
    })
  )
})

const ELSEWHERE = "the exchange account is at another exchange than the order"

/** Places the order; the report has its immediate result, if there is one. */
const placed = Effect.fnUntraced(function* (
  parts: Parts,
  ticket: Ticket<Order>
): Effect.fn.Return<Report, NotSent> {
  const { order } = ticket
  const { answer, cut } = yield* Placement.place(parts, ticket)
  if (Either.isLeft(answer)) {
    const { reason, verdict } = outcomeOf(parts.connection.venue.exchange, "place", answer.left.cause)
    // Unless it was certainly refused, an order may exist and is looked up.
    return verdict === "Rejected"
      ? Report.Rejected({ order: order.id, reason })
      : Report.Unknown({ order: order.id })
  }
  const response = orderIn(answer.right)
  if (response === undefined || response.status === "rejected") return Report.Unknown({ order: order.id })
  parts.sent.remember(order.id, response.id)
  const report = yield* atOnce(parts, ticket)
  return cut === undefined ? report : { ...report, cut }
})

/** Most orders are filled by the time their sending is answered. */
const atOnce = (parts: Parts, ticket: Ticket<Order>) => {
  const accepted = Report.Accepted({ order: ticket.order.id })
  return lookup(parts, ticket).pipe(
    Effect.timeout(AT_ONCE_MS),
    Effect.orElseSucceed(() => accepted),
    Effect.map((report) => (report._tag === "Filled" ? report : accepted))
  )
}

const lookup = Effect.fn("LiveOrders.lookup")(function* (parts: Parts, { order }: Ticket<Order>) {
  const found = yield* find(parts, order)
  switch (found._tag) {
    case "Found":
      return yield* Lookup.report(parts, queryOf(order), order, found.response)
    case "Nowhere":
      return Report.Missing({ order: order.id })
    case "Unclear":
      return Report.Unknown({ order: order.id })
  }
})

const cancel = Effect.fn("LiveOrders.cancel")(function* (parts: Parts, ticket: Ticket<Order>) {
  const { connection, dialect, sent } = parts
  const { order } = ticket
  const unknown = Report.Unknown({ order: order.id })
  let id = sent.idOf(order.id)
  if (id === undefined) {
    const found = yield* find(parts, order)
    if (found._tag === "Unclear") return unknown
    if (found._tag === "Nowhere") return Report.Missing({ order: order.id })
    const { status } = found.response
    if (status !== undefined && status !== "open") return yield* lookup(parts, ticket)
    id = found.response.id
  }
  const target = id
  // The lookup reports the result: an order that cannot be cancelled has ended or never existed.
  yield* Effect.ignore(connection.ask("cancel", (ccxt) => dialect.cancel(ccxt, queryOf(order), target)))
  const report = yield* lookup(parts, ticket)
  return report._tag === "Accepted" ? unknown : report
})

/** Finds the order, and remembers the exchange's id of it. */
const find = Effect.fnUntraced(function* (parts: Parts, order: Order) {
  const found = yield* Lookup.find(parts, queryOf(order), parts.sent.idOf(order.id))
  if (found._tag === "Found") parts.sent.remember(order.id, found.response.id)
  return found
})

const queryOf = (order: Order): OrderQuery => ({
  symbol: symbolOf(order),
  clientId: Placement.clientIdOfOrder(order),
  isStop: order.type === "stop",
  isSwap: order.kind === "swap",
  since: order.at - EARLIER_MS
})
