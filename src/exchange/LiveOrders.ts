// Sends, looks up and cancels the orders of one exchange account.
// 1. An order that this or an earlier run may have sent is looked up, never sent again.
// 2. Otherwise it is sent under its client order id, and again only after it was certainly refused: once for its time,
//    and once, smaller, for insufficient funds.
// 3. Any doubt is reported as `Unknown` and resolved by looking up.
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { fieldOf } from "../ccxt/Failure.ts"
import * as Decimal from "../domain/Decimal.ts"
import type { ExchangeName } from "../domain/Market.ts"
import type { Order, OrderId } from "../domain/Order.ts"
import { Report, type Ticket } from "../services/Exchange.ts"
import { type Connection, type Failed, isAboutTime, type NotSent } from "./Connection.ts"
import type { OrderQuery, OrderRequest } from "./Dialect.ts"
import { dialects } from "./dialects.ts"
import { outcomeOf } from "./Outcome.ts"
import { clientIdOf } from "./orders/ClientId.ts"
import * as Lookup from "./orders/Lookup.ts"
import { orderRequestOf, precisionOf, symbolOf } from "./orders/MarketPrecision.ts"
import * as Rates from "./orders/Rates.ts"
import * as ReducedOrder from "./orders/ReducedOrder.ts"
import { orderIn } from "./orders/Responses.ts"

/** The orders of one exchange account, in the terms of the `Exchange` port. */
export interface LiveOrders {
  readonly submit: (ticket: Ticket<Order>) => Effect.Effect<Report>
  readonly lookup: (ticket: Ticket<Order>) => Effect.Effect<Report>
  readonly cancel: (ticket: Ticket<Order>) => Effect.Effect<Report>
}

/** The most orders kept with their exchange ids. */
const MEMORY = 10_000
/** Queries start this much (ms) before an order's decision, because clocks differ. */
const EARLIER_MS = 600_000
/** The smallest clock error (ms) for which exchanges refuse orders. */
const JUMP_MS = 500
/** How long to wait for a clock measurement (ms). */
const MEASURE_MS = 1500
/** How long the report of a new order may wait (ms) for its immediate result. */
const AT_ONCE_MS = 2000

/** Orders decided before this run (`isOlder`) may have been sent by an earlier one. */
export const make = (
  connection: Connection,
  isOlder: (order: Order) => Effect.Effect<boolean>
): LiveOrders => {
  const { exchange } = connection.venue
  const dialect = dialects[exchange]
  const looking = { connection, dialect, rates: Rates.make(connection) }
  /** The orders sent by this run, with the exchange's id, empty while unknown. */
  const sent = new Map<OrderId, string>()
  const isolated = new Set<string>()

  const remember = (order: OrderId, id: string): void => {
    sent.delete(order)
    sent.set(order, id)
    const [oldest] = sent.size > MEMORY ? sent.keys() : []
    if (oldest !== undefined) sent.delete(oldest)
  }
  const askedOf = (order: Order): OrderQuery => ({
    symbol: symbolOf(order),
    clientId: clientIdOf(order.live?.tag ?? "", order.id),
    isStop: order.type === "stop",
    isSwap: order.kind === "swap",
    since: order.at - EARLIER_MS
  })
  const look = Effect.fnUntraced(function* (order: Order) {
    const known = sent.get(order.id)
    const found = yield* Lookup.find(looking, askedOf(order), known === "" ? undefined : known)
    if (found._tag === "Found") remember(order.id, found.told.id)
    return found
  })

  const lookup = Effect.fn("LiveOrders.lookup")(function* ({ order }: Ticket<Order>) {
    const found = yield* look(order)
    switch (found._tag) {
      case "Found":
        return yield* Lookup.report(looking, askedOf(order), order, found.told)
      case "Nowhere":
        return Report.Missing({ order: order.id })
      case "Unclear":
        return Report.Unknown({ order: order.id })
    }
  })

  /** Sets isolated margin before a perpetual's first order; returns the reason if that fails. */
  const isolate = Effect.fnUntraced(function* ({ kind, purpose }: Order, symbol: string) {
    if (kind === "spot" || purpose === "exit" || isolated.has(symbol)) return undefined
    if (dialect.isolate === undefined) return "the exchange has no perpetuals here"
    for (const { isSet, set } of dialect.isolate) {
      const done = yield* Effect.either(connection.ask("entry", (ccxt) => set(ccxt, symbol)))
      if (Either.isRight(done)) continue
      if (done.left._tag === "NotSent") return done.left.reason
      if (isSetAlready(done.left.cause)) continue
      const is = yield* Effect.either(connection.ask("entry", (ccxt) => isSet(ccxt, symbol)))
      if (Either.isLeft(is) || is.right !== true)
        return "a margin of its own, at 1x, cannot be set for the market"
    }
    isolated.add(symbol)
    return undefined
  })

  const request = Effect.fnUntraced(function* (order: Order) {
    const { clientId, symbol } = askedOf(order)
    const market = yield* connection.market(symbol)
    const precision = Option.getOrUndefined(precisionOf(market))
    if (precision === undefined) return "the exchange does not know the market"
    const made = Option.getOrUndefined(orderRequestOf(order, clientId, precision, dialect))
    return made === undefined ? "it is less than the market's smallest step" : { made, terrain: precision }
  })

  const place = Effect.fnUntraced(function* (order: Order, { amount, symbol, ...rest }: OrderRequest) {
    const { params, price, type } = dialect.send({ amount, symbol, ...rest })
    const priority = order.purpose === "exit" ? "exit" : "entry"
    return yield* Effect.either(
      connection.ask(priority, (ccxt) => ccxt.createOrder(symbol, type, order.side, amount, price, params))
    )
  })

  /** Whether the exchange's clock differs from what was assumed; waits only briefly. */
  const jumped = (skewMs: number) =>
    connection.skewMs.pipe(
      Effect.timeoutOption(MEASURE_MS),
      Effect.map(Option.exists((now) => Math.abs(now - skewMs) > JUMP_MS))
    )

  const submit = Effect.fn("LiveOrders.submit")(function* (ticket: Ticket<Order>) {
    const { order } = ticket
    // The keys belong to another exchange, where the symbol may mean another market.
    if (order.exchange !== exchange) return Report.Rejected({ order: order.id, reason: ELSEWHERE })
    // Exchanges accept a used client order id once its order is done, so anything that may have been sent is never sent
    // again.
    if (sent.has(order.id) || (yield* isOlder(order))) return yield* lookup(ticket)
    remember(order.id, "")
    const rejected = (reason: string) => {
      sent.delete(order.id)
      return Report.Rejected({ order: order.id, reason })
    }
    const made = yield* Effect.either(request(order))
    if (Either.isLeft(made)) return rejected(made.left.reason)
    if (typeof made.right === "string") return rejected(made.right)
    const { made: wished, terrain: precision } = made.right
    const refusal = yield* isolate(order, wished.symbol)
    if (refusal !== undefined) return rejected(refusal)
    const { clock } = connection.venue
    const skewMs = clock.skewMs()
    const first = yield* place(order, wished)
    // Refused for its time or nonce only: no order exists yet.
    const isWorthAnother =
      isForItsTime(exchange, first) && (dialect.isNumbered === true || (yield* jumped(skewMs)))
    const whole = isWorthAnother ? yield* place(order, wished) : first
    const smaller = ReducedOrder.isShort(exchange, whole)
      ? yield* ReducedOrder.fitted(connection, order, ticket.fees, wished, precision)
      : undefined
    const answer = smaller === undefined ? whole : yield* place(order, smaller)
    if (Either.isLeft(answer)) {
      if (answer.left._tag === "NotSent") return rejected(answer.left.reason)
      const { reason, verdict } = outcomeOf(exchange, "place", answer.left.cause)
      // Unless it was certainly refused, an order may exist and is looked up.
      return verdict === "Rejected"
        ? Report.Rejected({ order: order.id, reason })
        : Report.Unknown({ order: order.id })
    }
    const told = orderIn(answer.right)
    if (told === undefined || told.status === "rejected") return Report.Unknown({ order: order.id })
    remember(order.id, told.id)
    const report = yield* atOnce(ticket)
    if (smaller === undefined) return report
    return { ...report, cut: Decimal.product(Decimal.unsafeFromText(smaller.amount), precision.size) }
  })

  /** Most orders are filled by the time their sending is answered. */
  const atOnce = (ticket: Ticket<Order>) => {
    const accepted = Report.Accepted({ order: ticket.order.id })
    return lookup(ticket).pipe(
      Effect.timeout(AT_ONCE_MS),
      Effect.orElseSucceed(() => accepted),
      Effect.map((report) => (report._tag === "Filled" ? report : accepted))
    )
  }

  const cancel = Effect.fn("LiveOrders.cancel")(function* (ticket: Ticket<Order>) {
    const { order } = ticket
    const unknown = Report.Unknown({ order: order.id })
    const known = sent.get(order.id)
    let id = known === "" ? undefined : known
    if (id === undefined) {
      const found = yield* look(order)
      if (found._tag === "Unclear") return unknown
      if (found._tag === "Nowhere") return Report.Missing({ order: order.id })
      const { status } = found.told
      if (status !== undefined && status !== "open") return yield* lookup(ticket)
      id = found.told.id
    }
    const target = id
    // The lookup reports the result: an order that cannot be cancelled has ended or never existed.
    yield* Effect.ignore(connection.ask("cancel", (ccxt) => dialect.cancel(ccxt, askedOf(order), target)))
    const report = yield* lookup(ticket)
    return report._tag === "Accepted" ? unknown : report
  })
  return { submit, lookup, cancel }
}

/** Whether an order was certainly refused for its time or nonce. */
const isForItsTime = (exchange: ExchangeName, answer: Either.Either<unknown, Failed | NotSent>): boolean =>
  Either.isLeft(answer) &&
  answer.left._tag === "Failed" &&
  isAboutTime(exchange, answer.left.cause) &&
  outcomeOf(exchange, "place", answer.left.cause).verdict === "Rejected"

const ELSEWHERE = "the exchange account is at another exchange than the order"

/** The errors of exchanges for a margin mode or leverage that is already set. */
const isSetAlready = (cause: unknown): boolean =>
  ["MarginModeAlreadySet", "NoChange"].includes(String(fieldOf(cause, "name"))) ||
  /-4046|110043|110026|leverage not modified|no need to change/i.test(String(fieldOf(cause, "message")))
