// The metrics: their format, their counts, and who may read them.
import { describe, expect, test } from "bun:test"
import { Effect, Layer } from "effect"
import { isLocalName } from "../../src/http/edge/Peer.ts"
import * as Exposition from "../../src/http/metrics/Exposition.ts"
import * as MetricsPage from "../../src/http/metrics/MetricsPage.ts"
import { Histogram, Meters } from "../../src/services/health/Meters.ts"
import { Journal } from "../../src/services/Journal.ts"
import { Halts } from "../../src/services/money/Halts.ts"
import { MemoryState } from "../../src/services/records/MemoryState.ts"
import { StorageUnavailable } from "../../src/services/records/StorageUnavailable.ts"
import { type FeedHealth, Tickers } from "../../src/services/Tickers.ts"
import { parse } from "../lib/exposition.ts"
import { NO_LIMITS, start } from "../lib/server.ts"

const binance: FeedHealth = {
  exchange: "binance",
  state: "streaming",
  since: 1_767_571_200_999,
  markets: 12,
  stale: 1,
  reconnects: 3,
  reason: "",
  quotes: { accepted: 1_000_000, held: 2, dropped: 5 }
}
const kraken: FeedHealth = {
  ...binance,
  exchange: "kraken",
  state: "unreachable",
  reason: "no such host ".repeat(50)
}
const prices = Layer.succeed(Tickers, {
  next: Effect.never,
  describe: "live",
  watch: () => Effect.void,
  health: Effect.succeed([binance, kraken])
})
const PROCESS = { version: "1.2.3", runtime: "bun 1", residentBytes: 123_456_789, cpuSeconds: 1.5 }
const HERE = "127.0.0.1"

describe("the metrics", () => {
  test("are in the text format, with the exchange as their only label", async () => {
    const server = await start(NO_LIMITS, { process: () => PROCESS }, prices)
    const response = await server.fetch("/metrics", bearer(server.ann))
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8")
    const metrics = parse(await response.text())
    const of = (name: string) => Object.fromEntries(metrics.get(name)?.samples ?? [])
    const each = (one: number, other: number) => ({
      '{exchange="binance"}': one,
      '{exchange="kraken"}': other
    })
    expect(of("signalbox_prices_up")).toEqual(each(1, 0))
    expect(of("signalbox_prices_streaming")).toEqual(each(1, 0))
    expect(of("signalbox_prices_markets")).toEqual(each(12, 12))
    expect(of("signalbox_prices_stale")).toEqual(each(1, 1))
    expect(of("signalbox_prices_reconnects_total")).toEqual(each(3, 3))
    expect(of("signalbox_quotes_accepted_total")).toEqual(each(1_000_000, 1_000_000))
    expect(of("signalbox_quotes_held_back_total")).toEqual(each(2, 2))
    expect(of("signalbox_quotes_dropped_total")).toEqual(each(5, 5))
    expect(of("process_resident_memory_bytes")).toEqual({ "": 123_456_789 })
    expect(of("signalbox_alerts_stored_total")).toEqual({ "": 0 })
    const startedAt = of("process_start_time_seconds")[""] ?? 0
    expect(startedAt).toBeGreaterThan(1.7e9)
    expect(startedAt).toBeLessThanOrEqual(performance.timeOrigin / 1000 + 1)
    expect(of("process_cpu_seconds_total")).toEqual({ "": 1.5 })
    expect(of("signalbox_build_info")).toEqual({ '{version="1.2.3",runtime="bun 1"}': 1 })
    expect(of("signalbox_storage_writable")).toEqual({ "": 1 })
    await server.stop()
  })

  test("count alerts, and have nothing about prices if there is no source", async () => {
    const server = await start()
    const { data } = JSON.parse(await (await server.fetch("/v1/signals", bearer(server.ann))).text())
    expect(data).toEqual([])
    const made = await server.fetch("/v1/signals", {
      method: "POST",
      ...bearer(server.ann),
      body: new URLSearchParams({ name: "a", description: "", active: "1", public: "0" })
    })
    const { id } = JSON.parse(await made.text())
    for (const coin of ["BTC", "ETH"]) {
      const answer = await server.fetch("/v1/signals/alert", {
        method: "POST",
        ...bearer(server.ann),
        body: new URLSearchParams({ signal_id: String(id), coin, quote_currency: "USDT", type: "buy" })
      })
      expect(answer.status).toBe(200)
    }
    const metrics = parse(await (await server.fetch("/metrics", bearer(server.ann))).text())
    expect([...(metrics.get("signalbox_alerts_stored_total")?.samples ?? [])]).toEqual([["", 2]])
    expect(metrics.get("signalbox_prices_up")?.samples.size).toBe(0)
    expect(metrics.get("process_resident_memory_bytes")?.samples.size).toBe(0)
    await server.stop()
  })

  test("count requests and alerts by route, never by path or content", async () => {
    const server = await start()
    const post = (path: string, body: string | URLSearchParams, headers = {}) =>
      server.fetch(path, { method: "POST", body, headers: { ...bearer(server.ann).headers, ...headers } })
    await post("/v1/signals", new URLSearchParams({ name: "a", description: "", active: "1", public: "0" }))
    const alert = JSON.stringify({ signal_id: 1, coin: "BTC", quote_currency: "USDT", type: "buy", id: "7" })
    for (const key of [server.hook, server.hook, "sbx_hook_no"])
      await server.fetch(`/v1/signals/charting?key=${key}`, { method: "POST", body: alert })
    await post("/v1/signals/alert", "{")
    await post("/v1/signals/alert", '{"signal_id":9,"coin":"BTC","quote_currency":"USDT","type":"buy"}')
    for (const id of ["1", "2", "secret"]) await server.fetch(`/v1/signals/${id}`, bearer(server.ann))
    await server.fetch("/v1/signals/1", { method: "PROPFIND" })
    for (const path of ["/wp-admin", "/v2/x", "/.env"]) await server.fetch(path)
    const text = await (await server.fetch("/metrics", bearer(server.ann))).text()
    for (const secret of [server.ann, server.hook, "sbx_", "wp-admin", "secret", "PROPFIND"])
      expect(text).not.toContain(secret)
    const metrics = parse(text)
    const of = (name: string) => Object.fromEntries(metrics.get(name)?.samples ?? [])
    expect(of("signalbox_http_requests_total")).toEqual({
      '{route="/v1/signals/charting",method="POST",status="2xx"}': 2,
      '{route="/v1/signals/charting",method="POST",status="4xx"}': 1,
      '{route="/v1/signals/alert",method="POST",status="4xx"}': 2,
      '{route="/v1/signals",method="POST",status="2xx"}': 1,
      '{route="/v1/signals/:id",method="GET",status="2xx"}': 1,
      '{route="/v1/signals/:id",method="GET",status="4xx"}': 2,
      '{route="/v1/signals/:id",method="other",status="4xx"}': 1,
      '{route="none",method="GET",status="4xx"}': 3
    })
    const fared = Object.entries(of("signalbox_alerts_total")).filter(([, value]) => value > 0)
    expect(Object.fromEntries(fared)).toEqual({
      '{door="charting",outcome="recorded"}': 1,
      '{door="charting",outcome="repeat"}': 1,
      '{door="charting",outcome="unauthorized"}': 1,
      '{door="alert",outcome="refused"}': 2
    })
    const seconds = of("signalbox_http_request_duration_seconds")
    const door = 'route="/v1/signals/charting",method="POST"'
    expect(seconds[`_count{${door}}`]).toBe(3)
    expect(seconds[`_bucket{${door},le="10"}`]).toBe(3)
    expect(seconds[`_sum{${door}}`]).toBeGreaterThan(0)
    expect(seconds[`_sum{${door}}`]).toBeLessThan(5)
    await server.stop()
  })

  test("are served only to a token of full scope, whatever the caller's address", async () => {
    const server = await start()
    const status = async (peer: string, headers: Record<string, string> = {}, method = "GET") =>
      (await server.fetch("/metrics", { method, headers }, peer)).status
    const far = "203.0.113.7"
    // A proxy on this machine may not name the client in a header.
    for (const peer of [HERE, "::1", "::ffff:127.0.0.1", far]) {
      expect(await status(peer)).toBe(401)
      expect(await status(peer, { host: "127.0.0.1" })).toBe(401)
      expect(await status(peer, { authorization: `Bearer ${server.ann}` })).toBe(200)
      expect(await status(peer, { authorization: `Bearer ${server.ann}` }, "HEAD")).toBe(200)
      expect(await status(peer, { authorization: `Bearer ${server.hook}` })).toBe(403)
      expect(await status(peer, { authorization: "Bearer sbx_api_wrong" })).toBe(401)
    }
    expect(await status(HERE, {}, "POST")).toBe(405)
    // Only the webhook takes a token from the address, and only the dashboard a session.
    expect((await server.fetch(`/metrics?key=${server.ann}`, {}, far)).status).toBe(401)
    const signedIn = await server.fetch("/v1/dashboard/session", {
      method: "POST",
      body: JSON.stringify({ token: server.ann })
    })
    const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? ""
    expect(await status(far, { cookie })).toBe(401)
    const refused = await server.fetch("/metrics", {}, far)
    expect(refused.headers.get("www-authenticate")).toBe("Bearer")
    expect(JSON.parse(await refused.text())).toMatchObject({ code: "unauthorized", status: 401 })
    await server.stop()
  })

  test("limit wrong tokens as other operations do", async () => {
    const server = await start()
    const guess = () =>
      server.fetch("/metrics", { headers: { authorization: "Bearer sbx_api_wrong" } }, "198.51.100.1")
    for (let times = 0; times < 10; times++) expect((await guess()).status).toBe(401)
    const limited = await guess()
    expect(limited.status).toBe(429)
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0)
    await server.stop()
  })
})

test("health names the source of prices and each exchange's state, with a short reason", async () => {
  const server = await start(NO_LIMITS, {}, prices)
  const response = await server.fetch("/healthz", {}, "203.0.113.7")
  expect(response.status).toBe(200)
  const one = { state: "streaming", since: 1_767_571_200, markets: 12, stale: 1, reconnects: 3, reason: "" }
  expect(JSON.parse(await response.text())).toEqual({
    status: "up",
    prices: {
      source: "live",
      exchanges: [
        { exchange_name: "binance", ...one },
        { exchange_name: "kraken", ...one, state: "unreachable", reason: kraken.reason.slice(0, 200) }
      ]
    }
  })
  await server.stop()
})

test("an observation counts in the first bucket whose bound holds it", () => {
  const histogram = new Histogram([1, 2.5, 10])
  for (const value of [0, 1, 1.1, 2.5, 9, 11, 1e9]) histogram.observe(value)
  expect(histogram.counts()).toEqual([2, 2, 1, 2])
  const text = Exposition.render([
    {
      name: "b",
      type: "histogram",
      help: "h",
      samples: [
        { labels: { a: "x" }, bounds: histogram.bounds, counts: histogram.counts(), sum: histogram.sum }
      ]
    }
  ])
  expect(Object.fromEntries(parse(text).get("b")?.samples ?? [])).toEqual({
    '_bucket{a="x",le="1"}': 2,
    '_bucket{a="x",le="2.5"}': 4,
    '_bucket{a="x",le="10"}': 5,
    '_bucket{a="x",le="+Inf"}': 7,
    '_sum{a="x"}': 1_000_000_024.6,
    '_count{a="x"}': 7
  })
})

test("help texts and labels are escaped, and infinite numbers are written as words", () => {
  const name = "a_thing"
  const text = Exposition.render([
    {
      name,
      type: "gauge",
      help: "one\\two\nthree",
      samples: [
        { labels: { it: 'say "\\"\n' }, value: Number.NaN },
        { labels: { it: "b", and: "c" }, value: Number.NEGATIVE_INFINITY },
        { value: 1.5e-7 }
      ]
    }
  ])
  expect(text).toBe(
    `# HELP a_thing one\\\\two\\nthree\n# TYPE a_thing gauge\n${name}{it="say \\"\\\\\\"\\n"} NaN\n` +
      `${name}{it="b",and="c"} -Inf\n${name} 1.5e-7\n`
  )
  expect([...(parse(text).get(name)?.samples.values() ?? [])]).toEqual([
    Number.NaN,
    Number.NEGATIVE_INFINITY,
    1.5e-7
  ])
})

const BUCKETS =
  '# HELP b h\n# TYPE b histogram\nb_bucket{le="1"} 1\nb_bucket{le="+Inf"} 2\nb_sum 3\nb_count 2\n'

test("the parser of these tests accepts only complete histograms", () => {
  expect(parse(BUCKETS).get("b")?.samples.get("_count")).toBe(2)
  for (const [from, to] of [
    ['le="1"} 1', 'le="1"} 3'],
    ["b_count 2", "b_count 3"],
    ["b_sum 3\n", ""],
    ['b_bucket{le="+Inf"} 2\n', ""],
    ["b_sum", "c_sum"]
  ] as const)
    expect(() => parse(BUCKETS.replace(from, to))).toThrow()
})

test.each(["# TYPE a gauge\na 1\n", "# HELP a b\n# TYPE a gauge\na 1", "# HELP a b\n# TYPE a gauge\nb 1\n"])(
  "the parser of these tests refuses %j",
  (text) => expect(() => parse(text)).toThrow()
)

test.each([
  ["127.0.0.1:8080", true],
  ["[::1]:8080", true],
  ["localhost", true],
  ["box:9090", true],
  ["box.local", true],
  ["evil.example:8080", false],
  ["evil.example", false],
  ["127.0.0.1.evil.example", false],
  ["localhost.", false],
  ["", false]
])("whether the host %s is a name that only this machine can have: %p", (host, expected) => {
  expect(isLocalName(host)).toBe(expected)
})

test("while storage is away they are there, but for what is stored", async () => {
  const away = Effect.die(new StorageUnavailable({ reason: "away" }))
  const halts = Layer.effect(
    Halts,
    Effect.map(Halts, (halts) => ({ ...halts, all: away }))
  ).pipe(Layer.provide(Halts.layerMemory))
  const page = await Effect.gen(function* () {
    return Exposition.render(yield* yield* MetricsPage.families({}))
  }).pipe(
    Effect.provide(
      Layer.mergeAll(halts, prices, Layer.provideMerge(Journal.layerMemory, Meters.layer)).pipe(
        Layer.provideMerge(MemoryState.layer)
      )
    ),
    Effect.runPromise
  )
  const metrics = parse(page)
  expect(metrics.get("signalbox_halted")?.samples.size).toBe(0)
  expect(metrics.get("signalbox_storage_writable")?.samples.size).toBe(1)
})

test("a metrics port serves the metrics without a token, and nothing else", async () => {
  const server = await start()
  const ask = (path: string, init: RequestInit = {}) =>
    server.edge.handleMetrics(new Request(`http://127.0.0.1${path}`, init), () => HERE)
  const told = await ask("/metrics")
  expect([told.status, parse(await told.text()).has("signalbox_alerts_stored_total")]).toEqual([200, true])
  expect((await ask("/metrics", { method: "HEAD" })).status).toBe(200)
  expect((await ask("/metrics", { method: "POST" })).status).toBe(405)
  for (const path of ["/", "/healthz", "/readyz", "/docs", "/openapi.json", "/v1/signals", "/metrics/"])
    expect([path, (await ask(path, bearer(server.ann))).status]).toEqual([path, 404])
  await server.stop()
})

test("a foreign page whose name resolves to this machine is rejected", async () => {
  const server = await start()
  const ask = (headers: Record<string, string>) =>
    server.edge.handleMetrics(new Request("http://localhost/metrics", { headers }), () => HERE)
  expect((await ask({ host: "127.0.0.1:8080" })).status).toBe(200)
  const refused = await ask({ host: "evil.example:8080" })
  expect(refused.status).toBe(403)
  expect(await refused.text()).not.toContain("signalbox_")
  expect((await ask({ host: "evil example" })).status).toBe(400)
  await server.stop()
})

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
