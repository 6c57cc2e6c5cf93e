// Every setting of a strategy, with values at the ends of what may be stored.

export const everything = {
  name: "🚀 'all' \"on\"",
  description: "\\u0000 is not NUL",
  active: false,
  public: true,
  quote: "BTC",
  defaultExchange: "kraken",
  makerFeePercent: 0.1,
  takerFeePercent: 0.26000000000000001,
  buyPercent: 33.333333333333336,
  minProfitPercent: 1e-7,
  trailingBuy: { percent: 0.1 },
  dca: { waitMinutes: 0, maxRetries: 200, triggerPercent: 99.99999999999999, orderSizePercent: 1000 },
  trailingSell: { armPercent: 5e-324, percent: 0.3 },
  stopLoss: { percent: 12.5 },
  balanceTakeProfit: { triggerPercent: 1e300, cooldownMinutes: 0 },
  balanceStopLoss: { triggerPercent: 0.1, cooldownMinutes: 525_600 },
  autoClose: { minutes: 1 },
  maxEntries: 50,
  onOpposite: "reverse",
  takeProfitSteps: [
    { profitPercent: 0.1, closePercent: 33.333333333333336 },
    { profitPercent: 1e300, closePercent: 5e-324 }
  ],
  breakEvenAfter: 2,
  riskPercent: 99.99999999999999,
  signalIgnoresMinProfit: true,
  exchanges: [
    { exchange: "kraken", pairs: ["BTC/USDT"] },
    { exchange: "binance", pairs: [] }
  ]
} as const
