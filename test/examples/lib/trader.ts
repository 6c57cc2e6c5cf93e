// What the examples share: somebody who trades, with a signal and a strategy that follows it.
import { Effect } from "effect"
import { Account, Alert, Alerts, Market, PriceEvent, PriceFeed, Signals, Strategies, Ticker } from "signalbox"

export const me = {
  account: Account.AccountId.make(1),
  token: Account.TokenId.make(1),
  scope: "full" as const
}

export const settings = {
  ...{
    name: "Mine",
    description: "",
    active: true,
    public: false,
    buy_percentage: 50,
    sell_minprofitpercent: 1
  },
  ...{ default_quote_currency: "USDT", default_exchange_name: "binance" },
  exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT"] }]
}

/** A signal, and a strategy with these settings that follows it. */
export const begin = (more: object = {}) =>
  Effect.gen(function* () {
    const draft = { name: "Mine", description: "", active: true, public: false }
    const signal = yield* (yield* Signals).create(me.account, draft)
    const asked = { ...settings, signal_id: signal.id, ...more }
    return { signal: signal.id, strategy: (yield* (yield* Strategies).create(me.account, asked)).strategy_id }
  })

/** The same, then an alert to buy and the prices that follow: how the strategy did. */
export const trade = (prices: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const { signal, strategy } = yield* begin()
    yield* (yield* Alerts).receive(me, Alert.instruction(signal, "BTC", "USDT", "buy"), {})
    const market = { exchange: "binance", pair: Market.Pair.make("BTC/USDT"), kind: "spot" } as const
    for (const price of prices) {
      const ticker = Ticker.ofLast(price, Date.now())
      yield* (yield* PriceFeed).publish([PriceEvent.Quoted({ market, ticker })])
    }
    return yield* (yield* Strategies).get(me.account, strategy)
  })
