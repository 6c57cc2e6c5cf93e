import type { StrategyDraft } from "../../src/domain/requests/StrategyDraft.ts"

/** The smallest valid request for a strategy: BTC/USDT on binance. */
export const STRATEGY = {
  name: "test",
  description: "",
  active: true,
  public: false,
  default_quote_currency: "USDT",
  default_exchange_name: "binance",
  buy_percentage: 50,
  taker_fee: 0.1,
  maker_fee: 0,
  exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT"] }]
} as const satisfies StrategyDraft
