// Sends an order under its client order id, and sends it again only after it was certainly refused: once for its time,
// and once, smaller, for insufficient funds. MarketPrecision.ts makes the request: its amount and limit.
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Descriptor } from "../../ccxt/Descriptor.ts"
import type { OrderRequest } from "../../ccxt/Dialect.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { Order } from "../../domain/Order.ts"
import type { Ticket } from "../../services/Exchange.ts"
import { type Connection, type Failed, isAboutNumber, isAboutTime, NotSent } from "../Connection.ts"
import { outcomeOf } from "../Outcome.ts"
import { clientIdOf } from "./ClientId.ts"
import type { Isolate } from "./IsolatedMargin.ts"
import { orderRequestOf, precisionOf, symbolOf } from "./MarketPrecision.ts"
import * as ReducedOrder from "./ReducedOrder.ts"

/** The parts that sending an order needs. */
export interface PlacementParts {
  readonly connection: Connection
  readonly descriptor: Descriptor
  readonly isolate: Isolate
}

/** The smallest clock error (ms) for which exchanges refuse orders. */
const JUMP_MS = 500
/** How long to wait for a clock measurement (ms). */
const MEASURE_MS = 1500

/** The client order id of an order. */
export const clientIdOfOrder = ({ id, live }: Order): string => clientIdOf(live?.tag ?? "", id)

/** Places an order; returns the last answer, and the quantity in base that it was reduced to. */
export const place = Effect.fnUntraced(function* (parts: PlacementParts, ticket: Ticket<Order>) {
  const { connection } = parts
  const { order } = ticket
  const { precision, request } = yield* requestOf(parts, order)
  yield* parts.isolate(order, request.symbol)
  const whole = yield* sendInTime(parts, request)
  const smaller = ReducedOrder.isShort(connection.venue.exchange, whole)
    ? yield* ReducedOrder.fitted(connection, { request, fees: ticket.fees, precision })
    : undefined
  if (smaller === undefined) return { answer: whole, cut: undefined }
  const cut = Decimal.product(Decimal.unsafeFromText(smaller.amount), precision.size)
  return { answer: yield* send(parts, smaller), cut }
})

/** The order on the market's steps. */
const requestOf = Effect.fnUntraced(function* ({ connection, descriptor }: PlacementParts, order: Order) {
  const precision = Option.getOrUndefined(precisionOf(yield* connection.market(symbolOf(order))))
  if (precision === undefined) return yield* new NotSent({ reason: "the exchange does not know the market" })
  const made = orderRequestOf(order, clientIdOfOrder(order), precision, descriptor.dialect)
  const request = Option.getOrUndefined(made)
  if (request === undefined)
    return yield* new NotSent({ reason: "it is less than the market's smallest step" })
  return { precision, request }
})

/** Sends it, and once more if it was certainly refused for its time or number, and another may pass. */
const sendInTime = Effect.fnUntraced(function* (parts: PlacementParts, request: OrderRequest) {
  const { connection } = parts
  const skewMs = connection.venue.clock.skewMs()
  const first = yield* send(parts, request)
  if (!isForItsTime(connection, first)) return first
  const isWorthAnother = isForItsNumber(connection, first) || (yield* jumped(connection, skewMs))
  return isWorthAnother ? yield* send(parts, request) : first
})

/** Sends it once. A failed request is a value: an order may exist all the same. */
const send = (
  { connection, descriptor }: PlacementParts,
  request: OrderRequest
): Effect.Effect<Either.Either<unknown, Failed>, NotSent> => {
  const { amount, order, symbol } = request
  const { params, price, type } = descriptor.dialect.send(request)
  return connection
    .ask(order.purpose === "exit" ? "exit" : "entry", (ccxt) =>
      // Its end counts from now on, when its turn has come.
      ccxt.createOrder(symbol, type, order.side, amount, price, {
        ...params,
        ...descriptor.expiry.params(ccxt.milliseconds())
      })
    )
    .pipe(
      Effect.map((answer) => Either.right(answer)),
      Effect.catchTag("Failed", (failed) => Effect.succeed(Either.left(failed)))
    )
}

/** Whether the exchange's clock differs from what was assumed; waits only briefly. */
const jumped = (connection: Connection, skewMs: number) =>
  connection.skewMs.pipe(
    Effect.timeoutOption(MEASURE_MS),
    Effect.map(Option.exists((now) => Math.abs(now - skewMs) > JUMP_MS))
  )

const isForItsNumber = ({ venue }: Connection, answer: Either.Either<unknown, Failed>): boolean =>
  Either.isLeft(answer) && isAboutNumber(venue.exchange, answer.left.cause)

/** Whether an order was certainly refused for its time or number: no order exists yet. */
const isForItsTime = ({ venue }: Connection, answer: Either.Either<unknown, Failed>): boolean =>
  Either.isLeft(answer) &&
  isAboutTime(venue.exchange, answer.left.cause) &&
  outcomeOf(venue.exchange, "place", answer.left.cause).verdict === "Rejected"
