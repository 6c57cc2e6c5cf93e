import * as Option from "effect/Option"

/** The two assets of a pair, in capitals. `perpetual` where the symbol named a perpetual. */
export interface AlertPair {
  readonly coin: string
  readonly quote: string
  readonly perpetual: boolean
}

/**
 * Quote assets that a symbol without a separator may end with; the longest that fits is taken. BUSD, TUSD and PYUSD
 * are left out: they are as good as gone, and would make SHIBUSD, DOTUSD and SPYUSD mean something else.
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
  `^(?:[A-Z0-9_]{1,30}:)?(${CODE})(?:[-/_](${CODE}))?(?::${CODE})?(\\.P|[-_]?SWAP|[-_]?PERP)?$`
)
const PERPETUAL = /(.)PERP$/

/**
 * The pair that a symbol names: `BTCUSDT`, `BINANCE:BTCUSDT`, `BTC-USDT`, `BTC/USDT`, `BTC_USDT`, `BTCUSDT.P`,
 * `BTC-USDT-SWAP`. What is given of `coin` and `quote` (capitals) is believed over the list of quote assets.
 */
export const parse = (
  symbol: string,
  known: { readonly coin: string | undefined; readonly quote: string | undefined }
): Option.Option<AlertPair> => {
  const found = SYMBOL.exec(symbol.trim().toUpperCase())
  if (found === null) return Option.none()
  const [, first = "", second, suffix] = found
  if (second !== undefined && second !== "PERP") {
    return Option.some({ coin: first, quote: second, perpetual: suffix !== undefined })
  }
  const perpetual = suffix !== undefined || second === "PERP" || PERPETUAL.test(first)
  const text = first.replace(PERPETUAL, "$1")
  return Option.map(split(text, known), (pair) => ({ ...pair, perpetual }))
}

const split = (
  text: string,
  { coin, quote }: { readonly coin: string | undefined; readonly quote: string | undefined }
): Option.Option<{ readonly coin: string; readonly quote: string }> => {
  if (coin !== undefined && text.startsWith(coin) && text.length > coin.length)
    return Option.some({ coin, quote: text.slice(coin.length) })
  if (quote !== undefined) return Option.some({ coin: before(text, quote) ?? text, quote })
  for (const candidate of QUOTES) {
    const base = before(text, candidate)
    if (base !== undefined) return Option.some({ coin: base, quote: candidate })
  }
  return Option.none()
}

/** What stands before the ending, where something does. */
const before = (text: string, ending: string): string | undefined =>
  text.length > ending.length && text.endsWith(ending) ? text.slice(0, -ending.length) : undefined
