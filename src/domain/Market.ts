// Exchanges, pairs and markets. A market is exchange + pair + kind (spot or linear perpetual), with the steps and
// minimums that every order must keep.
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import * as Decimal from "./Decimal.ts"
import { EXCHANGE_FACTS, EXCHANGE_NAMES as NAMES } from "./internal/ExchangeFacts.ts"

/** The supported exchanges, by their ccxt ids. */
export const EXCHANGE_NAMES = NAMES
/** The id of a supported exchange, in lower case. */
export const KnownExchange = Schema.Literal(...EXCHANGE_NAMES)
export type KnownExchange = typeof KnownExchange.Type
/** Whether a value is the id of a supported exchange. */
export const isKnownExchange = Schema.is(KnownExchange)

/** The schema of names of which some are known. `make` makes one of a text, and throws where it cannot be one. */
export interface NameSchema<A extends string> extends Schema.Schema<A> {
  readonly make: (text: string) => A
}

/**
 * Names as they may be stored or shown. JSON Schema lists the known ones, because a request may contain no others
 * unless an embedder lists more (`Venues`).
 */
const open = <A extends string>(known: ReadonlyArray<string>, form: RegExp, words: string): NameSchema<A> => {
  const names = Schema.String.annotations({ jsonSchema: { type: "string", enum: known } }).pipe(
    Schema.filter((text) => known.includes(text) || form.test(text) || words, {
      jsonSchema: {},
      arbitrary: () => (fc) => fc.constantFrom(...known)
    })
  )
  const schema = Schema.make<A>(names.ast)
  return Object.assign(schema, { make: Schema.decodeUnknownSync(schema) })
}

/** The name of an exchange: a supported one, or one of an embedder's own. */
export type ExchangeName = KnownExchange | (string & Brand.Brand<"ExchangeName">)
export const ExchangeName = open<ExchangeName>(
  EXCHANGE_NAMES,
  /^[a-z0-9][a-z0-9._-]{0,39}$/,
  "must be 1 to 40 of a-z, 0-9, dot, hyphen and underscore, the first a letter or a digit"
)

/** Other common names of the same exchanges, without separators. */
const OTHER_NAMES: ReadonlyMap<string, KnownExchange> = new Map(
  EXCHANGE_NAMES.flatMap((name) => EXCHANGE_FACTS[name].otherNames.map((other) => [other, name] as const))
)

/** A written name in lower case, without `.com`, spaces, hyphens and underscores. */
export const plainNameOf = (written: string): string =>
  written
    .trim()
    .toLowerCase()
    .replace(/\.com$/, "")
    .replaceAll(/[\s_-]+/g, "")

/**
 * The supported exchange behind a written name: in any case, with spaces, hyphens or underscores, with `.com`, or under
 * another common name. Undefined for any other exchange; `binanceus` is one.
 */
export const exchangeNameOf = (written: unknown): KnownExchange | undefined => {
  if (typeof written !== "string") return undefined
  const name = plainNameOf(written)
  return isKnownExchange(name) ? name : OTHER_NAMES.get(name)
}

/** The currencies that a strategy can be denominated in. */
export const QUOTE_CURRENCIES = ["USDT", "BTC", "ETH", "USD"] as const
/** One of these currencies. */
export const KnownCurrency = Schema.Literal(...QUOTE_CURRENCIES)
export type KnownCurrency = typeof KnownCurrency.Type
/** Whether a value is one of these currencies. */
export const isKnownCurrency = Schema.is(KnownCurrency)
/** The currency of a strategy's balance: one of these, or one of an embedder's own. */
export type QuoteCurrency = KnownCurrency | (string & Brand.Brand<"QuoteCurrency">)
export const QuoteCurrency = open<QuoteCurrency>(
  QUOTE_CURRENCIES,
  /^[A-Z0-9]{1,20}$/,
  "must be 1 to 20 of A-Z and 0-9"
)

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
