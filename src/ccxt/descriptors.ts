// The descriptor of each supported exchange.
import type { KnownExchange } from "../domain/Market.ts"
import type { Descriptor } from "./Descriptor.ts"
import { binance } from "./descriptors/binance.ts"
import { bitget } from "./descriptors/bitget.ts"
import { bybit } from "./descriptors/bybit.ts"
import { coinbase } from "./descriptors/coinbase.ts"
import { kraken } from "./descriptors/kraken.ts"
import { kucoin } from "./descriptors/kucoin.ts"
import { okx } from "./descriptors/okx.ts"

export const descriptors: Readonly<Record<KnownExchange, Descriptor>> = {
  ...{ binance, bybit, okx, kraken, coinbase, kucoin, bitget }
}
