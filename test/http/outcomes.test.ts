// Hundreds of strategies follow a signal: a list of alerts stays small, and leads to the outcomes that it does not
// show.
import { expect, test } from "bun:test"
import { Effect, Layer, Option, Redacted } from "effect"
import * as Edge from "../../src/http/edge/Edge.ts"
import { Accounts } from "../../src/services/Accounts.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { outcome, step } from "../../src/testing/contracts/steps.ts"
import { settings } from "../../src/testing/Fixtures.ts"
import { NO_LIMITS, world } from "../lib/server.ts"

const FOLLOWERS = 150

interface Row {
  readonly outcomes: ReadonlyArray<unknown>
  readonly outcomes_next?: string
  readonly has_more_outcomes?: boolean
}
interface Body extends Row {
  readonly data: readonly [Row, Row]
}

test("a row shows at most a hundred outcomes, and names where the rest is", () =>
  Effect.gen(function* () {
    const { secret } = yield* (yield* Accounts).issue("ann", "full", Option.none())
    const { identity } = yield* Effect.map(
      (yield* Accounts).authenticate(Redacted.value(secret)),
      (found) => ({ identity: Option.getOrThrow(found) })
    )
    const edge = yield* Edge.make()
    const ask = (method: string, path: string, body?: object) =>
      Effect.promise(() =>
        edge.handle(
          new Request(`http://localhost${path}`, {
            method,
            headers: {
              authorization: `Bearer ${Redacted.value(secret)}`,
              "content-type": "application/json"
            },
            body: body === undefined ? null : JSON.stringify(body)
          }),
          () => "203.0.113.1"
        )
      )
    const read = (path: string) =>
      Effect.gen(function* () {
        const response = yield* ask("GET", path)
        const body: Body = JSON.parse(yield* Effect.promise(() => response.text()))
        return { status: response.status, link: response.headers.get("link"), body }
      })
    yield* ask("POST", "/v1/signals", { name: "many", description: "many", active: true, public: false })
    for (const coin of ["BTC", "ETH"])
      yield* ask("POST", "/v1/signals/alert", { signal_id: 1, coin, quote_currency: "USDT", type: "buy" })
    const store = yield* StrategyStore
    const followers = yield* Effect.forEach(Array.from({ length: FOLLOWERS }), () =>
      store.create(identity.account, settings())
    )
    yield* (yield* Portfolio).commit(
      followers.map((it, index) =>
        step(it, 1, { outcomes: index < 100 ? [outcome(it, 1), outcome(it, 2)] : [outcome(it, 2)] })
      )
    )

    const [second, first] = (yield* read("/v1/alerts")).body.data
    expect([first.outcomes.length, first.outcomes_next]).toEqual([100, undefined])
    expect([second.outcomes.length, second.outcomes_next]).toEqual([
      100,
      expect.stringMatching(/^\/v1\/alerts\/2\?limit=100&cursor=/)
    ])
    const rest = yield* read(second.outcomes_next ?? "")
    expect([rest.body.outcomes.length, rest.link]).toEqual([50, null])
    const all = (yield* read("/v1/alerts/2")).body.outcomes
    expect(all.length).toBe(FOLLOWERS)
    expect(second.outcomes.concat(rest.body.outcomes)).toEqual(all.slice())
    const page = yield* read("/v1/alerts/2?limit=60")
    expect(page.body.outcomes.length).toBe(60)
    expect(page.link).toMatch(/^<\/v1\/alerts\/2\?limit=60&cursor=\w+>; rel="next"$/)
    for (const query of ["limit=0", "limit=501", "cursor=x"])
      expect((yield* read(`/v1/alerts/2?${query}`)).status).toBe(422)
    const [shown] = (yield* read("/v1/dashboard/alerts?limit=1")).body.data
    expect([shown.outcomes.length, shown.has_more_outcomes]).toEqual([100, true])
  }).pipe(Effect.scoped, Effect.provide(Layer.merge(world(NO_LIMITS), Layer.empty)), Effect.runPromise))
