// An exchange that takes no order, or not the whole of it: what became of an alert is to be seen.
import { expect, test } from "bun:test"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Decimal from "../../src/domain/Decimal.ts"
import * as Edge from "../../src/http/edge/Edge.ts"
import * as Memory from "../../src/Memory.ts"
import { Exchange, Report } from "../../src/services/Exchange.ts"
import * as Scripted from "../../src/testing/ScriptedExchange.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import { fill } from "../../src/trading/books/Matching.ts"
import * as Flow from "../lib/flow.ts"
import * as Servers from "../lib/server.ts"

const lines = ({ strategy }: TestServer.TestServer) =>
  Effect.map(strategy.timeline, (entries) =>
    entries.map(({ alertId, rule, text }) => ({ rule, text, alert: Number(Option.getOrNull(alertId)) }))
  )

test("an entry that the exchange rejected is shown beside its alert", () => {
  const exchange = Scripted.make(Scripted.rejects("there is not enough money in the account"))
  return TestServer.run({ exchange: exchange.layer }, (server) =>
    Effect.gen(function* () {
      yield* server.price(100)
      yield* server.alert("buy")
      expect(yield* server.strategy.holds).toEqual([])
      expect(yield* lines(server)).toContainEqual({
        rule: "order_rejected",
        alert: 1,
        text: "The exchange rejected the order for BTC/USDT: there is not enough money in the account; alert 1 opened nothing."
      })
    })
  )
})

test("an entry that found nothing to buy is shown beside its alert, and a rejected exit is not", () => {
  const exchange = Scripted.make(Scripted.fillsPartly(0), {}, Scripted.rejects("not now"))
  return TestServer.run({ exchange: exchange.layer }, (server) =>
    Effect.gen(function* () {
      yield* server.price(100)
      yield* server.alert("buy")
      yield* server.alert("buy")
      yield* server.alert("sell")
      const ends = (yield* lines(server)).filter(({ rule }) => /rejected|cancelled/.test(rule))
      expect(ends.map(({ alert, rule }) => [rule, alert])).toEqual([
        ["order_cancelled", 1],
        ["order_rejected", 0]
      ])
    })
  )
})

test("an order that was sent smaller than decided is noted, and counts as filled", () => {
  const cut = Decimal.fromNumber(9)
  const exchange = Layer.succeed(Exchange, {
    submit: ({ at, fees, order }) => {
      const fills = [fill({ ...order, quantity: cut }, fees, at)]
      return Effect.succeed(Report.Filled({ order: order.id, fills, done: true, cut }))
    },
    lookup: ({ order }) => Effect.succeed(Report.Missing({ order: order.id }))
  })
  return TestServer.run({ exchange }, (server) =>
    Effect.gen(function* () {
      yield* server.price(100)
      yield* server.alert("buy")
      expect(yield* server.strategy.holds).toEqual(["BTC/USDT spot long 9 @ 100"])
      expect(yield* lines(server)).toContainEqual({
        rule: "order_cut",
        alert: 1,
        text: "Sent a smaller order for BTC/USDT, 9 of 10: the exchange locks more than an order costs until it is done, and the account has no more."
      })
    })
  )
})

test("the dashboard shows the rejection beside the alert", async () => {
  const exchange = Scripted.make(Scripted.rejects("there is not enough money in the account"))
  const quiet = Layer.merge(Layer.setTracerEnabled(false), Logger.replace(Logger.defaultLogger, Logger.none))
  const runtime = ManagedRuntime.make(
    Layer.mergeAll(
      Servers.notifying.pipe(Layer.provideMerge(Memory.layerWith(exchange.layer))),
      quiet,
      Layer.scope
    )
  )
  const text = await runtime.runPromise(
    Effect.gen(function* () {
      const edge = yield* Edge.make()
      const tokens = yield* Servers.tokens
      const ann = yield* Flow.ann({ default_exchange_name: "binance" })
      yield* Flow.quote(100)
      yield* Flow.send(ann.identity, ann.signal, "buy")
      yield* Flow.caughtUp
      const headers = { authorization: `Bearer ${tokens.ann}` }
      const request = new Request("http://localhost/v1/dashboard/alerts", { headers })
      return yield* Effect.promise(async () => (await edge.handle(request, () => "192.0.2.1")).text())
    })
  )
  expect(text).toContain(
    "an entry is ordered. The exchange rejected the order for BTC/USDT: there is not enough money in the account; alert 1 opened nothing."
  )
  expect(text).toContain(`"reason":"opened"`)
  await runtime.dispose()
})

/** Sentences that something was bought, sold, opened or closed. */
const claims = (entries: ReadonlyArray<{ readonly text: string }>) =>
  entries.filter(({ text }) => /\b(bought|sold|opened|closed)\b/i.test(text)).map(({ text }) => text)

test.each([
  ["rejects", Scripted.rejects("no"), ["alert", "opened", "order_rejected"]],
  ["loses", Scripted.losesOrder, ["alert", "opened", "order_unknown", "order_missing"]],
  ["accepts and never fills", Scripted.accepts, ["alert", "opened", "order_accepted"]]
] as const)(
  "the timeline claims nothing that an own exchange which %s the order did not do",
  (_, act, rules) =>
    TestServer.run({ exchange: Scripted.make(act).layer }, (server) =>
      Effect.gen(function* () {
        yield* server.price(100)
        yield* server.alert("buy")
        yield* server.pass("5 minutes")
        const entries = yield* lines(server)
        expect(entries.map(({ rule }) => rule)).toEqual([...rules])
        expect(entries[1]?.text).toBe("Ordered to buy 10 BTC on BTC/USDT at 100.")
        expect(claims(entries).filter((text) => !text.endsWith("alert 1 opened nothing."))).toEqual([])
      })
    )
)

test("an order that an own exchange fills in parts is noted as ordered, and then part by part", () =>
  TestServer.run({ exchange: Scripted.make(Scripted.fillsInParts(2, 1000)).layer }, (server) =>
    Effect.gen(function* () {
      yield* server.price(100)
      yield* server.alert("buy")
      yield* server.pass("1 minutes")
      expect((yield* lines(server)).slice(1).map(({ text }) => text)).toEqual([
        "Ordered to buy 10 BTC on BTC/USDT at 100.",
        "Bought 5 BTC on BTC/USDT at 100; 5 more are ordered.",
        "Bought 5 BTC on BTC/USDT at 100."
      ])
    })
  ))
