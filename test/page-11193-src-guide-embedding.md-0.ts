import { Effect } from "effect"
import { Account, Alert, Alerts, Market, Memory, PriceEvent, PriceFeed, Signals, Strategies, Ticker } from "signalbox"

const program = Effect.gen(function* () {
  const me = { account: Account.AccountId.make(1), token: Account.TokenId.make(1), scope: "full" as const }
  const signal = yield* (yield* Signals).create(me.account, { name: "Mine", description: "", active: true, public: false })
  const strategy = yield* (yield* Strategies).create(me.account, {
    name: "Mine", description: "", active: true, public: false, signal_id: signal.id, buy_percentage: 50,
    default_quote_currency: "USDT", default_exchange_name: "binance", sell_minprofitpercent: 1,
    exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT"] }]
  })
  const market = { exchange: "binance", pair: Market.Pair.make("BTC/USDT"), kind: "spot" } as const
  const price = (last: number) => PriceEvent.Quoted({ market, ticker: Ticker.ofLast(last, Date.now()) })
  const prices = yield* PriceFeed
  yield* (yield* Alerts).receive(me, Alert.instruction({ signalId: signal.id, coin: "BTC", quoteCurrency: "USDT", type: "buy" }), {})
  yield* prices.publish([price(60000)])
  yield* prices.publish([price(61000)])
  return (yield* (yield* Strategies).get(me.account, strategy.strategy_id)).performance.summary
})

console.log(await Effect.runPromise(program.pipe(Effect.provide(Memory.layer()))))
