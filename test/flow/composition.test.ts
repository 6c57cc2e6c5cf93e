// What the two servers are composed of: the runtime's hash, the defaults in memory, and ports of an embedder's own.
import { expect, spyOn } from "bun:test"
import { join } from "node:path"
import { Cause, Context, Effect, Layer } from "effect"
import { instruction } from "../../src/domain/Alert.ts"
import type { AlertPost } from "../../src/domain/alert/Incoming.ts"
import type { SignalId } from "../../src/domain/Signal.ts"
import * as Memory from "../../src/Memory.ts"
import * as Server from "../../src/Server.ts"
import { Alerts } from "../../src/services/Alerts.ts"
import { Bots } from "../../src/services/Bots.ts"
import { Candles } from "../../src/services/feeds/Candles.ts"
import { Journal } from "../../src/services/Journal.ts"
import * as PriceFeed from "../../src/services/PriceFeed.ts"
import { Signals } from "../../src/services/Signals.ts"
import { Strategies } from "../../src/services/Strategies.ts"
import * as Fixtures from "../../src/testing/Fixtures.ts"
import { DEFAULT_PATIENCE } from "../../src/trading/AlertPatience.ts"
import { it } from "../lib/effect.ts"
import { DEFAULTS } from "../lib/options.ts"
import { folder, sender } from "../services/ports.ts"

const ann = Effect.gen(function* () {
  const identity = yield* sender("ann")
  const signal = yield* (yield* Signals).create(identity.account, Fixtures.signalDraft())
  return { identity, signal: signal.id }
})

const keyed = (signal: SignalId): AlertPost => {
  const text = JSON.stringify({ signal_id: signal, coin: "BTC", quote_currency: "USDT", type: "buy" })
  return {
    ...{ door: "alert", contentType: "application/json", idempotencyKey: "once", query: "" },
    ...{ text, body: text, warnings: [] }
  }
}

it.effect("the server hashes the keys of alerts with the runtime's own hash", () =>
  Effect.gen(function* () {
    const db = join(yield* folder, "signalbox.db")
    const server = Server.domain({ ...DEFAULTS, db }, DEFAULT_PATIENCE).pipe(
      Layer.provide(Layer.merge(PriceFeed.layer("by hand"), Candles.layerNone))
    )
    yield* Effect.gen(function* () {
      const { identity, signal } = yield* ann
      const hasher = spyOn(Bun.CryptoHasher.prototype, "update")
      yield* (yield* Alerts).post(identity, keyed(signal))
      const calls = hasher.mock.calls.length
      hasher.mockRestore()
      // The body and its key.
      expect(calls).toBe(2)
    }).pipe(Effect.provide(server))
  })
)

it.effect("an option of the server in memory that is undefined has its default", () =>
  Effect.gen(function* () {
    const options: object = { maxPairs: undefined, paper: undefined, patience: undefined, rates: undefined }
    yield* Effect.gen(function* () {
      const { identity, signal } = yield* ann
      const request = Fixtures.strategyRequest({ signal_id: signal })
      const made = yield* (yield* Strategies).create(identity.account, request)
      expect(made.signal_id).toBe(signal)
      const buy = instruction({ signalId: signal, coin: "BTC", quoteCurrency: "USDT", type: "buy" })
      expect(yield* (yield* Alerts).preview(identity, buy)).toHaveLength(1)
    }).pipe(Effect.provide(Memory.layer(options)))
  })
)

it.effect("a journal that is a class of an embedder's own keeps its fields when alerts are appended", () =>
  Effect.gen(function* () {
    const journal = Layer.effect(
      Journal,
      Effect.map(Journal, (inner) => ({
        ...inner,
        inner,
        offer(...draft: Parameters<typeof inner.offer>) {
          this.inner.offer(...draft)
        }
      }))
    )
    yield* Effect.gen(function* () {
      const { identity, signal } = yield* ann
      const buy = instruction({ signalId: signal, coin: "BTC", quoteCurrency: "USDT", type: "buy" })
      const received = yield* (yield* Alerts).receive(identity, buy, {})
      expect(received._tag).toBe("Recorded")
    }).pipe(Effect.provide(Memory.layerWith(journal)))
  })
)

/** An app's own service over a server. */
class App extends Context.Tag("App")<App, typeof Bots.Service>() {}
const app = Layer.effect(App, Bots)

it.effect("the layer in memory, listed twice in one graph, is one server", () =>
  Effect.gen(function* () {
    expect(yield* App).toBe(yield* Bots)
    const { identity, signal } = yield* ann
    const request = Fixtures.strategyRequest({ signal_id: signal })
    yield* (yield* Strategies).create(identity.account, request)
    const buy = instruction({ signalId: signal, coin: "BTC", quoteCurrency: "USDT", type: "buy" })
    expect(yield* (yield* Alerts).preview(identity, buy)).toHaveLength(1)
  }).pipe(Effect.provide(Layer.merge(Layer.provide(app, Memory.layer()), Memory.layer())))
)

it.effect(
  "two servers in memory with options of their own are refused in one graph, and one after the other is fine",
  () =>
    Effect.gen(function* () {
      const server = (maxPairs: number) => Layer.build(Memory.layer({ maxPairs }))
      const both = Layer.build(Layer.merge(Memory.layer({ maxPairs: 5 }), Memory.layerWith(Layer.empty)))
      const cause = yield* Effect.flip(Effect.sandbox(Effect.scoped(both)))
      expect(Cause.pretty(cause)).toContain("Memory.layer is twice in one graph")
      yield* Effect.scoped(server(5))
      yield* Effect.scoped(Effect.zip(server(5), server(6)))
    })
)
