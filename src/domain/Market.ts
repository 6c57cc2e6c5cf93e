// Exchanges, pairs and markets. A market is exchange + pair + kind (spot or linear perpetual), with the steps and
// minimums that every order must keep.
import * as Schema from "effect/Schema"
import * as Decimal from "./Decimal.ts"
import { EXCHANGE_FACTS, EXCHANGE_NAMES as NAMES } from "./internal/ExchangeFacts.ts"

/** The supported exchanges, by their ccxt ids. */
export const EXCHANGE_NAMES = NAMES
/** The id of a supported exchange, in lower case. */
export const ExchangeName = Schema.Literal(...EXCHANGE_NAMES)
export type ExchangeName = typeof ExchangeName.Type
/** Whether a value is the id of a supported exchange. */
export const isExchangeName = Schema.is(ExchangeName)

/** Other common names of the same exchanges, without separators. */
const OTHER_NAMES: ReadonlyMap<string, ExchangeName> = new Map(
  EXCHANGE_NAMES.flatMap((name) => EXCHANGE_FACTS[name].otherNames.map((other) => [other, name] as const))
)

/**
 * The exchange behind a written name: in any case, with spaces, hyphens or underscores, with `.com`, or under another
 * common name. Undefined for any other exchange; `binanceus` is one.
 */
export const exchangeNameOf = (written: unknown): ExchangeName | undefined => {
  if (typeof written !== "string") return undefined
  const name = written
    .trim()
    .toLowerCase()
    .replace(/\.com$/, "")
    .replaceAll(/[\s_-]+/g, "")
  return isExchangeName(name) ? name : OTHER_NAMES.get(name)
}

/** The currencies that a strategy can be denominated in. */
export const QUOTE_CURRENCIES = ["USDT", "BTC", "ETH", "USD"] as const
/** The currency of a strategy's balance. */
export const QuoteCurrency = Schema.Literal(...QUOTE_CURRENCIES)
export type QuoteCurrency = typeof QuoteCurrency.Type
/** Whether a value is a quote currency. */
export const isQuoteCurrency = Schema.is(QuoteCurrency)

/** `BASE/QUOTE`, upper case. */
export const Pair = Schema.String.pipe(
  Schema.pattern(/^[A-Z0-9]{1,20}\/[A-Z0-9]{1,20}$/),
  Schema.brand("Pair")
)
export type Pair = typeof Pair.Type
/** Whether a value is a pair: `BASE/QUOTE` in upper case. */
export const isPair = Schema.is(Pair)

/** The base asset: `BTC` of `BTC/USDT`. */
export const baseOf = (pair: Pair): string => pair.slice(0, pair.indexOf("/"))
/** The quote asset: `USDT` of `BTC/USDT`. */
export const quoteOf = (pair: Pair): string => pair.slice(pair.indexOf("/") + 1)

/** `spot`, or `swap` for the linear perpetual of the same pair. */
export const MarketKind = Schema.Literal("spot", "swap")
export type MarketKind = typeof MarketKind.Type

/** Identifies a market, and with it a slot of a bot. */
export interface MarketId {
  readonly exchange: ExchangeName
  readonly pair: Pair
  readonly kind: MarketKind
}

/** The market's key in maps and rows: `binance:BTC/USDT:spot`. */
export const marketKey = (id: MarketId): string => `${id.exchange}:${id.pair}:${id.kind}`

/** An exchange, whether it is switched on, and its default fees in percent (0.1 means 0.1 %). */
export const Exchange = Schema.Struct({
  name: ExchangeName,
  active: Schema.Boolean,
  makerFeePercent: Decimal.Text,
  takerFeePercent: Decimal.Text
})
export type Exchange = typeof Exchange.Type

/**
 * A market's steps and minimums. `priceStep` and `minCost` in quote, `amountStep` and `minAmount` in base. `buyEnabled`
 * false closes the market for entries, long and short.
 */
export const Market = Schema.Struct({
  exchange: ExchangeName,
  pair: Pair,
  kind: MarketKind,
  active: Schema.Boolean,
  buyEnabled: Schema.Boolean,
  priceStep: Decimal.Text,
  amountStep: Decimal.Text,
  minAmount: Decimal.Text,
  minCost: Decimal.Text
})
export type Market = typeof Market.Type

/** The catalogue has no exchange of this name. */
export class ExchangeNotFound extends Schema.TaggedError<ExchangeNotFound>()("ExchangeNotFound", {
  name: Schema.String
}) {
  override get message() {
    return `there is no exchange ${this.name}; there are ${EXCHANGE_NAMES.join(", ")}`
  }
}

/** The catalogue has no market of this pair and kind on the exchange. */
export class MarketNotFound extends Schema.TaggedError<MarketNotFound>()("MarketNotFound", {
  exchange: Schema.String,
  pair: Schema.String,
  kind: MarketKind
}) {
  override get message() {
    return `there is no ${this.kind} market ${this.pair} on ${this.exchange}`
  }
}
