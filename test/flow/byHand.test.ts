// The owner's own orders through a whole server: what is closed, cancelled and set by hand, on paper and with real
// money.
import { describe, expect, test } from "bun:test"
import { Effect } from "effect"
import type { StrategyPatch } from "../../src/domain/requests/StrategyDraft.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import * as TestServer from "../../src/testing/TestServer.ts"

type Server = TestServer.TestServer
const BTC = { exchange: "binance", pair: "BTC/USDT" }

/** Sends an order by hand and returns the status with the answer. */
const act = (server: Server, what: "close" | "cancel" | "targets", body: object, key?: string) =>
  Effect.promise(async () => {
    const response = await server.fetch(`/v1/strategies/${server.strategy.id}/positions/${what}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(key === undefined ? {} : { "idempotency-key": key })
      },
      body: JSON.stringify({ ...BTC, ...body })
    })
    const json: unknown = await response.json()
    return { status: response.status, json }
  })
const fillsOf = (server: Server) =>
  Effect.flatMap(Portfolio, (portfolio) =>
    Effect.map(portfolio.fills(server.strategy.id), (all) => all.length)
  )
const onPaper = (
  settings: StrategyPatch,
  body: (server: Server) => Effect.Effect<void, unknown, TestServer.Services>
) => TestServer.run({ strategies: [settings] }, body)

const HALF: StrategyPatch = { buy_percentage: 50, taker_fee: 0.1, maker_fee: 0.1 }

describe("a close by hand on paper", () => {
  test("sells all at the price, whatever minimum profit is set, and the trade is manual", () =>
    onPaper({ ...HALF, sell_minprofitpercent: 50 }, (server) =>
      Effect.gen(function* () {
        yield* server.price(100)
        yield* server.alert("buy")
        yield* server.price(90)
        const { json, status } = yield* act(server, "close", {})
        expect({ json, status }).toMatchObject({
          status: 200,
          json: {
            preview: false,
            outcome: "closed",
            real_money: false,
            plan: {
              quantity: 50,
              percent: 100,
              price: 90,
              fee: 4.5,
              proceeds: 4495.5,
              left: 0,
              closes_all: true
            },
            fills: [{ quantity: 50, price: 90, fee: 4.5 }],
            position: null
          }
        })
        expect((yield* server.strategy.trades).map(({ exitReason }) => exitReason)).toEqual(["manual"])
        expect(yield* server.strategy.holds).toEqual([])
      })
    ))

  test("sells a part once, however often the request under one key comes", () =>
    onPaper(HALF, (server) =>
      Effect.gen(function* () {
        yield* server.price(100)
        yield* server.alert("buy")
        const first = yield* act(server, "close", { percent: 40 }, "k")
        const again = yield* Effect.all(
          [act(server, "close", { percent: 40 }, "k"), act(server, "close", { percent: 40 }, "k")],
          { concurrency: 2 }
        )
        expect(first).toMatchObject({
          json: { outcome: "reduced", plan: { quantity: 20, left: 30 }, position: { quantity: 30 } }
        })
        expect(again).toEqual([first, first])
        expect(yield* act(server, "close", { percent: 41 }, "k")).toMatchObject({
          status: 422,
          json: { code: "idempotency_key_reused" }
        })
        expect(yield* server.strategy.holds).toEqual(["BTC/USDT spot long 30 @ 100"])
        expect(yield* fillsOf(server)).toBe(2)
        yield* act(server, "close", { percent: 40 })
        expect(yield* server.strategy.holds).toEqual(["BTC/USDT spot long 18 @ 100"])
      })
    ))
})
