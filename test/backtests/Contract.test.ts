// The one contract suite of `Backtester`, over the layer in memory and over child processes.
import { expect, test } from "bun:test"
import { Effect, Layer, ManagedRuntime } from "effect"
import * as Children from "../../src/backtests/Children.ts"
import { AccountId } from "../../src/domain/Account.ts"
import * as Memory from "../../src/Memory.ts"
import { Backtester } from "../../src/services/Backtester.ts"
import * as MemoryBacktester from "../../src/services/backtest/MemoryBacktester.ts"
import { Decisions } from "../../src/services/engine/Decisions.ts"
import { Meters } from "../../src/services/health/Meters.ts"
import * as Contract from "../../src/testing/Contract.ts"
import { suite } from "../../src/testing/contracts/Backtester.ts"
import { strategyRequest } from "../../src/testing/Fixtures.ts"
import { veto } from "../../src/trading/OwnDecisions.ts"
import * as Own from "../lib/ownVenue.ts"
import { STRATEGY } from "../lib/strategy.ts"
import { wave } from "./prices.ts"

const ports = Layer.merge(Memory.ports, Meters.layer)
const inMemory = Layer.provideMerge(MemoryBacktester.layer, ports)
const inChildren = Layer.provideMerge(Children.layer({ database: "none.db" }), ports)

Contract.tests(suite, inMemory, test)
Contract.tests(suite, inChildren, (name, run) => test(`${name}, in child processes`, run, 60_000), {
  clock: "real"
})

test("a child process takes the venues that its server lists, and no others", async () => {
  const request = {
    strategy: { ...STRATEGY, ...Own.settings },
    candles: [{ pair: "BTC/CHF", csv: wave(Date.UTC(2026, 10, 1), 100) }]
  }
  const body = Effect.sync(() => new TextEncoder().encode(JSON.stringify(request)))
  const run = Effect.flatMap(Backtester, (backtester) => backtester.run(AccountId.make(1), body))
  const listing = ManagedRuntime.make(
    Layer.provide(
      Children.layer({ database: "none.db" }),
      Memory.layerWith(Layer.merge(Own.venues, Own.markets))
    )
  )
  expect(JSON.parse(await listing.runPromise(run))).toMatchObject({ charts: [{ exchange: "my-dex" }] })
  await listing.dispose()
  const other = ManagedRuntime.make(inChildren)
  expect(await other.runPromise(Effect.flip(run))).toMatchObject({
    errors: { "strategy.default_quote_currency": ["must be one of USDT, BTC, ETH, USD"] }
  })
  await other.dispose()
}, 60_000)

const BEGAN = Date.UTC(2025, 0, 1)

test("a child process has no own decisions, and says so", async () => {
  const time = (minute: number) => BEGAN + minute * 60_000
  const body = {
    strategy: strategyRequest(),
    candles: [{ pair: "BTC/USDT", csv: [0, 1, 2].map((it) => `${time(it)},100,100,100,100,1`).join("\n") }],
    alerts: { text: JSON.stringify({ time: time(1), coin: "BTC", quote_currency: "USDT", type: "buy" }) }
  }
  const bytes = Effect.succeed(new TextEncoder().encode(JSON.stringify(body)))
  const owned = Layer.provide(inChildren, Decisions.with({ entry: () => veto("never") }))
  const account = AccountId.make(1)
  const text = await Effect.runPromise(
    Effect.provide(
      Effect.flatMap(Backtester, ({ run }) => run(account, bytes)),
      owned
    )
  )
  const { open, warnings } = JSON.parse(text)
  expect(warnings).toMatchObject([{ code: "own_decisions" }])
  expect(open).toHaveLength(1)
}, 60_000)
