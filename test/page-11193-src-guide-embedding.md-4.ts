import { Effect, TestClock, TestContext } from "effect"
import { Account, Alert, Alerts, Memory, Signals, Strategies } from "signalbox"

const program = Effect.gen(function* () {
  const me = { account: Account.AccountId.make(1), token: Account.TokenId.make(1), scope: "full" as const }
  const signal = yield* (yield* Signals).create(me.account, { name: "Mine", description: "", active: true, public: false })
  yield* (yield* Strategies).create(me.account, {
    name: "Mine", description: "", active: true, public: false, signal_id: signal.id, buy_percentage: 50,
    default_quote_currency: "USDT", default_exchange_name: "binance",
    exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT"] }]
  })
  const buy = Alert.instruction({ signalId: signal.id, coin: "BTC", quoteCurrency: "USDT", type: "buy" })
  const { id } = yield* (yield* Alerts).receive(me, buy, {})
  yield* TestClock.adjust("365 days")
  const { outcomes } = yield* (yield* Alerts).get(me.account, id)
  return outcomes.map(({ at, reason }) => `${reason} after ${at} ms`)
})

console.log(await Effect.runPromise(program.pipe(Effect.provide(Memory.layer()), Effect.provide(TestContext.TestContext))))
