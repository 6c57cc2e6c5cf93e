// The one contract suite of `Backtester`, over the layer in memory and over child processes.
import { expect, test } from "bun:test"
import { Effect, Layer } from "effect"
import * as Children from "../../src/backtests/Children.ts"
import { AccountId } from "../../src/domain/Account.ts"
import * as Memory from "../../src/Memory.ts"
import { Backtester } from "../../src/services/Backtester.ts"
import { Decisions } from "../../src/services/engine/Decisions.ts"
import { Meters } from "../../src/services/health/Meters.ts"
import * as Contract from "../../src/testing/Contract.ts"
import { suite } from "../../src/testing/contracts/Backtester.ts"
import { strategyRequest } from "../../src/testing/Fixtures.ts"
import { veto } from "../../src/trading/OwnDecisions.ts"

const ports = Layer.merge(Memory.ports, Meters.layer)
const inMemory = Layer.provideMerge(Backtester.layerMemory, ports)
const inChildren = Layer.provideMerge(Children.layer({ database: "none.db" }), ports)

Contract.tests(suite, inMemory, test)
Contract.tests(suite, inChildren, (name, run) => test(`${name}, in child processes`, run, 60_000), {
  clock: "real"
})

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
