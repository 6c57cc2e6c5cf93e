// The server mounted in another application under a prefix.
import { afterAll, expect, test } from "bun:test"
import { HttpApp, HttpRouter, HttpServerResponse } from "@effect/platform"
import { Effect, Layer, ManagedRuntime, Option, Redacted, Schema } from "effect"
import * as Decimal from "../../src/domain/Decimal.ts"
import { app, Http, toWebHandler } from "../../src/http/Mount.ts"
import { docs } from "../../src/http/ReferencePage.ts"
import * as Memory from "../../src/Memory.ts"
import { Accounts } from "../../src/services/Accounts.ts"
import { Performance } from "../../src/services/Performance.ts"

const { dispose, handle } = toWebHandler(Memory.layer(), { prefix: "/trading/" })
afterAll(dispose)

const ask = async (url: string, init?: RequestInit) => (await handle(new Request(url, init))).status

test("a mounted server answers below its prefix, and nowhere else", async () => {
  expect(await ask("http://localhost/trading/healthz")).toBe(200)
  expect(await ask("http://localhost/trading/v1/signals?limit=1")).toBe(401)
  for (const path of [
    "/healthz",
    "/",
    "/tradinghealthz",
    "/other/healthz",
    "/v1/signals",
    "/trading/trading/healthz"
  ])
    expect([path, await ask(`http://localhost${path}`)]).toEqual([path, 404])
})

test("the reference page is there if its door is given, below the prefix, and else not at all", async () => {
  expect(await ask("http://localhost/trading/docs")).toBe(404)
  expect(await ask("http://localhost/trading/openapi.json")).toBe(200)
  const readable = toWebHandler(Memory.layer(), { prefix: "/t", docs })
  const page = await readable.handle(new Request("http://localhost/t/docs"))
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
  await readable.dispose()
})

test("methods, headers and bodies reach the mounted server", async () => {
  const runtime = ManagedRuntime.make(Layer.provideMerge(Http.layer({ prefix: "/t" }), Memory.layer()))
  const { handle } = await runtime.runPromise(Http)
  const { secret } = await runtime.runPromise(
    Effect.flatMap(Accounts, (accounts) => accounts.issue("me", "full", Option.none()))
  )
  const headers = { authorization: `Bearer ${Redacted.value(secret)}`, "content-type": "application/json" }
  const body = JSON.stringify({ name: "ü", description: "", active: true, public: false })
  const made = await handle(new Request("http://localhost/t/v1/signals", { method: "POST", headers, body }))
  expect(made.status).toBe(201)
  expect(await made.json()).toMatchObject({ name: "ü" })
  await runtime.dispose()
})

/** The statuses and addresses in answers of a mounted server, asked for with a token of its own. */
const addresses = async (server: (request: Request) => Promise<Response>, authorization: string) => {
  const send = (method: string, path: string, body?: unknown) =>
    server(
      new Request(`http://localhost/t${path}`, {
        method,
        headers: { authorization, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
    )
  const signal = { name: "one", description: "", active: true, public: false }
  const first = await send("POST", "/v1/signals", signal)
  await send("POST", "/v1/signals", { ...signal, name: "two" })
  const location = first.headers.get("location") ?? ""
  const page = await send("GET", "/v1/signals?limit=1")
  const [, next = ""] = /<\/t(.*)>; rel="next"/.exec(page.headers.get("link") ?? "") ?? []
  const { id } = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.Number }))(await first.json())
  const alert = await send("POST", "/v1/signals/alert", { signal_id: id, action: "buy", ticker: "BTC/USDT" })
  return {
    location: [location, (await send("GET", location.slice(2))).status],
    next: (await send("GET", next)).status,
    alert: [alert.status, alert.headers.get("location")?.replace(/\d+$/, "N")],
    template: (await (await send("GET", `/v1/signals/${id}/template`)).text()).includes(
      '"/t/v1/signals/charting'
    ),
    servers: /"servers":(\[[^\]]*\])/.exec(await (await send("GET", "/openapi.json")).text())?.[1]
  }
}

const issue = Effect.flatMap(Accounts, (accounts) => accounts.issue("me", "full", Option.none()))

const unlimited = Memory.layer({ rates: { crud: 0, alert: 0 } })

const OTHERS = {
  next: 200,
  alert: [200, "/t/v1/alerts/N"],
  template: true,
  servers: '[{"url":"/t"}]'
}
const BENEATH = { location: ["/t/v1/signals/1", 200], ...OTHERS }

test("every address in an answer begins with the mount path, and leads back to the server", async () => {
  const runtime = ManagedRuntime.make(Layer.provideMerge(Http.layer({ prefix: "/t/" }), unlimited))
  const { handle } = await runtime.runPromise(Http)
  const { secret } = await runtime.runPromise(issue)
  expect(await addresses(handle, `Bearer ${Redacted.value(secret)}`)).toEqual(BENEATH)
  await runtime.dispose()
})

test("an app of @effect/platform answers with the same addresses, whether a router strips the path or none is there", async () => {
  const runtime = ManagedRuntime.make(Layer.provideMerge(Http.layer({ prefix: "/t" }), unlimited))
  const { secret } = await runtime.runPromise(issue)
  const stripped = HttpRouter.mountApp(HttpRouter.empty, "/t", app)
  const kept = HttpRouter.mountApp(HttpRouter.empty, "/t", app, { includePrefix: true })
  for (const routed of [stripped, kept, app]) {
    const handle = HttpApp.toWebHandlerRuntime(await runtime.runtime())(
      Effect.catchAll(routed, () => HttpServerResponse.empty({ status: 404 }))
    )
    const { location, next, alert, template, servers } = await addresses(
      (request) => handle(request),
      `Bearer ${Redacted.value(secret)}`
    )
    expect({ next, alert, template, servers, found: location[1] }).toEqual({ ...OTHERS, found: 200 })
  }
  await runtime.dispose()
})

test("wrong tokens are limited by the caller's address if the host gives one", async () => {
  const wrong = { headers: { authorization: "Bearer wrong" } }
  const from = async (peer: string) =>
    (await handle(new Request("http://localhost/trading/v1/signals", wrong), peer)).status
  const statuses: Array<number> = []
  for (let count = 0; count < 12; count++) statuses.push(await from("203.0.113.7"))
  expect([statuses[0], statuses.at(-1)]).toEqual([401, 429])
  expect(await from("198.51.100.7")).toBe(401)
})

test("an app's own figures appear beside the built-in ones, which do not change", async () => {
  const measured = (layer: Layer.Layer<Performance>) =>
    Effect.runSync(
      Effect.provide(
        Effect.map(Performance, ({ begin, summary }) => summary(begin(Decimal.hundred, 0), 0)),
        layer
      )
    )
  const { figures, ...others } = measured(Performance.with({ answer: () => 42, none: () => null }))
  expect(figures).toEqual({ answer: 42, none: null })
  expect(measured(Performance.layer)).toEqual(others)
})
