// The typed client, from the contract alone: nothing of the server stands behind "signalbox/api/client".
import assert from "node:assert/strict"
import { FetchHttpClient } from "@effect/platform"
import { Effect, Layer, ManagedRuntime, Option } from "effect"
import { Accounts, Memory, Signal, type StrategyDraft, type StrategyPatch } from "signalbox"
import * as Client from "signalbox/api/client"
import { Http } from "signalbox/http"
import { listen } from "./lib/nodeServer.ts"

// A server in memory, as it might run somewhere else, without its limits of requests a second.
const server = ManagedRuntime.make(
  Http.layer().pipe(Layer.provideMerge(Memory.layer({ rates: { crud: 0, alert: 0 } })))
)
const { handle } = await server.runPromise(Http)
const { url, close } = await listen(handle)
const { secret } = await server.runPromise(
  Effect.flatMap(Accounts, (accounts) => accounts.issue("me", "full", Option.none()))
)

const draft: StrategyDraft = {
  name: "Mine",
  description: "",
  active: true,
  public: false,
  default_quote_currency: "USDT",
  default_exchange_name: "binance",
  buy_percentage: 10,
  stop_loss: true,
  stop_loss_percentage: 5,
  exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT"] }]
}

const calls = Effect.gen(function* () {
  const client = yield* Client.make({ baseUrl: url, token: secret })
  const signal = yield* client.signals.create({
    payload: { name: "Mine", description: "", active: true, public: false }
  })
  const { data } = yield* client.signals.list()
  assert.deepEqual(data, [signal])
  const strategy = yield* client.strategies.create({ payload: { ...draft, signal_id: signal.id } })
  assert.deepEqual(strategy.exchanges, draft.exchanges)
  // @ts-expect-error a field that no strategy has does not compile
  const misspelt: StrategyPatch = { stop_los: true }
  assert.deepEqual(Object.keys(misspelt), ["stop_los"])
  // Errors are values. Their code tells them apart, and each has the fields of its code.
  const update = client.strategies.update({
    path: { id: strategy.strategy_id },
    payload: { strategy_dca_switch: true }
  })
  const refused = yield* Effect.flip(update)
  assert(refused._tag === "Problem" && refused.code === "invalid_request")
  const missing = yield* Effect.flip(client.signals.get({ path: { id: Signal.SignalId.make(99) } }))
  assert(missing._tag === "Problem" && missing.code === "not_found" && missing.status === 404)
  return `signal ${signal.id} was made and listed; DCA lacks ${Object.keys(refused.errors).join(", ")}; of signal 99 the server says "${missing.detail}"`
})

const text = await Effect.runPromise(calls.pipe(Effect.provide(FetchHttpClient.layer)))
await close()
await server.dispose()
console.log(text)
