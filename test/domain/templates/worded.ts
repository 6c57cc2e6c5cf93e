import { BEFORE_ONLY, contracts, REFUSED, signed, type Template } from "./changes.ts"

/** Messages in other words: orders with a side, commands, and texts. */
export const WORDED: ReadonlyArray<Template> = [
  {
    source: "tickerly.net, standard alert message: the position before only",
    body: (it) => ({
      ticker: it.ticker,
      action: it.action,
      prev_position: it.before,
      quantity: contracts(it),
      pointer: "p"
    }),
    ...BEFORE_ONLY
  },
  {
    source: "legkvla/tradingview-webhook-mqtt: dashes, the position before only",
    body: (it) => ({
      data: {
        "strategy-order-action": it.action,
        "strategy-order-price": 1.1234,
        "strategy-id": "s1",
        ticker: it.ticker,
        "strategy-prev_market_position": it.before
      }
    }),
    ...BEFORE_ONLY
  },
  {
    source: "OpenAlgo and Pionex: the signed size after only",
    body: (it) => ({
      symbol: it.ticker,
      data: { action: it.action, contracts: contracts(it), position_size: String(signed(it)) },
      price: "60000"
    }),
    // A size above 0 may be an order's: then the action alone is left.
    spot: "buy sell sell sell sell buy sell sell buy sell",
    swap: "buy close_long short close_short short buy sell - buy short"
  },
  {
    source: "sizes as absolute numbers, and no side",
    body: (it) => ({
      ticker: it.ticker,
      action: it.action,
      market_position_size: it.sizes[1],
      prev_market_position_size: it.sizes[0]
    }),
    spot: "buy sell sell sell sell - - - - sell",
    swap: "long close_long short close_short - - - - - -"
  },
  {
    source: "binance-docs.github.io, a new order in hedge mode",
    body: (it) => ({
      symbol: it.ticker,
      side: it.action.toUpperCase(),
      positionSide: (it.action === "buy" ? it.after === "long" : it.before === "long") ? "LONG" : "SHORT",
      type: "MARKET",
      quantity: String(contracts(it))
    }),
    spot: "buy sell sell sell sell buy sell sell buy sell",
    swap: "long close_long short close_short close_long long close_long close_short long short"
  },
  {
    source: "www.octobot.cloud/guides/octobot-interfaces/tradingview/alert-format, with REDUCE_ONLY",
    body: (it) =>
      [
        "EXCHANGE=BINANCE",
        `SYMBOL=${it.ticker}`,
        `SIGNAL=${it.action.toUpperCase()}`,
        "ORDER_TYPE=LIMIT",
        `VOLUME=${contracts(it)}`,
        "PRICE=60000",
        `REDUCE_ONLY=${it.after === "flat" || it.sizes[1] < it.sizes[0]}`
      ].join("\n"),
    spot: "buy sell sell sell sell buy sell sell buy sell",
    swap: "buy close_long sell close_short sell buy close_long close_short buy sell"
  },
  {
    source: "the platform's own words for an order that closes, as id and comment",
    wholeOnly: true,
    body: (it) => ({
      ticker: it.ticker,
      action: it.action,
      comment: it.after === "flat" ? `Close entry(s) order ${it.before}` : it.name,
      contracts: contracts(it)
    }),
    spot: "buy sell sell sell sell buy . . buy sell",
    swap: "buy close_long sell close_short sell buy . . buy sell"
  },
  {
    source: "help.3commas.io/en/articles/8894481, custom signals; OKX section B",
    wholeOnly: true,
    body: (it) => ({
      secret: "x",
      tv_instrument: it.ticker,
      action: it.after === "flat" ? `exit_${it.before}` : `enter_${it.after}`,
      order: { amount: "100", currency_type: "margin_percent" }
    }),
    spot: "long close_long short close_short short long . . long short",
    swap: "long close_long short close_short short long . . long short"
  },
  {
    source: "support.altrady.com, webhook signals: open, close, increase, reverse",
    wholeOnly: true,
    body: (it) => ({
      api_key: "k",
      api_secret: "x",
      exchange: "BINA",
      symbol: it.ticker,
      side: it.after === "flat" ? it.before : it.after,
      action:
        it.after === "flat"
          ? "close"
          : it.before === "flat"
            ? "open"
            : it.before !== it.after
              ? "reverse"
              : it.sizes[1] > it.sizes[0]
                ? "increase"
                : "",
      order_type: "market"
    }),
    spot: "long close_long short close_short - - . . long short",
    swap: "long close_long short close_short - - . . long short"
  },
  {
    source: "wundertrading.com, comments of a signal bot",
    wholeOnly: true,
    body: (it) => ({
      code: `${it.after === "flat" ? `EXIT-${it.before}` : `ENTER-${it.after}`}_BINANCE-FUTURES_${it.ticker}_Bot_1H_ab12`.toUpperCase(),
      orderType: "market",
      amountPerTrade: 0.1,
      leverage: 5
    }),
    spot: "long close_long short close_short short long . . long short",
    swap: "long close_long short close_short short long . . long short"
  },
  {
    source: "docs.freqtrade.io, webhook: a message of one's own",
    wholeOnly: true,
    body: (it) => ({
      pair: "BTC/USDT",
      type: it.after === "flat" ? "exit" : "entry",
      direction: it.after === "flat" ? it.before : it.after,
      stake_amount: 100
    }),
    spot: "long close_long short close_short short long . . long short",
    swap: "long close_long short close_short short long . . long short"
  },
  {
    source: "docs.freqtrade.io, webhook: the message of the example",
    body: (it) => ({ value1: `Buying ${it.ticker}`, value2: "limit 60000.00000000", value3: "100 USDT" }),
    ...REFUSED
  },
  {
    source: "alertatron.com/docs, basic concepts",
    body: (it) => `MyKeys(${it.ticker}) { market(side=${it.action}, amount=100); } #bot`,
    ...REFUSED
  },
  {
    source: "use.autoview.com, building commands; profitview.app has the like",
    body: (it) =>
      it.after === "flat"
        ? `a=me e=binance c=position s=${it.ticker} b=${it.before} t=market`
        : `a=me e=binance s=${it.ticker} b=${it.action} q=5% t=market`,
    ...REFUSED
  },
  {
    source: "Cornix, a signal as text",
    body: (it) =>
      `Exchange: Binance Futures\nSignal: ${it.after}\nPair: ${it.ticker}\nEntry: 60000\nLeverage: 5x`,
    ...REFUSED
  },
  {
    source: "a webhook-to-broker help page: the position after as a command",
    body: (it) => `Password\n${it.after} ${it.ticker} q=0.06`,
    ...REFUSED
  }
]
