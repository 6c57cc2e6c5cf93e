import * as Option from "effect/Option"
import { binance } from "./catalogue/binance.ts"
import { bitget } from "./catalogue/bitget.ts"
import { bybit } from "./catalogue/bybit.ts"
import type { CatalogueFile } from "./catalogue/CatalogueFile.ts"
import { coinbase } from "./catalogue/coinbase.ts"
import { kraken } from "./catalogue/kraken.ts"
import { kucoin } from "./catalogue/kucoin.ts"
import { okx } from "./catalogue/okx.ts"
import * as Decimal from "./Decimal.ts"
import { EXCHANGE_NAMES, type Exchange, type ExchangeName, isPair, type Market, type MarketId } from "./Market.ts"
import { marketKey } from "./Market.ts"

const FILES: Readonly<Record<ExchangeName, CatalogueFile>> = {
  binance,
  bybit,
  okx,
  kraken,
  coinbase,
  kucoin,
  bitget
}

/** The shipped exchanges, all active, in the order of `EXCHANGE_NAMES`. */
export const exchanges = (): ReadonlyArray<Exchange> => parsed().exchanges

/** The shipped exchange of that name. */
export const exchange = (name: ExchangeName): Exchange => exchangeOf(FILES[name], name)

/** The shipped markets of one exchange, or of all, each active and open for buying. */
export const markets = (name: ExchangeName): ReadonlyArray<Market> => parsed().byExchange[name]
export const all = (): ReadonlyArray<Market> => parsed().all

/** The shipped market; none where the exchange has no such pair of that kind. */
export const find = (id: MarketId): Option.Option<Market> =>
  Option.fromNullable(parsed().byKey.get(marketKey(id)))
