// Exchanges lock more than an order costs until it is done, and refuse one that the free balance does not cover by that
// much. Such an order is sent once more, as large as the free balance allows.
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { OrderRequest } from "../../ccxt/Dialect.ts"
import { fieldOf } from "../../ccxt/Field.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { baseOf, type KnownExchange, quoteOf } from "../../domain/Market.ts"
import { balanceOf } from "../../services/money/Wallets.ts"
import type { Fees } from "../../trading/books/Fees.ts"
import type { Connection, Failed } from "../Connection.ts"
import { outcomeOf } from "../Outcome.ts"
import * as Balances from "../wallets/Balances.ts"
import { type MarketPrecision, SLIPPAGE } from "./MarketPrecision.ts"

/** Whether an order was certainly refused for insufficient funds. */
export const isShort = (exchange: KnownExchange, answer: Either.Either<unknown, Failed>): boolean =>
  Either.isLeft(answer) &&
  fieldOf(answer.left.cause, "name") === "InsufficientFunds" &&
  outcomeOf(exchange, "place", answer.left.cause).verdict === "Rejected"

/** An order that the free balance does not cover. */
interface ShortOrder {
  readonly request: OrderRequest
  readonly fees: Fees
  readonly precision: MarketPrecision
}

/**
 * The order reduced to what is free now: a sale of what is left, or a buy that pays up to its limit plus the fee.
 * Undefined if it is covered as it is, or if less is free than the decided cost: then money is missing, and nobody
 * decided to buy less.
 */
export const fitted = Effect.fn("ReducedOrder.fitted")(function* (
  connection: Connection,
  { fees, precision, request }: ShortOrder
) {
  const { order } = request
  if (order.kind !== "spot" || order.type === "stop") return undefined
  const isBuy = order.side === "buy"
  const query = Balances.held(connection, isBuy ? "entry" : "exit")
  const held = yield* Effect.orElseSucceed(query, () => undefined)
  const balance = held === undefined ? Option.none() : balanceOf(held, (isBuy ? quoteOf : baseOf)(order.pair))
  if (Option.isNone(balance)) return undefined
  const { free } = balance.value
  const price = Decimal.fromNumber(order.price)
  if (isBuy && Decimal.lessThan(free, Decimal.product(order.quantity, price))) return undefined
  const limit = Decimal.max(
    Decimal.unsafeFromText(request.price),
    Decimal.product(price, Decimal.add(Decimal.one, SLIPPAGE))
  )
  const each = isBuy ? Decimal.product(limit, Decimal.add(Decimal.one, fees.taker)) : Decimal.one
  const most = Decimal.floorToStep(Decimal.divide(free, each), precision.amountStep)
  const isSmaller = Decimal.lessThan(most, Decimal.unsafeFromText(request.amount))
  return isSmaller && Decimal.isPositive(most) ? { ...request, amount: Decimal.toText(most) } : undefined
})
