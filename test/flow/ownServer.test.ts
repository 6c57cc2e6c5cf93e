// An embedder's venue on the real server: a database file, a listener, and requests over HTTP. The same file is then
// opened again with the venue, and without it.
import { Database } from "bun:sqlite"
import { expect } from "bun:test"
import { join } from "node:path"
import { Effect, Layer, Logger, Option, Redacted, Schema } from "effect"
import * as Server from "../../src/Server.ts"
import { Accounts } from "../../src/services/Accounts.ts"
import * as PriceFeed from "../../src/services/PriceFeed.ts"
import { signalDraft, strategyRequest } from "../../src/testing/Fixtures.ts"
import { it } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import { DEFAULTS } from "../lib/options.ts"
import * as Own from "../lib/ownVenue.ts"
import { folder } from "../services/ports.ts"

const quiet = Logger.replace(Logger.defaultLogger, Logger.none)
const prices = PriceFeed.layer("my-dex")
const optionsOf = (db: string) => ({
  ...DEFAULTS,
  port: 0,
  db,
  prices: "none",
  dashboard: "off",
  crudRate: 0,
  alertRate: 0,
  ownPaper: { CHF: 2_500 }
})

/** The server of an embedder, whose orders it notes. */
const embedded = (db: string, orders: Array<string>) =>
  Server.layerWith(Layer.mergeAll(Own.venues, Own.markets, Own.exchange(orders), prices), optionsOf(db))

/** A server without the venue, which gets the same prices. */
const bare = (db: string) => Server.layerWith(prices, optionsOf(db))

const Id = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.Int }))
const Made = Schema.decodeUnknownSync(Schema.Struct({ strategy_id: Schema.Int }))
const Standing = Schema.decodeUnknownSync(
  Schema.Struct({
    performance: Schema.Struct({ summary: Schema.Struct({ starting_equity: Schema.Number }) })
  })
)
const Timeline = Schema.decodeUnknownSync(
  Schema.Struct({ data: Schema.Array(Schema.Struct({ rule: Schema.String })) })
)
const Refused = Schema.decodeUnknownSync(Schema.Struct({ errors: Schema.Object }))

/** Requests to the server over its listener. */
const over = (token: string) =>
  Effect.map(Server.Server, ({ url }) => (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    const sent = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
    return Effect.promise(async () => {
      const answer = await fetch(`${url}${path}`, sent)
      return { status: answer.status, body: await answer.json() }
    })
  })

const ofMyDex = { ...strategyRequest(), ...Own.settings }
const alert = (signal_id: number, type: string) => ({ signal_id, coin: "BTC", quote_currency: "CHF", type })

/** Makes a signal and a strategy at the venue, and lets an alert buy there. */
const bought = Effect.gen(function* () {
  const issued = yield* (yield* Accounts).issue("ann", "full", Option.none())
  const token = Redacted.value(issued.secret)
  const call = yield* over(token)
  const signal = Id((yield* call("POST", "/v1/signals", signalDraft())).body).id
  const made = yield* call("POST", "/v1/strategies", { ...ofMyDex, signal_id: signal })
  expect(made.status).toBe(201)
  const strategy = `/v1/strategies/${Made(made.body).strategy_id}`
  const { performance } = Standing((yield* call("GET", strategy)).body)
  expect(performance.summary.starting_equity).toBe(2_500)
  yield* Flow.quote(100, Own.AT)
  const sent = yield* call("POST", "/v1/signals/alert", alert(signal, "buy"))
  expect(sent.status).toBe(200)
  yield* Flow.caughtUp
  return { token, signal, strategy }
})

it.live("an own venue is taken over HTTP, kept in the database, and set aside where it is not listed", () =>
  Effect.gen(function* () {
    const db = join(yield* folder, "signalbox.db")
    const orders: Array<string> = []
    const run = <A, E>(
      self: Effect.Effect<A, E, Server.Server | Server.Services | PriceFeed.PriceFeed>,
      server: Layer.Layer<Server.Server | Server.Services | PriceFeed.PriceFeed, unknown>
    ) => Effect.provide(self, Layer.fresh(Layer.provide(server, quiet)))

    const { signal, strategy, token } = yield* run(bought, embedded(db, orders))
    expect(orders).toEqual(["buy BTC/CHF on my-dex"])
    const file = new Database(db, { readonly: true })
    expect(JSON.stringify(file.query("select * from strategies").all())).toMatch(/my-dex.*CHF|CHF.*my-dex/)
    file.close()

    yield* run(
      Effect.gen(function* () {
        const call = yield* over(token)
        const read = yield* call("GET", strategy)
        expect(read.body).toMatchObject({
          default_quote_currency: "CHF",
          default_exchange_name: "my-dex",
          maker_fee: 0.1,
          taker_fee: 0.5,
          exchanges: [{ exchange_name: "my-dex", coin_pairs: ["BTC/CHF"] }]
        })
        yield* Flow.quote(110, Own.AT)
        yield* call("POST", "/v1/signals/alert", alert(signal, "sell"))
        yield* Flow.caughtUp
        expect(orders).toEqual(["buy BTC/CHF on my-dex", "sell BTC/CHF on my-dex"])
        const { body } = yield* call("GET", strategy)
        expect(body).toMatchObject({ performance: { summary: { trade_count: 1 } } })
      }),
      embedded(db, orders)
    )

    yield* run(
      Effect.gen(function* () {
        const call = yield* over(token)
        const read = yield* call("GET", strategy)
        expect(read).toMatchObject({ status: 200, body: { default_quote_currency: "CHF" } })
        yield* Flow.quote(100, Own.AT)
        yield* call("POST", "/v1/signals/alert", alert(signal, "buy"))
        yield* Flow.caughtUp
        const { body } = yield* call("GET", `${strategy}/timeline?limit=50`)
        expect(Timeline(body).data.map(({ rule }) => rule)).toContain("set_aside")
        const refused = yield* call("POST", "/v1/strategies", ofMyDex)
        expect(refused.status).toBe(422)
        expect(Object.keys(Refused(refused.body).errors).sort()).toEqual([
          "default_exchange_name",
          "default_quote_currency",
          "exchanges"
        ])
        expect(orders).toHaveLength(2)
      }),
      bare(db)
    )
  })
)
