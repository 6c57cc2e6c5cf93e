// What is public, over HTTP with two accounts: found, copied, changed, synced, hidden. The adversary is a reader who
// wants more of an owner than the owner published, and an owner who wants to look like somebody else.
import { expect, test } from "bun:test"
import { Effect, Option, Redacted } from "effect"
import { Accounts } from "../../src/services/Accounts.ts"
import * as TestServer from "../../src/testing/TestServer.ts"

type Body = Readonly<Record<string, unknown>>

/** Two people at one server: each call is answered with its status, body and headers. */
const people = (server: TestServer.TestServer) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const { secret } = yield* accounts.issue("bob@secret.example", "full", Option.none())
    const bobs = Redacted.value(secret)
    const as = (token: string) => (method: string, path: string, body?: Body) =>
      Effect.promise(async () => {
        const sent =
          body === undefined
            ? {}
            : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }
        const response = await server.fetch(path, {
          method,
          ...sent,
          headers: { ...sent.headers, authorization: `Bearer ${token}` }
        })
        return {
          status: response.status,
          body: JSON.parse(await response.text()),
          link: response.headers.get("link")
        }
      }).pipe(Effect.tap(server.pass("1 second")))
    return { ann: as(server.token), bob: as(bobs), bobs }
  })

const strategy = (changes: Body = {}): Body => ({
  ...{ name: "Swing", description: "", active: true, public: true, display_name: "Ann" },
  ...{ default_quote_currency: "USDT", default_exchange_name: "binance", buy_percentage: 10 },
  exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT", "ETH/USDT"] }],
  ...changes
})

const signal = (changes: Body = {}): Body => ({
  ...{ name: "Trend", description: "up", active: true, public: true, display_name: "Ann" },
  ...changes
})

const run = (test: (server: TestServer.TestServer) => Effect.Effect<unknown, unknown, TestServer.Services>) =>
  TestServer.run({}, (server) => test(server))

test("a strategy is published, found, copied, changed, synced and hidden", () =>
  run((server) =>
    Effect.gen(function* () {
      const { ann, bob } = yield* people(server)
      const made = yield* ann("POST", "/v1/strategies", strategy({ signal_id: server.signal.id }))
      const id = made.body.strategy_id
      const listed = yield* bob("GET", "/v1/public/strategies?search=swing%20btc&sort=newest&mode=paper")
      expect(listed.body.data.map((it: Body) => it["strategy_id"])).toEqual([id])
      expect(listed.body.data[0]).toMatchObject({
        publisher: { number: 1, name: "Ann", published: 1 },
        follows_signal: true,
        signal: null,
        copies: 0,
        record: { mode: "paper", level: 0, times_published: 1, overall: { paper: null, real: null } }
      })

      const copy = yield* bob("POST", `/v1/strategies/${id}/copy`, { buy_percentage: 50, name: "Mine" })
      expect(copy.status).toBe(201)
      expect(copy.body).toMatchObject({ copied_from: id, public: false, buy_percentage: 50, signal_id: null })
      expect(copy.body.display_name).toBeNull()
      expect(copy.body.warnings.length).toBe(1)
      const mine = copy.body.strategy_id
      expect((yield* bob("GET", `/v1/public/strategies/${id}`)).body.copies).toBe(1)

      yield* ann("PUT", `/v1/strategies/${id}`, {
        ...{ buy_percentage: 80, stop_loss: true, stop_loss_percentage: 4, name: "Other" }
      })
      const timeline = yield* bob("GET", `/v1/strategies/${mine}/timeline`)
      const news = timeline.body.data.filter((it: Body) => it["rule"] === "original_changed")
      expect(news.length).toBe(1)
      const origin = yield* bob("GET", `/v1/strategies/${mine}/origin`)
      expect(origin.body.changes).toEqual([
        { field: "buy_percentage", own: 50, original: 80, takes: false },
        { field: "stop_loss", own: false, original: true, takes: true },
        { field: "stop_loss_percentage", own: null, original: 4, takes: true }
      ])
      expect((yield* bob("GET", `/v1/strategies/${mine}`)).body.stop_loss_percent).toBeNull()

      const synced = yield* bob("POST", `/v1/strategies/${mine}/sync`)
      expect(synced.body).toMatchObject({
        changed: ["stop_loss", "stop_loss_percentage"],
        ...{ name: "Mine", buy_percentage: 50, stop_loss_percent: 4 }
      })
      const again = yield* bob("POST", `/v1/strategies/${mine}/sync`)
      expect(again.body).toMatchObject({ changed: [], updated_at: synced.body.updated_at })

      yield* ann("PUT", `/v1/strategies/${id}`, { public: false, buy_percentage: 5 })
      expect((yield* bob("GET", "/v1/public/strategies")).body.data).toEqual([])
      expect((yield* bob("GET", `/v1/public/strategies/${id}`)).status).toBe(404)
      expect((yield* bob("POST", `/v1/strategies/${id}/copy`, {})).status).toBe(404)
      const gone = yield* bob("POST", `/v1/strategies/${mine}/sync`)
      expect([gone.status, gone.body.code]).toEqual([404, "original_gone"])
      expect((yield* bob("GET", `/v1/strategies/${mine}`)).body).toMatchObject({ buy_percentage: 50 })
    })
  ))

test("a public signal comes along with a copy, and is found with its followers", () =>
  run((server) =>
    Effect.gen(function* () {
      const { ann, bob } = yield* people(server)
      const { body: trend } = yield* ann("POST", "/v1/signals", signal())
      const { body: made } = yield* ann("POST", "/v1/strategies", strategy({ signal_id: trend.id }))
      const copy = yield* bob("POST", `/v1/strategies/${made.strategy_id}/copy`)
      expect(copy.body).toMatchObject({ signal_id: trend.id, warnings: [] })
      const found = yield* bob("GET", "/v1/public/signals?search=up")
      expect(found.body.data).toMatchObject([{ id: trend.id, followers: 1, times_published: 1 }])
      yield* ann("PUT", `/v1/signals/${trend.id}`, { display_name: null })
      expect((yield* bob("GET", "/v1/public/signals")).body.data).toEqual([])
      expect((yield* bob("GET", `/v1/public/signals/${trend.id}`)).status).toBe(404)
    })
  ))

test("a setting that the copy's owner changed later stays, and so does the rest of its feature", () =>
  run((server) =>
    Effect.gen(function* () {
      const { ann, bob } = yield* people(server)
      const stop = { stop_loss: true, stop_loss_percentage: 4 }
      const { body: made } = yield* ann("POST", "/v1/strategies", strategy(stop))
      const { body: mine } = yield* bob("POST", `/v1/strategies/${made.strategy_id}/copy`)
      yield* bob("PUT", `/v1/strategies/${mine.strategy_id}`, { stop_loss_percentage: 2 })
      yield* ann("PUT", `/v1/strategies/${made.strategy_id}`, { stop_loss: false, max_entries: 3 })
      const synced = yield* bob("POST", `/v1/strategies/${mine.strategy_id}/sync`)
      expect(synced.body).toMatchObject({ changed: ["max_entries"], max_entries: 3, stop_loss_percent: 2 })
      yield* ann("PUT", `/v1/strategies/${made.strategy_id}`, { stop_loss: true, stop_loss_percentage: 2 })
      yield* ann("PUT", `/v1/strategies/${made.strategy_id}`, { stop_loss_percentage: 30 })
      yield* bob("POST", `/v1/strategies/${mine.strategy_id}/sync`)
      const after = yield* bob("GET", `/v1/strategies/${mine.strategy_id}`)
      expect(after.body.stop_loss_percent).toBe(2)
    })
  ))

test("a display name of control, invisible, direction or stacked characters is refused at both doors", () =>
  run((server) =>
    Effect.gen(function* () {
      const { ann } = yield* people(server)
      const bad = [
        "",
        " ",
        "a\u202Eb",
        "a\u0000b",
        "a\nb",
        "\u200Bab",
        "a  b",
        " a",
        "\u3164",
        "…",
        "x".repeat(41)
      ]
      for (const display_name of [...bad, `z${"\u0301".repeat(3)}`, "a\u2066b", "\uE000a", 7, ["a"]]) {
        const made = yield* ann("POST", "/v1/strategies", strategy({ display_name }))
        expect([made.status, Object.keys(made.body.errors)]).toEqual([422, ["display_name"]])
        if (display_name === "") continue
        const source = yield* ann("POST", "/v1/signals", signal({ display_name }))
        expect([source.status, Object.keys(source.body.errors)]).toEqual([422, ["display_name"]])
      }
      for (const display_name of ["Ann", "Zoë K. 3", "李雷", "अंकित", "R2-D2 🚀"]) {
        const made = yield* ann("POST", "/v1/strategies", strategy({ display_name }))
        expect(made.status).toBe(201)
      }
    })
  ))

test("no public answer has anything of the owner beyond what was published", () =>
  run((server) =>
    Effect.gen(function* () {
      const { ann, bob, bobs } = yield* people(server)
      const { body: hidden } = yield* bob(
        "POST",
        "/v1/signals",
        signal({ name: "PRIVATE-SIGNAL", public: false })
      )
      const { body: shown } = yield* bob("POST", "/v1/signals", signal({ display_name: "Bob" }))
      const body = strategy({ display_name: "Bob", signal_id: hidden.id })
      const { body: made } = yield* bob("POST", "/v1/strategies", body)
      yield* bob("POST", "/v1/strategies", strategy({ name: "PRIVATE-STRATEGY", public: false }))
      yield* server.price(60_000)
      const alert = { signal_id: hidden.id, coin: "BTC", quote_currency: "USDT" }
      yield* bob("POST", "/v1/signals/alert", { ...alert, type: "buy", id: "SECRET-ALERT" })
      yield* server.price(66_000)
      yield* bob("POST", "/v1/signals/alert", { ...alert, type: "sell" })
      yield* server.caughtUp
      const answers = yield* Effect.forEach(
        [
          "/v1/public/strategies",
          "/v1/public/strategies?search=bob",
          `/v1/public/strategies/${made.strategy_id}`,
          "/v1/public/signals",
          `/v1/public/signals/${shown.id}`
        ],
        (path) => ann("GET", path)
      )
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
      const [, , detail] = answers
      expect(detail?.body.record.overall.paper.trades).toBe(1)
      expect(detail?.body.periods).toMatchObject([{ period: 1, mode: "paper", trades: 1 }])
      const text = JSON.stringify(answers.map(({ body }) => body))
      for (const secret of [bobs, bobs.slice(9, 30), "secret.example", "PRIVATE-", "SECRET-ALERT"])
        expect(text).not.toContain(secret)
      const names = new Set(text.match(/"[a-z_]+":/g))
      for (const name of [
        "account",
        "account_id",
        "email",
        "token",
        "signal_id",
        "alert_id",
        "rule",
        "timeline"
      ])
        expect(names).not.toContain(`"${name}":`)
    })
  ))

test("a private strategy and a missing one answer alike at every operation of copies", () =>
  run((server) =>
    Effect.gen(function* () {
      const { ann, bob } = yield* people(server)
      const { body: made } = yield* ann("POST", "/v1/strategies", strategy({ public: false }))
      const { request_id: _, ...missing } = (yield* bob("POST", "/v1/strategies/999/copy", {})).body
      for (const [method, path] of [
        ["POST", "copy"],
        ["POST", "sync"],
        ["GET", "origin"]
      ] as const) {
        const { body, status } = yield* bob(method, `/v1/strategies/${made.strategy_id}/${path}`)
        const { request_id: _, ...rest } = body
        expect([status, rest]).toEqual([404, missing])
      }
      const own = yield* ann("POST", `/v1/strategies/${made.strategy_id}/sync`)
      expect([own.status, own.body.code]).toEqual([409, "not_a_copy"])
      const broken = yield* ann("POST", `/v1/strategies/${made.strategy_id}/copy`, {
        buy_percentage: 101,
        x: 1
      })
      expect([broken.status, Object.keys(broken.body.errors)]).toEqual([422, ["buy_percentage"]])
      expect((yield* ann("POST", `/v1/strategies/${made.strategy_id}/copy`)).status).toBe(201)
    })
  ))

test("lists are paged by a cursor that keeps the search, and bad parameters are refused together", () =>
  run((server) =>
    Effect.gen(function* () {
      const { ann, bob } = yield* people(server)
      for (const name of ["One", "Two", "Three"]) yield* ann("POST", "/v1/strategies", strategy({ name }))
      const names: Array<unknown> = []
      let path: string | undefined = "/v1/public/strategies?limit=2&sort=oldest&search=btc"
      while (path !== undefined) {
        const page: { body: { data: ReadonlyArray<Body> }; link: string | null } = yield* bob("GET", path)
        names.push(...page.body.data.map((it) => it["name"]))
        path = /<(.*)>/.exec(page.link ?? "")?.[1]
      }
      expect(names).toEqual(["One", "Two", "Three"])
      const wrong = yield* bob(
        "GET",
        "/v1/public/strategies?limit=0&sort=best&cursor=x&mode=live&min_age=-1&exchange=mtgox&pair=BTC&search=a+b+c+d+e+f"
      )
      expect(wrong.status).toBe(422)
      expect(Object.keys(wrong.body.errors).sort()).toEqual(
        ["cursor", "exchange", "limit", "min_age", "mode", "pair", "search", "sort"].sort()
      )
    })
  ))
