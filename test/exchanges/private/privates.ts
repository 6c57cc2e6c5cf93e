import type { KnownExchange } from "../../../src/domain/Market.ts"
import { binance } from "./binance.ts"
import { bitget } from "./bitget.ts"
import { bybit } from "./bybit.ts"
import { coinbase } from "./coinbase.ts"
import { kraken } from "./kraken.ts"
import { kucoin } from "./kucoin.ts"
import { okx } from "./okx.ts"
import type { Private } from "./Private.ts"

/** The private part of each protocol. */
export const privates: Readonly<Record<KnownExchange, Private>> = {
  ...{ binance, bybit, okx, kraken, coinbase, kucoin, bitget }
}
