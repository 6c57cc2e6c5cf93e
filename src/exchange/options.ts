import type { ExchangeName } from "../domain/Market.ts"

/**
 * What the library is told of an exchange, so that it asks nothing else before it does what it is asked. Unified
 * accounts are bybit's only kind by now; kucoin's and bitget's speak another protocol, and are not supported: their
 * exchange refuses these requests.
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
  // Of the library's two ways to ask for a balance, this one tells what open orders hold.
  coinbase: {
    fetchBalance: "v3PrivateGetBrokerageAccounts",
    // In milliseconds, where the other way tells whole seconds.
    fetchTime: "v3PublicGetBrokerageTime",
    createMarketBuyOrderRequiresPrice: false
  },
  kucoin: { hf: true, uta: false },
  bitget: { uta: false, createMarketBuyOrderRequiresPrice: false }
}
