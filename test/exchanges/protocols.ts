import type { KnownExchange } from "../../src/domain/Market.ts"
import { binance } from "./binance.ts"
import { bitget } from "./bitget.ts"
import { bybit } from "./bybit.ts"
import { coinbase } from "./coinbase.ts"
import { kraken } from "./kraken.ts"
import { kucoin } from "./kucoin.ts"
import { okx } from "./okx.ts"
import type { Protocol } from "./Protocol.ts"

/** What each of the seven exchanges says. */
export const protocols: Readonly<Record<KnownExchange, Protocol>> = {
  binance,
  bybit,
  okx,
  kraken,
  coinbase,
  kucoin,
  bitget
}
