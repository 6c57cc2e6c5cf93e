// The contract of `Backtester`: the same request gives the same result, and runs are limited for each account and in
// all.
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { Accounts } from "../../services/Accounts.ts"
import { Backtester } from "../../services/Backtester.ts"
import { Signals } from "../../services/Signals.ts"
import { StrategyStore } from "../../services/StrategyStore.ts"
import * as Contract from "../Contract.ts"
import { expect } from "../expect.ts"
import { settings, signalDraft, strategyRequest } from "../Fixtures.ts"
import { sender } from "./people.ts"

/**
 * The promises of `Backtester`, over a layer that knows BTC/USDT at binance. A back-test with files needs nothing of
 * the account. An implementer decodes no body before there is room, and makes room again however a run ends.
 */
export const suite = Contract.suite<Backtester | Accounts | Signals | StrategyStore>("Backtester", (it) => {
  it("the same request returns the same result", () =>
    Effect.gen(function* () {
      const { alice } = yield* scene
      const [one, two] = [yield* view(alice, request), yield* view(alice, request)]
      expect(one).toMatchObject({ candles: 60, alerts: 2, trades_total: 1, open: [], warnings: [] })
      expect({ ...one, elapsed_ms: 0 }).toEqual({ ...two, elapsed_ms: 0 })
    }))

  it("all violations of a request are reported together", () =>
    Effect.gen(function* () {
      const { alice } = yield* scene
      const broken = { ...request, candles: [{ pair: "BTC", csv: CANDLES }], balance: -1 }
      const refusal = yield* Effect.flip(tried(alice, JSON.stringify(broken)))
      expect(refusal).toMatchObject({
        _tag: "Violations",
        errors: {
          "candles[0].pair": ["must be a pair like BTC/USDT"],
          balance: ["must be an amount of 0 or more, at most 1e12"]
        }
      })
      const unknown = { ...request, candles: [{ pair: "NO/SUCH", csv: CANDLES }] }
      expect(yield* Effect.flip(tried(alice, JSON.stringify(unknown)))).toMatchObject({
        errors: { "candles[0].pair": ["is no market on binance"] }
      })
    }))

  it("a body that is no request is unreadable, and a deeply nested one is not parsed", () =>
    Effect.gen(function* () {
      const { alice } = yield* scene
      const nested = `{"strategy":${"[".repeat(32)}${"]".repeat(32)}}`
      for (const [body, message] of [
        ["{", "the body is not valid JSON"],
        ["[]", "the body must be one JSON object"],
        ["\ud800", "the body is not valid JSON"],
        [nested, "the body nests lists and objects deeper than 32 levels"],
        ["[".repeat(1_000_000), "the body nests lists and objects deeper than 32 levels"]
      ] as const)
        expect(yield* Effect.flip(tried(alice, body))).toMatchObject({ _tag: "BacktestUnreadable", message })
    }))

  it("a rule raises the alerts by itself, at the close of its candles", () =>
    Effect.gen(function* () {
      const { alice } = yield* scene
      const { alerts: _, ...rest } = request
      const ruled = yield* view(alice, { ...rest, rule: RULE })
      const { rule } = ruled
      expect(ruled).toMatchObject({ alerts: 1, open: [{ opened_at: (BEGAN + 15 * MINUTE) / 1000 }] })
      expect(rule).toMatchObject({
        timeframe: "5m",
        entries: [{ by: "on[0]", type: "buy", alerts: 1, withheld: 0 }],
        alerts: [{ at: (BEGAN + 15 * MINUTE) / 1000, close: 115, sl: 105, values: [{ text: "close" }] }]
      })
    }))

  it("a wrong rule is refused with its field and column, and so is one beside alerts", () =>
    Effect.gen(function* () {
      const { alice } = yield* scene
      const rule = { ...RULE, on: [{ type: "buy", when: "close >" }] }
      expect(yield* Effect.flip(tried(alice, JSON.stringify({ ...request, rule })))).toMatchObject({
        _tag: "Violations",
        errors: {
          rule: [
            "raises the alerts itself, in place of alerts: send one of the two",
            "on[0].when: column 8: expected a number, a name or ("
          ]
        }
      })
    }))

  it("a request reads only the caller's own signals", () =>
    Effect.gen(function* () {
      const { alice, bob } = yield* scene
      const signals = yield* Signals
      const { id } = yield* signals.create(alice, signalDraft())
      const body = { ...request, alerts: { recorded: "signal", id } }
      const refusal = yield* Effect.flip(tried(bob, JSON.stringify(body)))
      expect(refusal).toMatchObject({ _tag: "SignalNotFound" })
    }))

  it("only the account's own strategy is compared with its test, even where others may see it", () =>
    Effect.gen(function* () {
      const { alice, bob } = yield* scene
      const backtester = yield* Backtester
      const store = yield* StrategyStore
      const { id } = yield* store.create(alice, settings({ public: true }))
      const refused = (account: typeof alice, strategy: number) =>
        Effect.flip(backtester.compare(account, strategy, {}))
      expect(yield* refused(bob, id)).toMatchObject({ _tag: "StrategyNotFound" })
      expect(yield* refused(alice, id + 1)).toMatchObject({ _tag: "StrategyNotFound" })
      expect(yield* refused(alice, id)).toMatchObject({
        _tag: "NotCompared",
        message: "the strategy has done nothing yet: there is nothing to compare"
      })
      const running = yield* Effect.fork(backtester.run(alice, Effect.never))
      yield* Effect.yieldNow()
      expect(yield* refused(alice, id)).toMatchObject({ _tag: "BacktestBusy", whose: "account" })
      yield* Fiber.interrupt(running)
    }))

  it("only the account's own strategy is tried with other settings, by a request without violations", () =>
    Effect.gen(function* () {
      const { alice, bob } = yield* scene
      const backtester = yield* Backtester
      const { id } = yield* (yield* StrategyStore).create(alice, settings({ public: true }))
      const refused = (account: typeof alice, strategy: number, body: object) =>
        Effect.flip(backtester.whatIf(account, strategy, Effect.succeed({ ...body })))
      const fine = { changes: { buy_percentage: 20 } }
      expect(yield* refused(bob, id, fine)).toMatchObject({ _tag: "StrategyNotFound" })
      expect(yield* refused(alice, id + 1, fine)).toMatchObject({ _tag: "StrategyNotFound" })
      expect(yield* refused(alice, id, { changes: { stop_loss_percent: 20 }, from: -1 })).toMatchObject({
        _tag: "Violations",
        errors: {
          "changes.stop_loss_percentage": [
            "send this setting as stop_loss_percentage, not as stop_loss_percent"
          ],
          from: ["must be whole seconds since the Unix epoch"]
        }
      })
      expect(yield* refused(alice, id, fine)).toMatchObject({ _tag: "NotCompared" })
      const running = yield* Effect.fork(backtester.run(alice, Effect.never))
      yield* Effect.yieldNow()
      const unread = backtester.whatIf(alice, id, Effect.dieMessage("this body is not to be read"))
      expect(yield* Effect.flip(unread)).toMatchObject({ _tag: "BacktestBusy", whose: "account" })
      yield* Fiber.interrupt(running)
    }))

  it("an account has one run at a time, whose second body is not read; slow senders leave room for others", () =>
    Effect.gen(function* () {
      const { alice, bob, carol } = yield* scene
      const backtester = yield* Backtester
      const begin = (account: typeof alice) => Effect.fork(backtester.run(account, Effect.never))
      const refused = (account: typeof alice) =>
        Effect.flip(backtester.run(account, Effect.dieMessage("this body is not to be read")))
      const first = yield* begin(alice)
      const second = yield* begin(bob)
      yield* Effect.yieldNow()
      expect(yield* refused(alice)).toMatchObject({ _tag: "BacktestBusy", whose: "account" })
      expect(yield* view(carol, request)).toMatchObject({ trades_total: 1 })
      yield* Fiber.interrupt(first)
      yield* Fiber.interrupt(second)
      // Failed and interrupted runs leave no trace.
      yield* Effect.flip(backtester.run(carol, Effect.fail("the body did not come")))
      expect(yield* view(carol, request)).toMatchObject({ trades_total: 1 })
    }))
})

const BEGAN = 1_735_689_600_000
const MINUTE = 60_000

/** Up by a quote unit a minute. */
const CANDLES = Array.from({ length: 60 }, (_, index) => {
  const [open, close] = [100 + index, 101 + index]
  return `${BEGAN + index * MINUTE},${open},${close},${open},${close},1`
}).join("\n")

const alert = (minute: number, type: string) =>
  JSON.stringify({ time: BEGAN + minute * MINUTE, coin: "BTC", quote_currency: "USDT", type })

const request = {
  strategy: strategyRequest(),
  candles: [{ pair: "BTC/USDT", csv: CANDLES }],
  alerts: { text: `${alert(1, "buy")}\n${alert(30, "sell")}` }
}

const RULE = {
  markets: [{ exchange: "binance", pairs: ["BTC/USDT"] }],
  timeframe: "5m",
  on: [{ type: "buy", when: "close > 112", sl: "close - 10" }]
}

const scene = Effect.gen(function* () {
  const [alice, bob, carol] = [yield* sender("alice"), yield* sender("bob"), yield* sender("carol")]
  return { alice: alice.account, bob: bob.account, carol: carol.account }
})

type Account = Effect.Effect.Success<typeof scene>["alice"]

const tried = (account: Account, body: string) =>
  Effect.flatMap(Backtester, (backtester) =>
    backtester.run(account, Effect.succeed(new TextEncoder().encode(body)))
  )

const view = (account: Account, body: object) =>
  Effect.map(tried(account, JSON.stringify(body)), (json): Record<string, unknown> => JSON.parse(json))
