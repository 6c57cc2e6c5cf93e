// Telemetry as a collector receives it.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ConfigProvider, Effect, Layer, Logger, LogLevel, Option, Redacted, Runtime, Schema } from "effect"
import * as Config from "../../src/Config.ts"
import { SignalId } from "../../src/domain/Signal.ts"
import * as Server from "../../src/Server.ts"
import { Accounts } from "../../src/services/Accounts.ts"
import { Candles } from "../../src/services/feeds/Candles.ts"
import { Meters } from "../../src/services/health/Meters.ts"
import * as PriceFeed from "../../src/services/PriceFeed.ts"
import { DEFAULT_PATIENCE } from "../../src/trading/AlertPatience.ts"
import { parse } from "../lib/exposition.ts"
import { caughtUp, quote, request } from "../lib/flow.ts"

/** A collector that keeps what it is sent, as it came. */
const collector = () => {
  const bodies: Array<{ readonly path: string; readonly text: string; readonly headers: Headers }> = []
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (sent) => {
      bodies.push({ path: new URL(sent.url).pathname, text: await sent.text(), headers: sent.headers })
      return Response.json({ partialSuccess: {} })
    }
  })
  return { bodies, url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-otlp-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A whole server, listening, with prices published by hand, and these variables. */
const withServer = async (
  variables: Record<string, string>,
  act: (world: {
    readonly url: string
    readonly full: string
    readonly hook: string
    readonly go: <A, E>(self: Effect.Effect<A, E, World>) => Promise<A>
  }) => Promise<void>
) => {
  const provider = ConfigProvider.fromMap(
    new Map([["SIGNALBOX_DB", join(folder, `${crypto.randomUUID()}.db`)], ...Object.entries(variables)])
  )
  await Effect.gen(function* () {
    const options = { ...(yield* Config.serverOptions), port: 0, crudRate: 0 }
    const layer = Server.listening(options).pipe(
      Layer.provideMerge(Server.domain(options, DEFAULT_PATIENCE)),
      Layer.provideMerge(Layer.merge(PriceFeed.layer("by hand"), Candles.layerNone)),
      Layer.provide(Layer.merge(Meters.layer, Server.telemetry))
    )
    yield* Effect.gen(function* () {
      const { url } = yield* Server.Server
      const accounts = yield* Accounts
      const issue = (scope: "full" | "alerts") =>
        Effect.map(accounts.issue("ann", scope, Option.none()), ({ secret }) => Redacted.value(secret))
      const [full, hook] = [yield* issue("full"), yield* issue("alerts")]
      const runtime = yield* Effect.runtime<World>()
      const go = <A, E>(self: Effect.Effect<A, E, World>) => Runtime.runPromise(runtime)(Effect.orDie(self))
      yield* Effect.promise(() => act({ url, full, hook, go }))
    }).pipe(Effect.provide(layer))
  }).pipe(
    Effect.withConfigProvider(provider),
    Logger.withMinimumLogLevel(LogLevel.Debug),
    Effect.provide(Logger.replace(Logger.defaultLogger, Logger.none)),
    Effect.runPromise
  )
}
type World = Layer.Layer.Success<ReturnType<typeof Server.domain>> | PriceFeed.PriceFeed

const Attributes = Schema.Array(
  Schema.Struct({
    key: Schema.String,
    value: Schema.Record({
      key: Schema.String,
      value: Schema.Union(Schema.String, Schema.Number, Schema.Boolean)
    })
  })
)
const Id = (digits: number) => Schema.String.pipe(Schema.pattern(new RegExp(`^[0-9a-f]{${digits}}$`)))
const Nanos = Schema.String.pipe(Schema.pattern(/^1[0-9]{18}$/))
const Link = Schema.Struct({ traceId: Id(32), spanId: Id(16) })
const Span = Schema.Struct({
  ...Link.fields,
  parentSpanId: Schema.optional(Id(16)),
  name: Schema.String,
  kind: Schema.Literal(1, 2, 3),
  startTimeUnixNano: Nanos,
  endTimeUnixNano: Nanos,
  attributes: Attributes,
  links: Schema.optional(Schema.Array(Link)),
  status: Schema.Struct({ code: Schema.optional(Schema.Literal(2)), message: Schema.optional(Schema.String) })
})
const Resource = Schema.Struct({ attributes: Attributes })
const Traces = Schema.Struct({
  resourceSpans: Schema.Tuple(
    Schema.Struct({
      resource: Resource,
      scopeSpans: Schema.Tuple(Schema.Struct({ scope: Schema.Any, spans: Schema.Array(Span) }))
    })
  )
})
const Lines = Schema.Struct({
  resourceLogs: Schema.Tuple(
    Schema.Struct({
      resource: Resource,
      scopeLogs: Schema.Tuple(
        Schema.Struct({
          scope: Schema.Any,
          logRecords: Schema.Array(
            Schema.Struct({
              timeUnixNano: Nanos,
              observedTimeUnixNano: Nanos,
              severityNumber: Schema.Int,
              severityText: Schema.String,
              body: Schema.Struct({ stringValue: Schema.String }),
              attributes: Attributes,
              traceId: Schema.optional(Id(32))
            })
          )
        })
      )
    })
  )
})
const Points = Schema.Struct({ dataPoints: Schema.Array(Schema.Any) })
const Sums = Schema.Struct({
  ...Points.fields,
  aggregationTemporality: Schema.Literal(2),
  isMonotonic: Schema.optional(Schema.Literal(true))
})
const Figures = Schema.Struct({
  resourceMetrics: Schema.Tuple(
    Schema.Struct({
      resource: Resource,
      scopeMetrics: Schema.Tuple(
        Schema.Struct({
          scope: Schema.Any,
          metrics: Schema.Array(
            Schema.Struct({
              name: Schema.String,
              description: Schema.String,
              unit: Schema.Literal("s", "By", "1"),
              gauge: Schema.optional(Points),
              sum: Schema.optional(Sums),
              histogram: Schema.optional(Sums)
            })
          )
        })
      )
    })
  )
})

const exactly = { onExcessProperty: "error" } as const
const valueOf = (attributes: typeof Attributes.Type, key: string) =>
  Object.values(attributes.find((it) => it.key === key)?.value ?? {})[0]

const KEY_OF_COLLECTOR = "key-of-the-collector"

test("one trace leads from an alert to its fill; metrics and logs are sent too, and none of them contains a key", async () => {
  const { bodies, stop, url: endpoint } = collector()
  const variables = {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: `api-key=${KEY_OF_COLLECTOR}`,
    OTEL_BSP_SCHEDULE_DELAY: "50",
    OTEL_SERVICE_NAME: "mine"
  }
  let secrets: ReadonlyArray<string> = []
  await withServer(variables, async ({ full, go, hook, url }) => {
    secrets = [full, hook]
    const headers = { authorization: `Bearer ${full}` }
    const post = (path: string, body: string | URLSearchParams, more = {}) =>
      fetch(url + path, { method: "POST", body, headers: { ...headers, ...more } })
    await post("/v1/signals", new URLSearchParams({ name: "a", description: "", active: "1", public: "0" }))
    const settings = request({ signal_id: SignalId.make(1), sell_minprofitpercent: 5 })
    await post("/v1/strategies", JSON.stringify(settings), { "content-type": "application/json" })
    await go(quote(100))
    const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`
    const alert = { id: "7", signal_id: 1, coin: "BTC", quote_currency: "USDT", type: "buy" }
    for (const key of [hook, hook, `${hook}x`]) {
      const init = { method: "POST", body: JSON.stringify(alert), headers: { traceparent } }
      await fetch(`${url}/v1/signals/charting?key=${key}&coin=BTC`, init)
    }
    await go(caughtUp)
    // The resting take profit is reached: an order of the bot's own.
    await go(quote(106))
    await go(caughtUp)
    const metrics = parse(await (await fetch(`${url}/metrics`, { headers })).text())
    const count = (name: string, labels = "") => metrics.get(name)?.samples.get(labels)
    expect(count("signalbox_outcomes_total", '{outcome="acted",reason="opened"}')).toBe(1)
    expect(count("signalbox_orders_total", '{purpose="entry"}')).toBe(1)
    expect(count("signalbox_orders_total", '{purpose="exit"}')).toBe(1)
    expect(count("signalbox_fills_total")).toBe(2)
    expect(count("signalbox_trades_total")).toBe(1)
    expect(count("signalbox_bots")).toBe(1)
    expect(count("signalbox_positions_open")).toBe(0)
    expect(count("signalbox_alerts_behind")).toBe(0)
    expect(count("signalbox_engine_prices_total")).toBe(2)
    expect(count("signalbox_journal_commit_alerts", "_count")).toBe(2)
    expect(count("signalbox_build_info", `{version="0.1.0",runtime="bun ${Bun.version}"}`)).toBe(1)
  })
  stop()
  const sent = (path: string) =>
    bodies.filter((body) => body.path === path).map(({ text }) => JSON.parse(text))
  expect(new Set(bodies.map(({ path }) => path))).toEqual(new Set(["/v1/traces", "/v1/metrics", "/v1/logs"]))
  for (const { headers, text } of bodies) {
    expect(headers.get("api-key")).toBe(KEY_OF_COLLECTOR)
    expect(headers.get("content-type")).toBe("application/json")
    for (const secret of [...secrets, KEY_OF_COLLECTOR, "key=sbx", "coin=BTC", "sbx_hook_"])
      expect(text).not.toContain(secret)
  }

  const traces = sent("/v1/traces").map((body) => Schema.decodeUnknownSync(Traces, exactly)(body))
  expect(valueOf(traces[0]?.resourceSpans[0].resource.attributes ?? [], "service.name")).toBe("mine")
  const spans = traces.flatMap(({ resourceSpans }) => resourceSpans[0].scopeSpans[0].spans)
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length)
  for (const span of spans)
    expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano))
  const first = spans.find(
    ({ name, parentSpanId }) => name.includes("charting") && parentSpanId === undefined
  )
  const whole = spans.filter(({ traceId }) => traceId === first?.traceId)
  const tree = (parent: string | undefined): unknown =>
    Object.fromEntries(
      whole.filter((it) => it.parentSpanId === parent).map((it) => [it.name, tree(it.spanId)])
    )
  expect(tree(undefined)).toEqual({
    "POST /v1/signals/charting": { "append to journal": {}, "judge alert": { "order buy": { fill: {} } } }
  })
  const judged = whole.find(({ name }) => name === "judge alert")
  expect(valueOf(judged?.attributes ?? [], "signalbox.reason")).toBe("opened")
  expect(valueOf(judged?.attributes ?? [], "signalbox.alert.id")).toBe("1")
  expect(first?.links).toEqual([{ traceId: "a".repeat(32), spanId: "b".repeat(16) }])
  // The second sending is a trace of its own that names the first; a wrong key is one too.
  const again = spans.filter(({ name, traceId }) => name.includes("charting") && traceId !== first?.traceId)
  expect(again.map(({ links }) => links?.map(({ traceId }) => traceId).slice(1))).toEqual([
    [first?.traceId ?? ""],
    []
  ])
  expect(again.map(({ attributes }) => valueOf(attributes, "http.response.status_code"))).toEqual([
    "200",
    "401"
  ])
  const exit = spans.find(({ name }) => name === "order sell")
  expect(valueOf(exit?.attributes ?? [], "signalbox.order.exit_reason")).toBe("take_profit")

  const lines = sent("/v1/logs")
    .map((body) => Schema.decodeUnknownSync(Lines, exactly)(body))
    .flatMap(({ resourceLogs }) => resourceLogs[0].scopeLogs[0].logRecords)
  const opened = lines.find(({ body }) => body.stringValue === "alert acted")
  expect(opened?.traceId).toBe(first?.traceId ?? "")
  expect(lines.map(({ body }) => body.stringValue)).toContain("POST /v1/signals/charting 200")

  const figures = sent("/v1/metrics")
    .map((body) => Schema.decodeUnknownSync(Figures, exactly)(body))
    .at(-1)
  const metrics = figures?.resourceMetrics[0].scopeMetrics[0].metrics ?? []
  const fills = metrics.find(({ name }) => name === "signalbox_fills")
  expect(fills?.sum).toMatchObject({
    isMonotonic: true,
    aggregationTemporality: 2,
    dataPoints: [{ asDouble: 2 }]
  })
  const commits = metrics.find(({ name }) => name === "signalbox_journal_commit_duration_seconds")
  expect(commits).toMatchObject({ unit: "s", histogram: { dataPoints: [{ count: "2" }] } })
}, 30_000)

test("a missing collector causes one line in the log and nothing else, and without the variable nothing is sent", async () => {
  await withServer(
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1", OTEL_BSP_SCHEDULE_DELAY: "10" },
    async ({ url }) => {
      for (let times = 0; times < 20; times++) expect((await fetch(`${url}/readyz`)).status).toBe(200)
    }
  )
  await withServer(
    { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc", OTEL_EXPORTER_OTLP_ENDPOINT: "x" },
    async ({ url }) => {
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
    }
  )
}, 30_000)
