import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Decimal from "../../domain/Decimal.ts"
import { type MarketId, quoteOf } from "../../domain/Market.ts"
import type { Order } from "../../domain/Order.ts"
import type { Dialect, OrderRequest } from "../Dialect.ts"
import { Figure } from "./Figure.ts"

/** The library's name of a market: `BTC/USDT`, and `BTC/USDT:USDT` for the perpetual settled in USDT. */
export const symbolOf = ({ kind, pair }: Pick<MarketId, "kind" | "pair">): string =>
  kind === "spot" ? pair : `${pair}:${quoteOf(pair)}`

/** The steps that a market is traded in, as the exchange counts. */
export interface MarketPrecision {
  readonly priceStep: Decimal.Decimal
  /** In contracts, where those are counted. */
  readonly amountStep: Decimal.Decimal
  /** What one unit of an amount is in base: 1 but for contracts. */
  readonly size: Decimal.Decimal
}

const Step = Figure.pipe(Schema.filter(Decimal.isPositive))
const Known = Schema.Struct({
  precision: Schema.Struct({ price: Step, amount: Step }),
  contractSize: Schema.optional(Schema.NullishOr(Step)),
  contract: Schema.optional(Schema.NullishOr(Schema.Boolean))
})
const decode = Schema.decodeUnknownOption(Known)

/** What the library tells of a market; none where it tells too little to trade there. */
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

/** How much more than was decided at a limit order may pay that stands in for a market order. */
export const SLIPPAGE = Decimal.unsafeFromText("0.01")
/** How far below its level a stop may sell that turns into a limit order. */
const STOP_SLIPPAGE = Decimal.unsafeFromText("0.05")

/** An order on the market's steps: amounts rounded down. None where nothing is left of it. */
export const orderRequestOf = (
  order: Order,
  clientId: string,
  { amountStep, priceStep, size }: MarketPrecision,
  { marketBuys }: Dialect
): Option.Option<OrderRequest> => {
  const amount = Decimal.floorToStep(Decimal.divide(order.quantity, size), amountStep)
  if (!Decimal.isPositive(amount)) return Option.none()
  const price = Decimal.fromNumber(order.price)
  const isBuy = order.side === "buy"
  const beyond = (by: Decimal.Decimal) =>
    Decimal.multiply(price, isBuy ? Decimal.add(Decimal.one, by) : Decimal.subtract(Decimal.one, by))
  const standsIn = marketBuys === false && isBuy && order.type === "market"
  // A buy may pay up to its price, a sale must get at least that: rounded so that it is not missed by a step.
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
