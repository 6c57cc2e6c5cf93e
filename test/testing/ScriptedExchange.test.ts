// Bots at the scripted exchange, for each of its faults.
import { expect, test } from "bun:test"
import { Effect } from "effect"
import * as Decimal from "../../src/domain/Decimal.ts"
import * as Scripted from "../../src/testing/ScriptedExchange.ts"
import * as TestServer from "../../src/testing/TestServer.ts"

const WHOLE = "BTC/USDT spot long 10 @ 100"
const WAITS = "BTC/USDT spot nothing with an order entry"

// What a bot that buys 10 at 100 holds at once, and after a minute, by what the exchange makes of its order.
const acts: ReadonlyArray<readonly [string, Scripted.Act, string, string]> = [
  ["all goes well", {}, WHOLE, WHOLE],
  ["at another price", Scripted.fills(101), "BTC/USDT spot long 10 @ 101", "BTC/USDT spot long 10 @ 101"],
  ["in two parts", Scripted.fillsInParts(2, 10_000), "BTC/USDT spot long 5 @ 100 with an order entry", WHOLE],
  ["partly", Scripted.fillsPartly(0.4), "BTC/USDT spot long 4 @ 100", "BTC/USDT spot long 4 @ 100"],
  ["open for ever", Scripted.accepts, WAITS, WAITS],
  ["rejected", Scripted.rejects(), "", ""],
  ["the answer is lost", Scripted.losesAnswer, WAITS, WHOLE],
  ["no answer ever", Scripted.neverAnswers, WAITS, WHOLE],
  ["it appears late", Scripted.appearsAfter(20_000), WAITS, WHOLE],
  ["late and repeated fills", Scripted.tellsBadly, "BTC/USDT spot long 5 @ 100 with an order entry", WHOLE]
]

test.each(acts)("a scripted exchange answers an order as told: %s", (_, act, first, second) => {
  const exchange = Scripted.make(act)
  return TestServer.run({ exchange: exchange.layer }, (server) =>
    Effect.gen(function* () {
      yield* server.price(100)
      yield* server.alert("buy")
      expect((yield* server.strategy.holds).join(", ")).toBe(first)
      yield* server.pass("1 minute")
      expect((yield* server.strategy.holds).join(", ")).toBe(second)
      expect(exchange.sent.length).toBe(1)
    })
  )
})

test("an order that was lost on its way is given up in the end, and never sent again", () => {
  const exchange = Scripted.make(Scripted.losesOrder)
  return TestServer.run({ exchange: exchange.layer }, (server) =>
    Effect.gen(function* () {
      yield* server.price(100)
      yield* server.alert("buy")
      yield* server.pass("1 hour")
      expect(yield* server.strategy.holds).toEqual([])
      expect(exchange.sent.length).toBe(1)
      expect((yield* server.strategy.timeline).map(({ rule }) => rule)).toContain("order_missing")
    })
  )
})

test("a test fills or cancels an open order by hand, and an exchange that rejects orders trades nothing", () => {
  const exchange = Scripted.make(Scripted.accepts, Scripted.accepts)
  return TestServer.run({ exchange: exchange.layer }, (server) =>
    Effect.gen(function* () {
      yield* server.price(100)
      yield* server.alert("buy")
      yield* server.alert("buy", { pair: "ETH/USDT" })
      yield* server.price(100, { pair: "ETH/USDT" })
      const [first, second] = exchange.sent
      if (first === undefined || second === undefined) throw new Error("two orders were to be sent")
      yield* exchange.fill(first, 99)
      yield* exchange.cancel(second)
      yield* server.pass("10 seconds")
      expect(yield* server.strategy.holds).toEqual(["BTC/USDT spot long 10 @ 99"])
      expect(exchange.fillsOf(first).map(({ quantity }) => Decimal.toText(quantity))).toEqual(["10"])
      exchange.refuseAll(true)
      yield* server.price(100)
      yield* server.alert("sell")
      yield* server.pass("10 seconds")
      expect((yield* server.strategy.trades).length).toBe(0)
      exchange.refuseAll(false)
      yield* server.price(110)
      yield* server.alert("sell")
      // An exit that was rejected three times waits before it is sent again.
      expect((yield* server.strategy.trades).length).toBe(0)
      yield* server.pass("10 seconds")
      expect((yield* server.strategy.trades).map(({ exitPrice }) => exitPrice)).toEqual([110])
    })
  )
})
