import { AFTER_ONLY, contracts, STATED, signed, type Template, UNSIZED } from "./changes.ts"

/** Messages that tell what the chart holds after its order. */
export const STATING: ReadonlyArray<Template> = [
  {
    source: "help.3commas.io/en/articles/9374557, signal bot of a strategy",
    body: ({ action, after, before, sizes, ticker, ...rest }) => ({
      secret: "x",
      max_lag: "300",
      timestamp: "2026-01-01T00:00:00Z",
      trigger_price: "60000",
      tv_exchange: "BINANCE",
      tv_instrument: ticker,
      action,
      bot_uuid: "b",
      strategy_info: {
        market_position: after,
        market_position_size: String(sizes[1]),
        prev_market_position: before,
        prev_market_position_size: String(sizes[0])
      },
      order: { amount: contracts({ action, after, before, sizes, ...rest }), currency_type: "base" }
    }),
    ...STATED
  },
  {
    source: "the platform's own variables as names",
    body: ({ action, after, before, sizes, ticker }) => ({
      ticker,
      "strategy.order.action": action,
      "strategy.market_position": after,
      "strategy.market_position_size": sizes[1],
      "strategy.prev_market_position": before,
      "strategy.prev_market_position_size": sizes[0]
    }),
    ...STATED
  },
  {
    source: "www.okx.com/help/signal-bot-alert-message-specifications, section A",
    body: (it) => ({
      id: "entry-1",
      action: it.action,
      marketPosition: it.after,
      prevMarketPosition: it.before,
      instrument: it.ticker,
      signalToken: "x",
      timestamp: "2026-01-01T00:00:00Z",
      maxLag: "60",
      investmentType: "base",
      amount: String(contracts(it))
    }),
    ...UNSIZED
  },
  {
    source: "hackingthemarkets/tradingview-binance-strategy-alert-webhook",
    body: (it) => ({
      passphrase: "x",
      time: "2026-01-01T00:00:00Z",
      exchange: "BINANCE",
      ticker: it.ticker,
      bar: { time: "2026-01-01T00:00:00Z", open: 1, high: 1, low: 1, close: 1, volume: 5 },
      strategy: {
        position_size: signed(it),
        order_action: it.action,
        order_contracts: contracts(it),
        order_price: 60000,
        order_id: "door",
        market_position: it.after,
        market_position_size: it.sizes[1],
        prev_market_position: it.before,
        prev_market_position_size: it.sizes[0]
      }
    }),
    ...STATED
  },
  {
    source: "a receiver's README: market and order as objects",
    body: (it) => ({
      symbol: it.ticker,
      symbol_data: { open: "1", close: "1", high: "1", low: "1", volume: "5" },
      position: { position_size: String(signed(it)) },
      order: { action: it.action, contracts: String(contracts(it)), price: "60000", id: "o", comment: "c" },
      market: {
        position: it.after,
        position_size: String(it.sizes[1]),
        previous_position: it.before,
        previous_position_size: String(it.sizes[0])
      }
    }),
    ...STATED
  },
  {
    source: "an exchange connector: everything within position, and no action",
    body: (it) => ({
      log: "c",
      ticker: it.ticker,
      position: {
        capital: 100,
        order_size: contracts(it),
        order_price: 60000,
        position: it.after,
        position_size: it.sizes[1],
        prev_position: it.before,
        prev_position_size: it.sizes[0]
      }
    }),
    ...STATED
  },
  {
    source: "Just-Trades13/Just-Trades: sizes before and after, the position after only",
    body: (it) => ({
      ticker: it.ticker,
      price: 60000,
      action: it.action,
      market_position: it.after,
      position_size: signed(it),
      prev_position_size: it.sizes[0],
      quantity: contracts(it)
    }),
    ...STATED
  },
  {
    source: "docs.traderspost.io, webhooks: the sentiment",
    body: (it) => ({ ticker: it.ticker, action: it.action, sentiment: it.after, quantity: contracts(it) }),
    ...AFTER_ONLY
  },
  {
    source: "a copy-trading guide: the position after as position",
    body: (it) => ({
      action: it.action,
      ticker: it.ticker,
      contracts: contracts(it),
      price: 60000,
      position: it.after,
      time: "2026-01-01T00:00:00Z"
    }),
    ...AFTER_ONLY
  }
]
