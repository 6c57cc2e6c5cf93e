// Finds the pair that an alert's symbol names. Explicit assets win; then the pairs of the following strategies, then
// those of the catalogue, then the symbol's looks. A symbol that may mean several pairs is refused.

import * as Either from "effect/Either"
import { baseOf, type Pair, quoteOf } from "../Market.ts"
import * as AlertNames from "./AlertNames.ts"
import type { Pairs, Shelf } from "./AlertPairs.ts"

/** The names of fields that hold a symbol, the first that is there counts. */
export const SYMBOLS = [
  "symbol",
  "ticker",
  "pair",
  "instrument",
  "tv_instrument",
  "market",
  "instrument_id"
] as const

/** The two assets of a pair, in upper case. `perpetual` if the symbol named one. */
export interface AlertPair {
  readonly coin: string
  readonly quote: string
  readonly perpetual: boolean
  /** A warning for the sender: what was assumed. */
  readonly warning?: string
}

/** Why a symbol names no pair: no two assets, several pairs, or the catalogue has to be asked first. */
export type Unread = "nameless" | "several" | "unsure"

/** The assets that other fields of the alert name, in upper case. */
export interface Given {
  readonly coin: string | undefined
  readonly quote: string | undefined
}

/**
 * Quote assets that a symbol without a separator may end with; the first that fits wins. BUSD, TUSD and PYUSD are
 * omitted: they are nearly extinct and would misread SHIBUSD, DOTUSD and SPYUSD.
 */
const QUOTES: ReadonlyArray<string> = [
  "FDUSD",
  "USDT",
  "USDC",
  "USD",
  "DAI",
  "EUR",
  "GBP",
  "TRY",
  "BRL",
  "JPY",
  "AUD",
  "CAD",
  "CHF",
  "KRW",
  "BTC",
  "ETH",
  "BNB"
]

const CODE = "[A-Z0-9]{1,20}"
const SYMBOL = new RegExp(
  `^(?:[A-Z0-9_]{1,30}:)?(${CODE})(?:[-/_](${CODE}))?(?::${CODE})?(\\.P(?:ERP)?|[-_]?SWAP|[-_]?PERP(?:-INTX)?|_UMCBL)?$`
)
/** An exchange's name, then quote and base: `BINA_USDT_BTC`. */
const PREFIXED = new RegExp(`^[A-Z]{3,12}_(${CODE})[-_](${CODE})$`)
const PERPETUAL = /(.)PERP$/
/** Second parts that are no assets. */
const SUFFIXES: ReadonlySet<string> = new Set(["PERP", "SWAP", "UMCBL"])
/** Quote assets in front of a perpetual's own symbol: `USDT_BTCUSDT`. */
const STABLE: ReadonlySet<string> = new Set(["USDT", "USDC"])
/** Perpetuals in KuCoin's notation. */
const MARGINED = /^(.{1,20}USD[TC]?)M$/

/** The parts of a symbol: one run of letters, or two parts. */
interface Shape {
  readonly first: string
  readonly second: string | undefined
  readonly perpetual: boolean
}

/**
 * The pair that a symbol names: `BTCUSDT`, `BINANCE:BTCUSDT`, `BTC-USDT`, `BTC/USDT`, `BTC_USDT`, `BTCUSDT.P`,
 * `BTC-USDT-SWAP`, each also quote first (`USDT-BTC`). Without `pairs` the symbol's looks decide.
 */
export const parse = (symbol: string, given: Given, pairs?: Pairs): Either.Either<AlertPair, Unread> => {
  const shape = shapeOf(symbol.trim().toUpperCase())
  if (shape === undefined) return Either.left("nameless")
  const looks = byLooks(shape, given)
  if (pairs === undefined || given.coin !== undefined || given.quote !== undefined)
    return looks === undefined ? Either.left("nameless") : Either.right(looks)
  const own = onShelf(pairs.own, shape, looks) ?? byCoin(pairs.own, shape)
  if (own !== undefined) return own
  if (pairs.all === undefined) return Either.left("unsure")
  return (
    onShelf(pairs.all, shape, looks) ?? (looks === undefined ? Either.left("nameless") : Either.right(looks))
  )
}

/** Whether a symbol names a perpetual, whatever its pair. */
export const isPerpetual = (symbol: string): boolean =>
  shapeOf(symbol.trim().toUpperCase())?.perpetual === true

const shapeOf = (text: string): Shape | undefined => {
  const [, quote, base] = PREFIXED.exec(text) ?? []
  const found = SYMBOL.exec(text)
  if (found === null)
    return quote === undefined || base === undefined
      ? undefined
      : { first: base, second: quote, perpetual: false }
  const [, first = "", second, suffix] = found
  if (second !== undefined && !SUFFIXES.has(second)) {
    return STABLE.has(first) && second.length > first.length && second.endsWith(first)
      ? { first: second.slice(0, -first.length), second: first, perpetual: true }
      : { first, second, perpetual: suffix !== undefined }
  }
  const perpetual = suffix !== undefined || second !== undefined || PERPETUAL.test(first)
  return { first: first.replace(PERPETUAL, "$1"), second: undefined, perpetual }
}

const byLooks = (shape: Shape, { coin, quote }: Given): AlertPair | undefined => {
  const { first, perpetual, second } = shape
  if (second !== undefined) return { coin: first, quote: second, perpetual }
  if (coin !== undefined && first.startsWith(coin) && first.length > coin.length)
    return { coin, quote: first.slice(coin.length), perpetual }
  if (quote !== undefined) return { coin: before(first, quote) ?? first, quote, perpetual }
  for (const candidate of QUOTES) {
    const base = before(first, candidate)
    if (base !== undefined) return { coin: base, quote: candidate, perpetual }
  }
  const margined = MARGINED.exec(first)?.[1]
  return margined === undefined
    ? undefined
    : byLooks({ ...shape, first: margined, perpetual: true }, { coin, quote })
}

/** The pair among known ones that a symbol names, base first or quote first. */
const onShelf = (
  shelf: Shelf,
  shape: Shape,
  looks: AlertPair | undefined
): Either.Either<AlertPair, Unread> | undefined => {
  for (const variant of variantsOf(shape)) {
    const direct = named(shelf, variant)
    if (direct.length > 0) return one(direct, variant.perpetual, looks)
    const flipped = namedQuoteFirst(shelf, variant)
    if (flipped.length > 0)
      return Either.map(one(flipped, variant.perpetual, looks), (pair) => ({ ...pair, warning: QUOTE_FIRST }))
  }
  return undefined
}

/** The symbol, then other notations of exchanges for the same market. */
const variantsOf = (shape: Shape): ReadonlyArray<Shape> => {
  const margined = shape.second === undefined ? MARGINED.exec(shape.first)?.[1] : undefined
  const variants = margined === undefined ? [shape] : [shape, { ...shape, first: margined, perpetual: true }]
  return shape.first.startsWith("XBT")
    ? [...variants, ...variants.map((it) => ({ ...it, first: `BTC${it.first.slice(3)}` }))]
    : variants
}

const named = (shelf: Shelf, { first, second }: Shape): ReadonlyArray<Pair> =>
  second === undefined
    ? (shelf.joined.get(first) ?? [])
    : (shelf.joined.get(first + second) ?? []).filter((pair) => baseOf(pair) === first)

const namedQuoteFirst = (shelf: Shelf, { first, second }: Shape): ReadonlyArray<Pair> =>
  second === undefined
    ? (shelf.flipped.get(first) ?? [])
    : (shelf.joined.get(second + first) ?? []).filter((pair) => baseOf(pair) === second)

/** A symbol that names one asset: clear if the strategies trade it against one quote currency only. */
const byCoin = (shelf: Shelf, shape: Shape): Either.Either<AlertPair, Unread> | undefined => {
  const { first, perpetual, second } = shape
  const pairs = second === undefined ? (shelf.coins.get(first) ?? []) : []
  return pairs.length === 0
    ? undefined
    : Either.map(one(pairs, perpetual, undefined), (pair) => ({ ...pair, warning: ONE_ASSET }))
}

const QUOTE_FIRST = "the symbol was read with its quote asset first"
const ONE_ASSET =
  "the symbol names one asset: its quote asset was taken from the strategies that follow the signal"

const one = (
  pairs: ReadonlyArray<Pair>,
  perpetual: boolean,
  looks: AlertPair | undefined
): Either.Either<AlertPair, Unread> => {
  const [pair] = pairs.length === 1 ? pairs : pairs.filter((it) => baseOf(it) === looks?.coin)
  return pair === undefined
    ? Either.left("several")
    : Either.right({ coin: baseOf(pair), quote: quoteOf(pair), perpetual })
}

/** The text before an ending; undefined if there is none. */
const before = (text: string, ending: string): string | undefined =>
  text.length > ending.length && text.endsWith(ending) ? text.slice(0, -ending.length) : undefined

/** Fields that name the kind of a market, and the values that mean a perpetual. */
const KINDS = ["market_type", "exchange_account_type", "instrument_type", "contract_type"] as const
const SWAP = /futures|perp|swap|linear/i

/** Whether a field beside the symbol says that the market is a perpetual. */
export const isSwap = (names: AlertNames.Names): boolean => {
  const kind = AlertNames.first(names, KINDS)?.value
  return typeof kind === "string" && SWAP.test(kind)
}
