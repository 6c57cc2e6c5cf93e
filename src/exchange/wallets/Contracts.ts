import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { fieldOf } from "../../ccxt/Failure.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { type MarketId, quoteOf } from "../../domain/Market.ts"
import { request, type TradingClient } from "../TradingClient.ts"

/** How the library calls a perpetual. */
const symbolOf = ({ pair }: MarketId): string => `${pair}:${quoteOf(pair)}`

/**
 * What an account holds of a perpetual. Of Binance it is asked without the library's help, which would ask for all
 * leverage brackets first.
 */
export const ask = async (market: MarketId, ccxt: TradingClient): Promise<unknown> => {
  const symbol = symbolOf(market)
  const entry = ccxt.markets?.[symbol]
  if (entry === undefined) throw Object.assign(new Error("no such market"), { name: "BadSymbol" })
  if (market.exchange !== "binance") return ccxt.fetchPositions([symbol])
  return request(ccxt, "fapiPrivateV3GetPositionRisk", { symbol: fieldOf(entry, "id") })
}

/** In base, all sides together, negative for a short; none where the answer says nothing that can be relied on. */
export const read = (market: MarketId, answer: unknown): Option.Option<Decimal.Decimal> =>
  market.exchange === "binance"
    ? Option.flatMap(decodeRisks(answer), (rows) => sum(rows, ({ positionAmt }) => decimalOf(positionAmt)))
    : Option.flatMap(decodePositions(answer), (positions) =>
        sum(
          positions.filter(({ symbol }) => symbol === symbolOf(market)),
          amountOf
        )
      )

/** As the library is told to give figures: in the exchange's own digits. */
const Figure = Schema.Union(Schema.String, Schema.Number)
const isFigure = Schema.is(Figure)
export const decimalOf = (value: unknown): Decimal.Decimal | undefined =>
  isFigure(value) ? Option.getOrUndefined(Decimal.fromText(String(value))) : undefined

const decodeRisks = Schema.decodeUnknownOption(Schema.Array(Schema.Struct({ positionAmt: Figure })))

const maybe = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullishOr(schema))
const Position = Schema.Struct({
  symbol: Schema.String,
  side: maybe(Schema.String),
  contracts: maybe(Figure),
  contractSize: maybe(Figure)
})
const decodePositions = Schema.decodeUnknownOption(Schema.Array(Position))

/** Nothing where it holds something of which the side is not told. */
const amountOf = ({ contractSize, contracts, side }: typeof Position.Type): Decimal.Decimal | undefined => {
  const [count, size] = [decimalOf(contracts ?? "0"), decimalOf(contractSize ?? "1")]
  if (count === undefined || size === undefined) return undefined
  const held = Decimal.product(count, size)
  if (Decimal.isZero(held)) return held
  const amount = Decimal.isNegative(held) ? Decimal.negate(held) : held
  if (side === "short") return Decimal.negate(amount)
  return side === "long" ? amount : undefined
}

const sum = <A>(
  rows: ReadonlyArray<A>,
  amountOf: (row: A) => Decimal.Decimal | undefined
): Option.Option<Decimal.Decimal> => {
  const amounts = rows.map(amountOf)
  const told = amounts.filter((amount) => amount !== undefined)
  return told.length < amounts.length ? Option.none() : Option.some(Decimal.sum(told))
}
