import * as Schema from "effect/Schema"
import * as Decimal from "./Decimal.ts"

/** The supported exchanges, by their ccxt ids. */
export const EXCHANGE_NAMES = ["binance", "bybit", "okx", "kraken", "coinbase", "kucoin", "bitget"] as const
/** An exchange that strategies can trade on, in lower case. */
export const ExchangeName = Schema.Literal(...EXCHANGE_NAMES)
export type ExchangeName = typeof ExchangeName.Type
/** Whether a value names one of the exchanges. */
export const isExchangeName = Schema.is(ExchangeName)

/** Other usual names of the same exchanges, without what stands between their words. */
const OTHER_NAMES: ReadonlyMap<string, ExchangeName> = new Map([
  ["okex", "okx"],
  ["okex5", "okx"],
  ["coinbasepro", "coinbase"],
  ["coinbaseadvanced", "coinbase"],
  ["coinbaseadvancedtrade", "coinbase"],
  ["gdax", "coinbase"]
])

/**
 * The exchange that somebody means: its name in any case, with spaces, hyphens or underscores between its words, with
 * `.com` behind it, or another usual name of it. None where it is none of ours: `binanceus` is another exchange.
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

/** The currencies that a strategy can be counted in. */
export const QUOTE_CURRENCIES = ["USDT", "BTC", "ETH", "USD"] as const
/** What a strategy's balance is counted in. */
export const QuoteCurrency = Schema.Literal(...QUOTE_CURRENCIES)
export type QuoteCurrency = typeof QuoteCurrency.Type
/** Whether a value names one of the quote currencies. */
export const isQuoteCurrency = Schema.is(QuoteCurrency)

/** `BASE/QUOTE`, upper case. */
export const Pair = Schema.String.pipe(
  Schema.pattern(/^[A-Z0-9]{1,20}\/[A-Z0-9]{1,20}$/),
  Schema.brand("Pair")
)
export type Pair = typeof Pair.Type
/** Whether a value is a pair: `BASE/QUOTE` in upper case. */
export const isPair = Schema.is(Pair)

/** What is traded: `BTC` of `BTC/USDT`. */
export const baseOf = (pair: Pair): string => pair.slice(0, pair.indexOf("/"))
/** What it is paid with: `USDT` of `BTC/USDT`. */
export const quoteOf = (pair: Pair): string => pair.slice(pair.indexOf("/") + 1)

/** `spot`, or `swap` for the linear perpetual of the same pair. */
export const MarketKind = Schema.Literal("spot", "swap")
export type MarketKind = typeof MarketKind.Type

/** Names one market; also one position slot of a bot. */
export interface MarketId {
  readonly exchange: ExchangeName
  readonly pair: Pair
  readonly kind: MarketKind
}

/** A text key for maps and rows: `binance:BTC/USDT:spot`. */
export const marketKey = (id: MarketId): string => `${id.exchange}:${id.pair}:${id.kind}`

/** An exchange with its switch and its default fees, in percent (0.1 means 0.1 %). */
export const Exchange = Schema.Struct({
  name: ExchangeName,
  active: Schema.Boolean,
  makerFeePercent: Decimal.Text,
  takerFeePercent: Decimal.Text
})
export type Exchange = typeof Exchange.Type

/**
 * What may be traded and in which steps. `priceStep` and `minCost` are in the quote asset, `amountStep` and
 * `minAmount` in the base asset. `buyEnabled` false closes the market for entries, longs and shorts alike.
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

/** No exchange of this name is in the catalogue. */
export class ExchangeNotFound extends Schema.TaggedError<ExchangeNotFound>()("ExchangeNotFound", {
  name: Schema.String
}) {
  override get message() {
    return `there is no exchange ${this.name}; there are ${EXCHANGE_NAMES.join(", ")}`
  }
}

/** The exchange has no market of this pair and kind in the catalogue. */
export class MarketNotFound extends Schema.TaggedError<MarketNotFound>()("MarketNotFound", {
  exchange: Schema.String,
  pair: Schema.String,
  kind: MarketKind
}) {
  override get message() {
    return `there is no ${this.kind} market ${this.pair} on ${this.exchange}`
  }
}
