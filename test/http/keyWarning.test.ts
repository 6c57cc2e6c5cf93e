// A full token in a URL is warned of in the log, once a day.
import { expect } from "bun:test"
import { Effect, Logger, TestClock } from "effect"
import { AccountId, TokenId } from "../../src/domain/Account.ts"
import { FULL_TOKEN_IN_URL, make } from "../../src/http/alerts/KeyWarning.ts"
import { it } from "../lib/effect.ts"
import { scenario } from "../lib/http.ts"

const ALERT = { signal_id: 1, coin: "BTC", quote_currency: "USDT", type: "buy" }

scenario("an alert with a full-scope token in its address is answered with a warning", [
  {
    send: "POST /v1/signals",
    body: new URLSearchParams({ name: "a", description: "", active: "1", public: "0" }),
    status: 201
  },
  { send: "POST /v1/signals/charting?key={full}", as: "none", body: ALERT, status: 200 },
  { send: "GET /v1/alerts/1", status: 200, json: { warnings: [FULL_TOKEN_IN_URL] } },
  // An alert with an id of its own is looked up first.
  { send: "POST /v1/signals/charting?key={full}", as: "none", body: { ...ALERT, id: "x" }, status: 200 },
  { send: "GET /v1/alerts/2", status: 200, json: { warnings: [FULL_TOKEN_IN_URL] } },
  { send: "POST /v1/signals/charting?key={key}", as: "none", body: ALERT, status: 200 },
  { send: "GET /v1/alerts/3", status: 200, json: { warnings: [] } },
  { send: "POST /v1/signals/alert", body: ALERT, status: 200 },
  { send: "GET /v1/alerts/4", status: 200, json: { warnings: [] } }
])

it.effect(
  "the warning about a full-scope token in an address is logged once a day, with the token's number",
  () =>
    Effect.gen(function* () {
      const said: Array<string> = []
      const logger = Logger.make(({ message }) => said.push(String(message)))
      const warningsOf = yield* Effect.flatMap(Effect.runtime<never>(), make).pipe(
        Effect.provide(Logger.replace(Logger.defaultLogger, logger))
      )
      const caller = (token: number, scope: "full" | "alerts") => ({
        account: AccountId.make(1),
        token: TokenId.make(token),
        scope
      })
      for (const scope of ["full", "full", "alerts"] as const) warningsOf(caller(7, scope))
      warningsOf(caller(8, "full"))
      expect(warningsOf(caller(9, "alerts"))).toEqual([])
      yield* Effect.yieldNow()
      expect(said.map((line) => line.slice(0, 8))).toEqual(["token 7 ", "token 8 "])
      yield* TestClock.adjust("1 day")
      expect(warningsOf(caller(7, "full"))).toEqual([FULL_TOKEN_IN_URL])
      yield* Effect.yieldNow()
      expect(said).toHaveLength(3)
    })
)
