// A body for each operation that takes one, as the reference shows it. A test sends each of them to a server.

const ALERT = { signal_id: 1, coin: "BTC", quote_currency: "USDT", type: "buy" }
const SIGNAL = { name: "Crossing averages", description: "20 over 100 minutes", active: true, public: false }
const STRATEGY = {
  name: "Take profit, cut losses",
  description: "",
  active: true,
  public: false,
  default_quote_currency: "USDT",
  default_exchange_name: "binance",
  buy_percentage: 10,
  sell_minprofitpercent: 2,
  stop_loss: true,
  stop_loss_percentage: 4,
  exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT", "ETH/USDT"] }]
}

const POSITION = { exchange: "binance", pair: "BTC/USDT", kind: "spot" }

/** By operation. */
export const BODIES: Readonly<Record<string, object>> = {
  "signals.create": SIGNAL,
  "signals.update": { description: "20 over 100 minutes, on the hour" },
  "signals.charting": { signal_id: 1, symbol: "BTCUSDT", type: "buy" },
  "signals.alert": ALERT,
  "alerts.parse": ALERT,
  "strategies.create": { ...STRATEGY, signal_id: 1 },
  "copies.copy": { name: "My copy", buy_percentage: 10 },
  "strategies.update": { stop_loss: true, stop_loss_percentage: 3 },
  "notifications.create": {
    kind: "webhook",
    name: "desk",
    url: "https://desk.example/signalbox",
    events: ["opened", "closed"]
  },
  "rules.check": {
    timeframe: "1h",
    params: { fast: 9 },
    expressions: [{ text: "crossover(close, ema(close, fast))", type: "boolean" }]
  },
  "tokens.create": { scope: "alerts", expires_days: 90 },
  "sessions.begin": { token: "sbx_api_..." },
  "operator.switchExchange": { name: "binance", active: true },
  "operator.switchMarket": { exchange: "binance", pair: "BTC/USDT", kind: "spot", active: true },
  "candles.begin": {
    exchange: "binance",
    pair: "BTC/USDT",
    kind: "spot",
    timeframe: "1m",
    from: "2026-11-01",
    to: "2026-11-07"
  },
  "candles.remove": { exchange: "binance", pair: "BTC/USDT", kind: "spot", timeframe: "1m" },
  "operator.refresh": { exchange: "binance" },
  "positions.close": { ...POSITION, percent: 50 },
  "positions.cancel": POSITION,
  "positions.targets": { ...POSITION, tp: 70000, sl: 60000 },
  "backtests.whatIf": { changes: { buy_percentage: 20, sell_minprofitpercent: 3 } },
  "backtests.run": {
    strategy: STRATEGY,
    candles: [
      { pair: "BTC/USDT", csv: "1735689600,94000,94100,93900,94050,1\n1735689660,94050,96500,94000,96400,1" }
    ],
    alerts: { text: '{"time":1735689600000,"coin":"BTC","quote_currency":"USDT","type":"buy"}' },
    balance: 1000
  },
  "live.arm": { account: 1, capital: 500, max_order: 50, max_daily_loss: 25 }
}
