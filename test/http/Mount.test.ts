// The server mounted in another application under a prefix.
import { afterAll, expect, test } from "bun:test"
import { Effect, Layer, ManagedRuntime, Option, Redacted } from "effect"
import * as Decimal from "../../src/domain/Decimal.ts"
import { Http, toWebHandler } from "../../src/http/Mount.ts"
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
