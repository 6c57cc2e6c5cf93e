// The shipped snapshot of exchanges and markets, so that the program works without a network. Everything in it is
// switched on.
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Decimal from "../Decimal.ts"
import { lazily } from "../internal/Lazily.ts"
import {
  EXCHANGE_NAMES,
  Exchange,
  type ExchangeName,
  isKnownExchange,
  type KnownExchange,
  Market,
  type MarketId,
  type MarketKind,
  marketKey,
  Pair
} from "../Market.ts"
import { binance } from "./binance.ts"
import { bitget } from "./bitget.ts"
import { bybit } from "./bybit.ts"
import type { CatalogueFile } from "./CatalogueFile.ts"
import { coinbase } from "./coinbase.ts"
import { kraken } from "./kraken.ts"
import { kucoin } from "./kucoin.ts"
import { okx } from "./okx.ts"

/** One text per exchange. */
const FILES: Readonly<Record<KnownExchange, CatalogueFile>> = {
  binance,
  bybit,
  okx,
  kraken,
  coinbase,
  kucoin,
  bitget
}

/** The shipped exchange of that name; any other is on, without fees. */
export const exchange = (name: ExchangeName): Exchange => shelf(name).exchange

/** All shipped exchanges, in the sequence of `EXCHANGE_NAMES`. */
export const exchanges = (): ReadonlyArray<Exchange> => EXCHANGE_NAMES.map(exchange)

/** The shipped markets of an exchange, in the sequence of its file. */
export const markets = (name: ExchangeName): ReadonlyArray<Market> => [...shelf(name).markets.values()]

/** All shipped markets, by exchange. */
export const all = (): ReadonlyArray<Market> => EXCHANGE_NAMES.flatMap(markets)

/** The day (YYYY-MM-DD) from which the newest of an exchange's shipped numbers are. */
export const recordedOn = (name: KnownExchange): string => FILES[name].recorded

/** The shipped market; none if the exchange has no such pair of that kind. */
export const find = (id: MarketId): Option.Option<Market> =>
  Option.fromNullable(shelf(id.exchange).markets.get(marketKey(id)))

/** One exchange and its markets by key, without the operator's switches. */
export interface Shelf {
  readonly exchange: Exchange
  readonly markets: ReadonlyMap<string, Market>
}

const shelves = new Map<ExchangeName, Shelf>()

/** Parsed on first use of the exchange, so that other commands do not pay for it. No markets of any other exchange. */
export const shelf = (name: ExchangeName): Shelf => {
  const known = shelves.get(name)
  if (known !== undefined) return known
  if (!isKnownExchange(name)) return unknown(name)
  const made = parse(FILES[name], name)
  shelves.set(name, made)
  return made
}

/** An exchange that is not shipped: everything about it comes from elsewhere. */
const unknown = (name: ExchangeName): Shelf => ({
  exchange: { name, active: true, makerFeePercent: Decimal.zero, takerFeePercent: Decimal.zero },
  markets: new Map()
})

const decodeExchange = lazily(() => Schema.decodeUnknownSync(Exchange))
const decodeKind = lazily(() => Schema.decodeUnknownSync(Market.fields.kind))
const decodeFigures = Schema.decodeUnknownSync(
  Market.pipe(Schema.pick("priceStep", "amountStep", "minAmount", "minCost"))
)

/** A malformed line in a shipped file is a fault; a test reads them all. Markets of one group share their figures. */
const parse = ({ makerFeePercent, takerFeePercent, markets }: CatalogueFile, name: ExchangeName): Shelf => {
  const found = new Map<string, Market>()
  let kind: MarketKind = "spot"
  let quote = ""
  for (const line of markets.trim().split("\n")) {
    if (line.endsWith(":")) {
      const [word, currency = ""] = line.slice(0, -1).split(" ")
      kind = decodeKind(word)
      quote = currency
      continue
    }
    for (const group of line.split("; ")) {
      const [priceStep, amountStep, minAmount, minCost, ...bases] = group.split(" ")
      const figures = decodeFigures({ priceStep, amountStep, minAmount, minCost })
      for (const base of bases) {
        const id = { exchange: name, pair: Pair.make(`${base}/${quote}`), kind }
        found.set(marketKey(id), { ...id, active: true, buyEnabled: true, ...figures })
      }
    }
  }
  const exchange = decodeExchange({ name, active: true, makerFeePercent, takerFeePercent })
  return { exchange, markets: found }
}
