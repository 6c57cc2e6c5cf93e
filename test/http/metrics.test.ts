import { describe, expect, test } from "bun:test"
import { Effect, Layer } from "effect"
import { EXCHANGE_NAMES } from "../../src/domain/Market.ts"
import * as Exposition from "../../src/http/Exposition.ts"
import { isLoopback } from "../../src/http/Peer.ts"
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
const HERE = "127.0.0.1"

describe("the metrics", () => {
  test("are in the text format, with the exchange as their only label", async () => {
    const server = await start(NO_LIMITS, { residentBytes: () => 123_456_789 }, prices)
    const response = await server.fetch("/metrics", {}, HERE)
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
    const labels = [...metrics.values()].flatMap(({ samples }) => [...samples.keys()])
    const known = ["", ...EXCHANGE_NAMES.map((name) => `{exchange="${name}"}`)]
    expect(labels.filter((label) => !known.includes(label))).toEqual([])
    await server.stop()
  })

  test("count what is there: alerts, and nothing of prices where there are none", async () => {
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
    const metrics = parse(await (await server.fetch("/metrics", {}, HERE)).text())
    expect([...(metrics.get("signalbox_alerts_stored_total")?.samples ?? [])]).toEqual([["", 2]])
    expect(metrics.get("signalbox_prices_up")?.samples.size).toBe(0)
    expect(metrics.get("process_resident_memory_bytes")?.samples.size).toBe(0)
    await server.stop()
  })

  test("are told on this machine, and to a token of full scope", async () => {
    const server = await start()
    const status = async (peer: string, headers: Record<string, string> = {}, method = "GET") =>
      (await server.fetch("/metrics", { method, headers }, peer)).status
    const far = "203.0.113.7"
    for (const near of [HERE, "127.8.9.10", "::1", "::ffff:127.0.0.1"]) expect(await status(near)).toBe(200)
    expect(await status(HERE, {}, "HEAD")).toBe(200)
    expect(await status(HERE, {}, "POST")).toBe(405)
    expect(await status(far)).toBe(401)
    expect(await status(far, { authorization: `Bearer ${server.ann}` })).toBe(200)
    expect(await status(far, { authorization: `Bearer ${server.hook}` })).toBe(403)
    expect(await status(far, { authorization: "Bearer sbx_api_wrong" })).toBe(401)
    // A token in the address is for the webhook alone.
    expect((await server.fetch(`/metrics?key=${server.ann}`, {}, far)).status).toBe(401)
    // A proxy on this machine asks for somebody else, trusted or not.
    for (const name of ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"])
      expect([name, await status(HERE, { [name]: "127.0.0.1" })]).toEqual([name, 401])
    const passedOn = { "x-forwarded-for": far, authorization: `Bearer ${server.ann}` }
    expect(await status(HERE, passedOn)).toBe(200)
    const refused = await server.fetch("/metrics", {}, far)
    expect(refused.headers.get("www-authenticate")).toBe("Bearer")
    expect(JSON.parse(await refused.text())).toMatchObject({ code: "unauthorized", status: 401 })
    await server.stop()
  })

  test("wrong tokens are limited as everywhere", async () => {
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

test("health names the source of prices and how each exchange is doing, in words that are short", async () => {
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

test("what stands in help and labels is escaped, and odd numbers have their words", () => {
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

test.each(["# TYPE a gauge\na 1\n", "# HELP a b\n# TYPE a gauge\na 1", "# HELP a b\n# TYPE a gauge\nb 1\n"])(
  "the reader of these tests is strict: %j",
  (text) => expect(() => parse(text)).toThrow()
)

test.each([
  ["127.0.0.1", true],
  ["127.255.1.2", true],
  ["::1", true],
  ["::ffff:127.0.0.1", true],
  ["128.0.0.1", false],
  ["10.127.0.0", false],
  ["127.0.0.1.example", false],
  ["::ffff:10.0.0.1", false],
  ["::2", false],
  ["unknown", false],
  ["", false]
])("%s is this machine: %p", (address, expected) => {
  expect(isLoopback(address)).toBe(expected)
})

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
