// The dialect of each exchange.
import type { ExchangeName } from "../domain/Market.ts"
import type { Dialect } from "./Dialect.ts"
import { binance } from "./dialects/binance.ts"
import { bitget } from "./dialects/bitget.ts"
import { bybit } from "./dialects/bybit.ts"
import { coinbase } from "./dialects/coinbase.ts"
import { kraken } from "./dialects/kraken.ts"
import { kucoin } from "./dialects/kucoin.ts"
import { okx } from "./dialects/okx.ts"

export const dialects: Readonly<Record<ExchangeName, Dialect>> = {
  ...{ binance, bybit, okx, kraken, coinbase, kucoin, bitget }
}
