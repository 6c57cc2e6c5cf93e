// What the examples share: somebody who trades, with a signal and a strategy that follows it.
import { Effect } from "effect"
import {
  Account,
  Alert,
  Alerts,
  Market,
  PriceEvent,
  PriceFeed,
  Signals,
  Strategies,
  type StrategyDraft,
  type StrategyPatch,
  Ticker
} from "signalbox"

export const me = {
  account: Account.AccountId.make(1),
  token: Account.TokenId.make(1),
  scope: "full" as const
}

export const settings: StrategyDraft = {
  name: "Mine",
  description: "",
  active: true,
  public: false,
  buy_percentage: 50,
  sell_minprofitpercent: 1,
  default_quote_currency: "USDT",
  default_exchange_name: "binance",
  exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT"] }]
}

/** A signal, and a strategy with these settings that follows it. */
export const begin = (more: StrategyPatch = {}) =>
  Effect.gen(function* () {
    const draft = { name: "Mine", description: "", active: true, public: false }
    const signal = yield* (yield* Signals).create(me.account, draft)
    const asked = { ...settings, signal_id: signal.id, ...more }
    return { signal: signal.id, strategy: (yield* (yield* Strategies).create(me.account, asked)).strategy_id }
  })

/** The market of bitcoin stands at this price now. */
export const price = (last: number) =>
  Effect.flatMap(PriceFeed, (feed) => {
    const market = { exchange: "binance", pair: Market.Pair.make("BTC/USDT"), kind: "spot" } as const
    return feed.publish([PriceEvent.Quoted({ market, ticker: Ticker.ofLast(last, Date.now()) })])
  })

/** The strategy begins, is told to buy, and sees these prices; the last again and again until it has sold. */
export const trade = (...prices: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const { signal, strategy } = yield* begin()
    yield* (yield* Alerts).receive(
      me,
      Alert.instruction({ signalId: signal, coin: "BTC", quoteCurrency: "USDT", type: "buy" }),
      {}
    )
    yield* Effect.forEach(prices, price)
    const { get } = yield* Strategies
    return yield* price(prices.at(-1) ?? 1).pipe(
      Effect.zipRight(Effect.sleep("20 millis")),
      Effect.zipRight(get(me.account, strategy)),
      Effect.repeat({ until: ({ performance }) => performance.summary.trade_count > 0 }),
      Effect.timeout("10 seconds")
    )
  })
