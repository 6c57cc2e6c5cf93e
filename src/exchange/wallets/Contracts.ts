// Reads an account's position in a perpetual, in base: positive long, negative short. An answer without a clear side or
// size counts as unreadable, never as zero.
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { descriptors } from "../../ccxt/descriptors.ts"
import type { TradingClient } from "../../ccxt/TradingClient.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { lazily } from "../../domain/internal/Lazily.ts"
import { type KnownExchange, type MarketId, quoteOf } from "../../domain/Market.ts"

/** ccxt's symbol of a perpetual. */
const symbolOf = ({ pair }: MarketId): string => `${pair}:${quoteOf(pair)}`

/** Queries the position. */
export const ask = async (
  exchange: KnownExchange,
  market: MarketId,
  ccxt: TradingClient
): Promise<unknown> => {
  const symbol = symbolOf(market)
  if (ccxt.markets?.[symbol] === undefined)
    throw Object.assign(new Error("no such market"), { name: "BadSymbol" })
  return descriptors[exchange].positions(ccxt, symbol)
}

/** The position in base, both sides together, negative for a short; none if the answer is unreliable. */
export const read = (market: MarketId, answer: unknown): Option.Option<Decimal.Decimal> =>
  Option.flatMap(decodePositions(answer), (positions) => {
    const amounts = positions.filter(({ symbol }) => symbol === symbolOf(market)).map(amountOf)
    const reported = amounts.filter((amount) => amount !== undefined)
    return reported.length < amounts.length ? Option.none() : Option.some(Decimal.sum(reported))
  })

/** A number or text, as the exchange wrote it. */
const Figure = Schema.Union(Schema.String, Schema.Number)
const isFigure = Schema.is(Figure)
export const decimalOf = (value: unknown): Decimal.Decimal | undefined =>
  isFigure(value) ? Option.getOrUndefined(Decimal.fromText(String(value))) : undefined

const maybe = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullishOr(schema))
const Position = Schema.Struct({
  symbol: Schema.String,
  side: maybe(Schema.String),
  contracts: maybe(Figure),
  contractSize: maybe(Figure)
})
const decodePositions = lazily(() => Schema.decodeUnknownOption(Schema.Array(Position)))

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
