import type { ExchangeName } from "../domain/Market.ts"
import type { Ccxt } from "./Ccxt.ts"
import { rebase } from "./rebase.ts"

/**
 * A ccxt exchange with its streams. Each is loaded when it is first asked for: together they cost 50 MB and a fifth
 * of a second. `base` sends all its requests behind another address (see rebase).
 */
export const load = async (name: ExchangeName, base?: string): Promise<Ccxt> => {
  const exchange = await make(name)
  if (base === undefined) return exchange
  exchange.urls.api = rebase(exchange.urls.api, base)
  // Without it ccxt opens no stream that is not encrypted.
  await exchange.loadHttpProxyAgent()
  return exchange
}

const OPTIONS = { enableRateLimit: true, newUpdates: true }

const make = async (name: ExchangeName): Promise<Ccxt> => {
  switch (name) {
    case "binance":
      return new (await import("../../node_modules/ccxt/js/src/pro/binance.js")).default(OPTIONS)
    case "bybit":
      return new (await import("../../node_modules/ccxt/js/src/pro/bybit.js")).default(OPTIONS)
    case "okx":
      return new (await import("../../node_modules/ccxt/js/src/pro/okx.js")).default(OPTIONS)
    case "kraken":
      return new (await import("../../node_modules/ccxt/js/src/pro/kraken.js")).default(OPTIONS)
    case "coinbase":
      return new (await import("../../node_modules/ccxt/js/src/pro/coinbase.js")).default(OPTIONS)
    case "kucoin":
      return new (await import("../../node_modules/ccxt/js/src/pro/kucoin.js")).default(OPTIONS)
    case "bitget":
      return new (await import("../../node_modules/ccxt/js/src/pro/bitget.js")).default(OPTIONS)
  }
}
