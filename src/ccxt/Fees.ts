// The usual fees of an exchange: the maker and taker rates that most of its spot markets share.
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Decimal from "../domain/Decimal.ts"
import { lazily } from "../domain/internal/Lazily.ts"
import type { Fees } from "../domain/market/Listing.ts"

/** A fee as ccxt states it, a fraction: 0.001 is 0.1 %. No exchange takes a tenth. */
const Fraction = Schema.Number.pipe(Schema.between(0, 0.1))
const Spot = Schema.Struct({ type: Schema.Literal("spot"), maker: Fraction, taker: Fraction })
const decode = lazily(() => Schema.decodeUnknownEither(Spot))

/** The most frequent pair of fees among spot markets. */
export const usualFees = (markets: ReadonlyArray<unknown>): Option.Option<Fees> => {
  const counts = new Map<string, { readonly fees: Fees; readonly times: number }>()
  for (const market of markets) {
    const read = decode(market)
    if (Either.isLeft(read)) continue
    const { maker, taker } = read.right
    const key = `${maker} ${taker}`
    const known = counts.get(key)
    const fees = known?.fees ?? { makerFeePercent: percent(maker), takerFeePercent: percent(taker) }
    counts.set(key, { fees, times: (known?.times ?? 0) + 1 })
  }
  const [most] = [...counts.values()].sort((a, b) => b.times - a.times)
  return Option.map(Option.fromNullable(most), ({ fees }) => fees)
}

const percent = (fraction: number): Decimal.Decimal =>
  Decimal.product(Decimal.fromNumber(fraction), Decimal.hundred)
