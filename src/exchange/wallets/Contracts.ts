// Reads an account's position in a perpetual, in base: positive long, negative short. An answer without a clear side or
// size counts as unreadable, never as zero.
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { fieldOf } from "../../ccxt/Failure.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { type MarketId, quoteOf } from "../../domain/Market.ts"
import { request, type TradingClient } from "../TradingClient.ts"

/** ccxt's symbol of a perpetual. */
const symbolOf = ({ pair }: MarketId): string => `${pair}:${quoteOf(pair)}`

/** Queries the position. For binance without ccxt's own method, which would first load all leverage brackets. */
export const ask = async (market: MarketId, ccxt: TradingClient): Promise<unknown> => {
  const symbol = symbolOf(market)
  const entry = ccxt.markets?.[symbol]
  if (entry === undefined) throw Object.assign(new Error("no such market"), { name: "BadSymbol" })
  if (market.exchange !== "binance") return ccxt.fetchPositions([symbol])
  return request(ccxt, "fapiPrivateV3GetPositionRisk", { symbol: fieldOf(entry, "id") })
}

/** The position in base, both sides together, negative for a short; none if the answer is unreliable. */
export const read = (market: MarketId, answer: unknown): Option.Option<Decimal.Decimal> =>
  market.exchange === "binance"
    ? Option.flatMap(decodeRisks(answer), (rows) => sum(rows, ({ positionAmt }) => decimalOf(positionAmt)))
    : Option.flatMap(decodePositions(answer), (positions) =>
        sum(
          positions.filter(({ symbol }) => symbol === symbolOf(market)),
          amountOf
        )
      )

/** A number or text, as the exchange wrote it. */
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

/** Undefined if it holds something without a side. */
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
