import { Effect } from "effect"
import { Account, Memory, Strategies, type StrategyDraft } from "signalbox"

const draft: StrategyDraft = {
  name: "Mine", description: "", active: true, public: false,
  default_quote_currency: "USDT", default_exchange_name: "binance", buy_percentage: 10,
  stop_loss: true, stop_loss_percentage: 5,
  exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT"] }]
}
const misspelt = { ...draft, ...{ stop_los: true } }

const program = Effect.gen(function* () {
  const strategies = yield* Strategies
  const account = Account.AccountId.make(1)
  const { strategy_id } = yield* strategies.create(account, draft)
  yield* strategies.update(account, strategy_id, { stop_loss_percentage: 4 })
  const refused = yield* Effect.flip(strategies.create(account, misspelt))
  // { stop_los: ["no strategy has this field: did you mean stop_loss?"] }
  return refused._tag === "Violations" ? refused.errors : refused.message
})
console.log(await Effect.runPromise(program.pipe(Effect.provide(Memory.layer()))))
