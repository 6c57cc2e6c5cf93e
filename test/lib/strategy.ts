/** The least of a strategy on BTC/USDT at binance, as a request that creates one has it. */
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
}
