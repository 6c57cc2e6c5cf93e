// Puts orders on a market's steps. Amounts are rounded down, limits so that they are not missed by a step; a limit
// order that replaces a market order may pay 1 % more, and a stop's limit lies 5 % beyond its trigger.
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Dialect, OrderRequest } from "../../ccxt/Dialect.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { lazily } from "../../domain/internal/Lazily.ts"
import { type MarketId, quoteOf } from "../../domain/Market.ts"
import type { Order } from "../../domain/Order.ts"
import { Figure } from "./Figure.ts"

/** ccxt's symbol of a market: `BTC/USDT`, or `BTC/USDT:USDT` for the perpetual settled in USDT. */
export const symbolOf = ({ kind, pair }: Pick<MarketId, "kind" | "pair">): string =>
  kind === "spot" ? pair : `${pair}:${quoteOf(pair)}`

/** The steps of a market in the exchange's own units. */
export interface MarketPrecision {
  readonly priceStep: Decimal.Decimal
  /** In contracts, if the exchange counts those. */
  readonly amountStep: Decimal.Decimal
  /** One unit of an amount in base: 1 unless contracts are counted. */
  readonly size: Decimal.Decimal
}

const Step = Figure.pipe(Schema.filter(Decimal.isPositive))
const Known = Schema.Struct({
  precision: Schema.Struct({ price: Step, amount: Step }),
  contractSize: Schema.optional(Schema.NullishOr(Step)),
  contract: Schema.optional(Schema.NullishOr(Schema.Boolean))
})
const decode = lazily(() => Schema.decodeUnknownOption(Known))

/** The steps of ccxt's market; none if it states too little to trade. */
export const precisionOf = (market: unknown): Option.Option<MarketPrecision> =>
  Option.flatMap(decode(market), ({ contract, contractSize, precision }) =>
    contract === true && (contractSize === undefined || contractSize === null)
      ? Option.none()
      : Option.some({
          priceStep: precision.price,
          amountStep: precision.amount,
          size: contract === true ? (contractSize ?? Decimal.one) : Decimal.one
        })
  )

/** How far beyond its price a limit order may pay that replaces a market order. */
export const SLIPPAGE = Decimal.unsafeFromText("0.01")
/** How far below its trigger a stop may sell that becomes a limit order. */
const STOP_SLIPPAGE = Decimal.unsafeFromText("0.05")

/** The order on the market's steps; none if nothing is left of its amount. */
export const orderRequestOf = (
  order: Order,
  clientId: string,
  { amountStep, priceStep, size }: MarketPrecision,
  { marketBuys }: Pick<Dialect, "marketBuys">
): Option.Option<OrderRequest> => {
  const amount = Decimal.floorToStep(Decimal.divide(order.quantity, size), amountStep)
  if (!Decimal.isPositive(amount)) return Option.none()
  const price = Decimal.fromNumber(order.price)
  const isBuy = order.side === "buy"
  const beyond = (by: Decimal.Decimal) =>
    Decimal.multiply(price, isBuy ? Decimal.add(Decimal.one, by) : Decimal.subtract(Decimal.one, by))
  const standsIn = !marketBuys && isBuy && order.type === "market"
  // A buy pays at most its price and a sale gets at least its price, rounded so that a step does not prevent the fill.
  const limit = standsIn ? beyond(SLIPPAGE) : price
  const up = standsIn || (!isBuy && order.type === "limit")
  return Option.some({
    order,
    symbol: symbolOf(order),
    clientId,
    amount: Decimal.toText(amount),
    price: Decimal.toText(onStep(limit, priceStep, up)),
    worst: Decimal.toText(onStep(beyond(STOP_SLIPPAGE), priceStep, isBuy))
  })
}

const onStep = (price: Decimal.Decimal, step: Decimal.Decimal, up: boolean): Decimal.Decimal => {
  const floor = Decimal.floorToStep(price, step)
  return !up || Decimal.equals(floor, price) ? floor : Decimal.add(floor, step)
}
