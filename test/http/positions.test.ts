// The operations of orders by hand: who may give them, what is refused, and that a refused one leaves nothing behind.
import { describe, expect, test } from "bun:test"
import { Effect, Option, Redacted } from "effect"
import { Accounts } from "../../src/services/Accounts.ts"
import * as TestServer from "../../src/testing/TestServer.ts"

type Server = TestServer.TestServer
const BTC = { exchange: "binance", pair: "BTC/USDT" }
/** A proxy's own password: not a token, so that the cookie counts. */
const PROXY = "Basic dTpw"
const PATHS = ["close", "cancel", "targets"] as const

const sent = (server: Server, what: string, body: unknown, headers: Record<string, string> = {}) =>
  Effect.promise(async () => {
    const response = await server.fetch(`/v1/strategies/${what}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body)
    })
    const json: unknown = await response.json()
    return { status: response.status, json }
  })
const act = (server: Server, what: string, body: unknown, headers?: Record<string, string>) =>
  sent(server, `${server.strategy.id}/positions/${what}`, body, headers)
/** A strategy that holds 50 at 100. */
const holding = <A, E>(body: (server: Server) => Effect.Effect<A, E, TestServer.Services>) =>
  TestServer.run({ strategies: [{ buy_percentage: 50 }] }, (server) =>
    Effect.gen(function* () {
      yield* server.price(100)
      yield* server.alert("buy")
      const before = yield* server.strategy.timeline
      yield* body(server)
      return { before, after: yield* server.strategy.timeline }
    })
  )

describe("an order by hand", () => {
  test("of another account, of a token for alerts, and of a page elsewhere changes nothing", async () => {
    const { after, before } = await holding((server) =>
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const bob = yield* accounts.issue("bob", "full", Option.none())
        const origin = "http://signalbox.test"
        const session = yield* Effect.promise(() =>
          server.fetch("/v1/dashboard/session", {
            method: "POST",
            headers: { origin, authorization: "" },
            body: JSON.stringify({ token: server.token })
          })
        )
        const cookie = session.headers.get("set-cookie")?.split(";")[0] ?? ""
        expect(cookie).toMatch(/^signalbox_session=./)
        for (const path of PATHS) {
          const body = { ...BTC, sl: 50 }
          expect(
            yield* act(server, path, body, { authorization: `Bearer ${Redacted.value(bob.secret)}` })
          ).toMatchObject({
            status: 404,
            json: { code: "not_found" }
          })
          expect(
            yield* act(server, path, body, { authorization: `Bearer ${server.alertToken}` })
          ).toMatchObject({ status: 403, json: { code: "forbidden" } })
          expect(yield* act(server, path, body, { authorization: "" })).toMatchObject({ status: 401 })
          for (const from of [{}, { origin: "https://elsewhere.example" }])
            expect(yield* act(server, path, body, { authorization: PROXY, cookie, ...from })).toMatchObject({
              status: 403,
              json: { code: "cross_site" }
            })
          const look = { ...body, kind: "swap", preview: true }
          expect(yield* act(server, path, look, { authorization: PROXY, cookie, origin })).toMatchObject({
            status: 409
          })
        }
      })
    )
    expect(after).toEqual(before)
  })

  const bodies: ReadonlyArray<
    readonly [path: string, body: unknown, status: number, fields: ReadonlyArray<string>]
  > = [
    ["close", "{", 400, []],
    ["close", "[]", 400, []],
    ["close", {}, 422, ["exchange", "pair"]],
    [
      "close",
      { exchange: 1, pair: "btc", kind: "both", preview: 1, percent: "50" },
      422,
      [...["exchange", "kind", "pair", "percent", "preview"]]
    ],
    ["close", { ...BTC, percent: 0 }, 422, ["percent"]],
    ["close", { ...BTC, percent: 100.1 }, 422, ["percent"]],
    ["close", { ...BTC, percent: null }, 422, ["percent"]],
    ["targets", BTC, 422, ["tp"]],
    ["targets", { ...BTC, tp: "200", sl: -1 }, 422, ["sl", "tp"]],
    ["targets", { ...BTC, tp: 1e13 }, 422, ["tp"]],
    ["targets", { ...BTC, tp: 90, sl: 110 }, 422, ["sl", "tp"]]
  ]
  test.each(bodies)(
    "with a bad body is refused with every bad field: %s %j",
    async (path, body, status, fields) => {
      const { after, before } = await holding((server) =>
        Effect.gen(function* () {
          const answer = yield* act(server, path, body)
          expect(answer).toMatchObject({ status })
          const { errors } = JSON.parse(JSON.stringify(answer.json))
          expect(Object.keys(errors).sort()).toEqual([...fields].sort())
        })
      )
      expect(after).toEqual(before)
    }
  )

  test("is refused for its state with a code of its own, and leaves nothing behind", async () => {
    const { after, before } = await holding((server) =>
      Effect.gen(function* () {
        const refused = (code: string) => ({ status: 409, json: { code, errors: {} } })
        expect(yield* act(server, "close", { ...BTC, kind: "swap" })).toMatchObject(refused("no_position"))
        expect(yield* act(server, "close", { ...BTC, pair: "ETH/USDT" })).toMatchObject(
          refused("no_position")
        )
        expect(yield* act(server, "cancel", BTC)).toMatchObject(refused("no_entry"))
        expect(yield* act(server, "close", { ...BTC, percent: 0.0001 })).toMatchObject(
          refused("below_min_notional")
        )
        yield* server.pass("11 seconds")
        expect(yield* act(server, "close", BTC)).toMatchObject(refused("no_price"))
      })
    )
    expect(after).toEqual(before)
  })

  test("as a preview says what it would do, and does nothing", async () => {
    const { after, before } = await holding((server) =>
      Effect.gen(function* () {
        yield* server.price(110)
        const seen = yield* act(server, "close", { ...BTC, percent: 50, preview: true })
        expect(seen).toMatchObject({
          status: 200,
          json: {
            preview: true,
            outcome: "reduced",
            real_money: false,
            order_id: null,
            plan: { quantity: 25, price: 110, left: 25, closes_all: false, rest_too_small: false },
            fills: [],
            position: { quantity: 50 }
          }
        })
        expect(yield* act(server, "targets", { ...BTC, sl: 90, preview: true })).toMatchObject({
          json: { preview: true, outcome: "targets_updated" }
        })
        expect(yield* server.strategy.holds).toEqual(["BTC/USDT spot long 50 @ 100"])
      })
    )
    expect(after).toEqual(before)
  })

  test("does exactly what its preview says", () =>
    holding((server) =>
      Effect.gen(function* () {
        yield* server.price(93.37)
        for (const percent of [33.333, 12.5, 99.99, 100]) {
          const body = { ...BTC, percent }
          const seen = JSON.parse(
            JSON.stringify((yield* act(server, "close", { ...body, preview: true })).json)
          )
          const done = JSON.parse(JSON.stringify((yield* act(server, "close", body)).json))
          expect([done.plan, done.outcome]).toEqual([seen.plan, seen.outcome])
          expect(done.fills.map(({ fee, price, quantity }: Fill) => [quantity, price, fee])).toEqual([
            [seen.plan.quantity, seen.plan.price, seen.plan.fee]
          ])
          expect(done.position?.quantity ?? 0).toBe(seen.plan.left)
          if (seen.plan.closes_all) break
        }
        expect(yield* server.strategy.holds).toEqual([])
      })
    ))

  test("sells once, though a closing alert comes at the same moment", () =>
    holding((server) =>
      Effect.gen(function* () {
        const both = [act(server, "close", BTC), server.alert("sell"), act(server, "close", BTC)] as const
        yield* Effect.all(both, { concurrency: "unbounded" })
        expect(yield* server.strategy.trades).toHaveLength(1)
        expect(yield* server.strategy.holds).toEqual([])
      })
    ))

  test("without a kind is about the market that is in use, and about neither of two", () =>
    TestServer.run({ strategies: [{ buy_percentage: 20 }] }, (server) =>
      Effect.gen(function* () {
        yield* server.price(100, { kind: "swap" })
        yield* server.alert("short")
        expect(yield* act(server, "targets", { ...BTC, sl: 120 })).toMatchObject({
          json: { position: { kind: "swap", side: "short" } }
        })
        yield* server.price(100)
        yield* server.alert("buy")
        const answer = yield* act(server, "close", BTC)
        expect(answer).toMatchObject({ status: 422, json: { errors: { kind: [expect.any(String)] } } })
        expect(yield* act(server, "close", { ...BTC, kind: "swap" })).toMatchObject({
          json: { outcome: "closed", position: null }
        })
        expect(yield* server.strategy.holds).toEqual(["BTC/USDT spot long 19.996 @ 100"])
      })
    ))
})

interface Fill {
  readonly quantity: number
  readonly price: number
  readonly fee: number
}
