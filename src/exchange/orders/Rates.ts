// Exchange rates of fee assets, from the exchange's own tickers: directly, inverted, or by way of USDT or USD. Each
// market is asked at most once a minute.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { fieldOf } from "../../ccxt/Field.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { Connection } from "../Connection.ts"

/** How long a rate holds (ms). */
const HOLDS_MS = 60_000
/** Assets that most others have a market with. */
const BRIDGES = ["USDT", "USD"]

/** The worth of fees paid in assets other than the quote. */
export interface Rates {
  /** The worth of one unit of `asset` in `quote`; undefined if the exchange has no price for it. */
  readonly of: (asset: string, quote: string) => Effect.Effect<Decimal.Decimal | undefined>
}

/** Rates over one connection. */
export const make = ({ askAnybody, market }: Connection): Rates => {
  const known = new Map<string, { readonly at: number; readonly last: Decimal.Decimal }>()

  const last = Effect.fnUntraced(function* (symbol: string) {
    const now = yield* Clock.currentTimeMillis
    const before = known.get(symbol)
    if (before !== undefined && Math.abs(now - before.at) < HOLDS_MS) return before.last
    if ((yield* market(symbol)) === undefined) return undefined
    const ticker = yield* askAnybody("lookup", (ccxt) => ccxt.fetchTicker(symbol))
    const price = Decimal.fromText(String(fieldOf(ticker, "last") ?? fieldOf(ticker, "bid")))
    if (price._tag === "None" || !Decimal.isPositive(price.value)) return undefined
    known.set(symbol, { at: now, last: price.value })
    return price.value
  })

  const direct = Effect.fnUntraced(function* (asset: string, quote: string) {
    if (asset === quote) return Decimal.one
    const straight = yield* last(`${asset}/${quote}`)
    if (straight !== undefined) return straight
    const inverse = yield* last(`${quote}/${asset}`)
    return inverse === undefined ? undefined : Decimal.divide(Decimal.one, inverse)
  })

  const over = Effect.fnUntraced(function* (asset: string, quote: string) {
    const rate = yield* direct(asset, quote)
    if (rate !== undefined) return rate
    for (const bridge of BRIDGES) {
      const there = yield* direct(asset, bridge)
      const back = there === undefined ? undefined : yield* direct(bridge, quote)
      if (there !== undefined && back !== undefined) return Decimal.multiply(there, back)
    }
    return undefined
  })
  return { of: (asset, quote) => Effect.catchAll(over(asset, quote), () => Effect.succeed(undefined)) }
}
