// ccxt's options per exchange, so that it sends no hidden requests before the one that is meant.
import type { ExchangeName } from "../domain/Market.ts"

/**
 * The options. Bybit has only unified accounts by now; those of KuCoin and Bitget use another protocol and are not
 * supported: the exchanges refuse these requests.
 */
export const optionsOf = (exchange: ExchangeName): Readonly<Record<string, unknown>> => OPTIONS[exchange]

const OPTIONS: Readonly<Record<ExchangeName, Readonly<Record<string, unknown>>>> = {
  binance: {
    fetchMargins: false,
    warnOnFetchOpenOrdersWithoutSymbol: false,
    disableFuturesSandboxWarning: true
  },
  bybit: {
    enableUnifiedMargin: false,
    enableUnifiedAccount: true,
    unifiedMarginStatus: 6,
    createMarketBuyOrderRequiresPrice: false
  },
  okx: { createOrder: "privatePostTradeOrder", createMarketBuyOrderRequiresPrice: false },
  kraken: {},
  // Of ccxt's two balance requests, this one reports what open orders lock.
  coinbase: {
    fetchBalance: "v3PrivateGetBrokerageAccounts",
    // In milliseconds; the other request returns whole seconds.
    fetchTime: "v3PublicGetBrokerageTime",
    createMarketBuyOrderRequiresPrice: false
  },
  kucoin: { hf: true, uta: false },
  bitget: { uta: false, createMarketBuyOrderRequiresPrice: false }
}
