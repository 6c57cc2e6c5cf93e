// The demo's signals and strategies, in the fields of the API.

const common = {
  active: true,
  public: false,
  default_quote_currency: "USDT",
  default_exchange_name: "bybit",
  exchanges: [{ exchange_name: "bybit", coin_pairs: ["BTC/USDT"] }]
}

export const SPOT_SIGNAL = {
  name: "Averages crossing, spot",
  description: "20 over 100 minutes",
  active: "1",
  public: "0"
}
export const FUTURES_SIGNAL = { ...SPOT_SIGNAL, name: "Averages crossing, futures" }

/** Raises its alerts itself: nothing is sent to it. */
export const RULE_SIGNAL = {
  name: "Breakout, by a rule",
  description: "Over the high of 20 candles of 5 minutes",
  active: true,
  public: false,
  rule: {
    markets: [{ exchange: "bybit", kind: "spot", pairs: ["BTC/USDT"] }],
    timeframe: "5m",
    params: { entry: 20, exit: 10 },
    on: [
      {
        type: "buy",
        when: "close > donchian(entry).upper[1]",
        sl: "donchian(entry).lower"
      },
      { type: "sell", when: "close < donchian(exit).lower[1]" }
    ]
  }
}

/** Enters and exits only on alerts. */
export const follower = (signal: number) => ({
  ...common,
  name: "Follow the signal",
  description: "Buys half of the balance when the averages cross upwards, sells when they cross back",
  buy_percentage: 50,
  signal_id: signal
})

/** Takes profits and cuts losses early. */
export const taker = (signal: number) => ({
  ...common,
  name: "Take profit, cut losses",
  description: "Sells at 0.5 % profit or 0.7 % under the average; alerts may sell only with a profit",
  buy_percentage: 30,
  sell_minprofitpercent: 0.5,
  stop_loss: true,
  stop_loss_percentage: 0.7,
  signal_id: signal
})

/** Trades long and short on the perpetual, and trails its profits. */
export const bothWays = (signal: number) => ({
  ...common,
  name: "Both ways, trailing",
  description: "Long and short on the perpetual; from 0.8 % profit on a trail of 0.3 % follows the price",
  buy_percentage: 40,
  trailing_sell: true,
  trailing_sell_arm: 0.8,
  trailing_sell_percentage: 0.3,
  auto_close_position_enabled: true,
  auto_close_position_value: 360,
  signal_id: signal
})

/** Follows the signal whose rule raises the alerts. */
export const byRule = (signal: number) => ({
  ...common,
  name: "By its own rule",
  description:
    "Buys a close over the highest high of 20 candles, sells one under the lowest low of 10; no webhook",
  buy_percentage: 50,
  signal_id: signal
})
