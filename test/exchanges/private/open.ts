import { load } from "../../../src/ccxt/load.ts"
import { isTrading, type TradingClient } from "../../../src/ccxt/TradingClient.ts"
import type { KnownExchange } from "../../../src/domain/Market.ts"
import type { Stub } from "../Stub.ts"

export type { TradingClient }

/** A ccxt that may trade on a stub. */
export const open = async (name: KnownExchange, stub: Stub): Promise<TradingClient> => {
  const exchange = await load(name, stub.url)
  if (!isTrading(exchange)) throw new Error("ccxt cannot trade")
  Object.assign(exchange, stub.desk.credentials)
  exchange.enableRateLimit = false
  exchange.options["fetchBalance"] = name === "coinbase" ? "v3PrivateGetBrokerageAccounts" : undefined
  // Kraken's numbers have to grow, also within a millisecond.
  let last = 0
  if (name === "kraken")
    exchange.nonce = () => {
      last = Math.max(last + 1, Date.now())
      return last
    }
  return exchange
}
