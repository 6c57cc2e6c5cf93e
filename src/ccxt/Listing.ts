// Reads ccxt's markets of an exchange as a listing. Kept are spot pairs and linear perpetuals in known quote
// currencies; a market whose figures are unusable is listed as unreadable, with the reason.
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { ArrayFormatter } from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { markets as shippedMarkets } from "../domain/catalogue/Catalogue.ts"
import * as Decimal from "../domain/Decimal.ts"
import { lazily } from "../domain/internal/Lazily.ts"
import { isKnownCurrency, isPair, type KnownExchange, type MarketId, quoteOf } from "../domain/Market.ts"
import type { Listed, Listing, Unreadable } from "../domain/market/Listing.ts"
import { descriptors } from "./descriptors.ts"
import { usualFees } from "./Fees.ts"
import { fieldOf } from "./Field.ts"

/** More markets than any exchange has: a longer list is refused. */
const MAX_MARKETS = 20_000

/**
 * The listing behind ccxt's markets: spot pairs and perpetuals settled in their quote asset, in currencies that
 * strategies or the shipped markets use. All others are skipped.
 */
export const listingOf = (exchange: KnownExchange, reply: unknown): Either.Either<Listing, string> => {
  if (typeof reply !== "object" || reply === null) return Either.left("no list of markets")
  const entries: ReadonlyArray<unknown> = Object.values(reply)
  if (entries.length > MAX_MARKETS) return Either.left(`a list of ${entries.length} markets`)
  const quotes = new Set(shippedMarkets(exchange).map(({ pair }) => quoteOf(pair)))
  const isWanted = (quote: string) => isKnownCurrency(quote) || quotes.has(quote)
  const markets: Array<Listed> = []
  const unreadable: Array<Unreadable> = []
  for (const entry of entries) {
    const read = readMarket(exchange, entry, isWanted)
    if (Option.isNone(read)) continue
    if (Either.isRight(read.value)) markets.push(read.value.right)
    else unreadable.push(read.value.left)
  }
  return Either.right({ exchange, markets, unreadable, fees: usualFees(entries) })
}

/** Reads one market; none if it is of a kind we do not trade. */
export const readMarket = (
  exchange: KnownExchange,
  entry: unknown,
  isWanted: (quote: string) => boolean
): Option.Option<Either.Either<Listed, Unreadable>> => {
  const face = decodeFace(entry)
  if (Either.isLeft(face)) return refused(symbolOf(entry), Option.none(), errorOf(face.left))
  const { linear, quote, settle, symbol, type } = face.right
  const isSpot = type === "spot"
  const isPerpetual = type === "swap" && linear === true && settle === quote
  if (!(isSpot || isPerpetual) || !isWanted(quote)) return Option.none()
  const pair = isSpot ? symbol : symbol.slice(0, -`:${quote}`.length)
  if (!isPair(pair) || quoteOf(pair) !== quote) return refused(symbol, Option.none(), "its name is no pair")
  const id: MarketId = { exchange, pair, kind: isSpot ? "spot" : "swap" }
  const read = decodeFigures(entry)
  if (Either.isLeft(read)) return refused(symbol, Option.some(id), errorOf(read.left))
  const { active, limits, precision } = read.right
  const contractSize = isSpot ? 1 : read.right.contractSize
  if (contractSize === undefined || contractSize === null)
    return refused(symbol, Option.some(id), "contractSize is missing")
  const inBase = (contracts: number) =>
    Decimal.product(Decimal.fromNumber(contracts), Decimal.fromNumber(contractSize))
  const market: Listed = {
    ...id,
    active: active !== false,
    priceStep: Decimal.fromNumber(precision.price),
    amountStep: inBase(precision.amount),
    minAmount: Option.map(Option.fromNullable(limits?.amount?.min), inBase),
    minCost: Option.map(minCostOf(exchange, limits?.cost?.min, entry), Decimal.fromNumber)
  }
  return isTooFine(market)
    ? refused(symbol, Option.some(id), "its steps have too many places")
    : Option.some(Either.right(market))
}

const isTooFine = ({ amountStep, minAmount, minCost, priceStep }: Listed): boolean =>
  [priceStep, amountStep, ...Option.toArray(minAmount), ...Option.toArray(minCost)].some(
    ({ scale }) => scale > Decimal.MONEY_PLACES
  )

const refused = (symbol: string, id: Option.Option<MarketId>, violation: string) =>
  Option.some(Either.left({ symbol: printable(symbol, 60), id, error: printable(violation, 120) }))

/** Without control characters and cut, because the text may end up on a terminal. */
const printable = (text: string, most: number): string => text.replaceAll(/\p{C}/gu, "?").slice(0, most)

/** The minimum cost; some exchanges state one that ccxt leaves in the raw `info`. */
const minCostOf = (
  exchange: KnownExchange,
  value: number | null | undefined,
  entry: unknown
): Option.Option<number> => {
  const { minCostField } = descriptors[exchange]
  const own =
    minCostField === undefined ? Option.none() : decodeOwn(fieldOf(fieldOf(entry, "info"), minCostField))
  return Option.match(own, {
    onNone: () => Option.fromNullable(value),
    onSome: (funds) => Option.some(Math.max(funds, value ?? 0))
  })
}

const symbolOf = (entry: unknown): string =>
  typeof entry === "object" && entry !== null && "symbol" in entry ? String(entry.symbol) : "?"

const Face = Schema.Struct({
  symbol: Schema.String,
  type: Schema.String,
  quote: Schema.String,
  settle: Schema.optional(Schema.NullishOr(Schema.String)),
  linear: Schema.optional(Schema.NullishOr(Schema.Boolean))
})
const decodeFace = lazily(() => Schema.decodeUnknownEither(Face))

/** Whether a number fits a decimal of 18 places and is plausible for a market. */
const isFigure = (value: number) => Number.isFinite(value) && value <= 1e18
const annotations = {
  message: ({ actual }: { readonly actual: unknown }) => ({ message: words(actual), override: true })
}
const words = (actual: unknown) =>
  actual === undefined || actual === null ? "is missing" : `is ${String(actual)}`

const Positive = Schema.Number.pipe(Schema.filter((value) => isFigure(value) && value >= 1e-18)).annotations(
  annotations
)
const NotNegative = Schema.Number.pipe(
  Schema.filter((value) => isFigure(value) && (value === 0 || value >= 1e-18))
).annotations(annotations)
const Minimum = Schema.optional(
  Schema.NullishOr(Schema.Struct({ min: Schema.optional(Schema.NullishOr(NotNegative)) }))
)
const Figures = Schema.Struct({
  active: Schema.optional(Schema.NullishOr(Schema.Boolean)),
  contractSize: Schema.optional(Schema.NullishOr(Positive)),
  precision: Schema.Struct({ price: Positive, amount: Positive }),
  limits: Schema.optional(Schema.NullishOr(Schema.Struct({ amount: Minimum, cost: Minimum })))
})
const decodeFigures = lazily(() => Schema.decodeUnknownEither(Figures))

const decodeOwn = lazily(() =>
  Schema.decodeUnknownOption(Schema.NumberFromString.pipe(Schema.compose(Positive)))
)

/** The first error, such as `precision.price is 0`. */
const errorOf = (error: Parameters<typeof ArrayFormatter.formatErrorSync>[0]): string => {
  const [issue] = ArrayFormatter.formatErrorSync(error)
  if (issue === undefined) return "it cannot be read"
  return `${issue.path.join(".")} ${issue.message}`.trim()
}
