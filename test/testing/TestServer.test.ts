// The test server as embedders use it.
import { expect, test } from "bun:test"
import { Cause, Effect } from "effect"
import { Signals } from "../../src/services/Signals.ts"
import * as PriceScript from "../../src/testing/PriceScript.ts"
import * as Scripted from "../../src/testing/ScriptedExchange.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import { expectTimeline } from "../../src/testing/Timelines.ts"

test("a script of prices and alerts gives the expected timeline", () =>
  TestServer.run(
    {
      strategies: [{ stop_loss: true, stop_loss_percentage: 5 }],
      prices: PriceScript.parse(`
        t=0     60000
        t=0     buy
        t=45m   58000
        t=1h    57000
        t=1h1m  sell
      `)
    },
    (server) =>
      Effect.gen(function* () {
        yield* server.play()
        yield* expectTimeline(
          server.strategy,
          `t=0    | alert  | Alert 1 said buy BTC/USDT...
           t=0    | opened | Ordered to buy...BTC/USDT at 60000.
           t=0    | order_filled | Bought...BTC/USDT at 60000.
           t=1h   | closed | ...stop loss of 5 %...
           t=1h   | trade
           t=1h1m | alert  | ...ignored, there is no position to close.`
        )
        expect(yield* server.strategy.holds).toEqual([])
        expect((yield* server.strategy.trades).map(({ exitReason }) => exitReason)).toEqual(["stop_loss"])
      })
  ))
test("a script written step by step meets levels on its way, at their prices", () =>
  TestServer.run(
    {
      strategies: [{ stop_loss: true, stop_loss_percentage: 5 }],
      prices: PriceScript.start(100)
        .alert("buy")
        .to(110, "1 hour")
        .alert({ type: "sell" })
        .alert("buy")
        .to(90, "1 hour")
    },
    (server) =>
      Effect.gen(function* () {
        yield* server.play()
        const trades = yield* server.strategy.trades
        expect(trades.map(({ entryPrice, exitReason }) => `${entryPrice} ${exitReason}`)).toEqual([
          "100 signal",
          "110 stop_loss"
        ])
        // A price a minute: the first one at or below the stop at 104.5.
        expect(trades[1]?.exitPrice).toBeCloseTo(104.333, 2)
        expect(trades[1]?.closedAt).toBe(77 * 60_000)
      })
  ))

test("an unexpected timeline is shown beside the expected one", () =>
  TestServer.run({}, (server) =>
    Effect.gen(function* () {
      yield* server.price(100)
      yield* server.alert("buy")
      const compared = expectTimeline(server.strategy, "t=0 | alert | ...\nt=0 | averaged\nt=45m | closed")
      const flaw = yield* Effect.flip(Effect.sandbox(compared))
      expect(String(Cause.squash(flaw))).toBe(
        [
          "Unexpected: the timeline is not as expected (- expected, + found):",
          "  t=0   | alert        | Alert 1 said buy BTC/USDT: an entry is ordered.",
          "- t=0   | averaged",
          "- t=45m | closed",
          "+ t=0   | opened       | Ordered to buy 10 BTC on BTC/USDT at 100.",
          "+ t=0   | order_filled | Bought 10 BTC on BTC/USDT at 100."
        ].join("\n")
      )
    })
  ))

test("requests over HTTP carry the token unless the test says otherwise", () =>
  TestServer.run({ signals: [{ name: "Mine" }, { name: "Other" }] }, (server) =>
    Effect.gen(function* () {
      const answer = yield* Effect.promise(() => server.fetch("/v1/signals"))
      expect(answer.status).toBe(200)
      expect(yield* Effect.promise(() => answer.text())).toContain("Other")
      const made = yield* Effect.promise(() =>
        server.fetch("/v1/signals", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ name: "New", description: "x", active: true, public: false })
        })
      )
      expect(made.status).toBe(201)
      expect((yield* (yield* Signals).list(server.identity.account, {})).length).toBe(3)
      const refused = yield* Effect.promise(() =>
        server.fetch("/v1/signals", { headers: { authorization: "Bearer no" } })
      )
      expect(refused.status).toBe(401)
    })
  ))

test("orders go to the scripted exchange, which does as it is told", () => {
  const exchange = Scripted.make(Scripted.appearsAfter(20_000), Scripted.rejects("no"))
  return TestServer.run({ exchange: exchange.layer }, (server) =>
    Effect.gen(function* () {
      yield* server.price(100)
      yield* server.alert("buy")
      expect(yield* server.strategy.holds).toEqual(["BTC/USDT spot nothing with an order entry"])
      yield* server.pass("25 seconds")
      expect(yield* server.strategy.holds).toEqual(["BTC/USDT spot long 10 @ 100"])
      expect(exchange.sent.length).toBe(1)
    })
  )
})
