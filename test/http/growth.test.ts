// The adversary: somebody who keeps within the sizes that each door takes, and sends what makes reading slow. Doors are
// those of the server's own description: one that takes something that nobody here makes hostile fails the test.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Effect, Layer, Logger, ManagedRuntime, Option, Redacted } from "effect"
import { Http } from "../../src/http/Mount.ts"
import * as Memory from "../../src/Memory.ts"
import { Accounts } from "../../src/services/Accounts.ts"
import { flawOf, TIMES } from "../lib/growth.ts"
import { NO_LIMITS } from "../lib/server.ts"
import { type Asked, DOORS, GOOD, UNUSED } from "./growth/Doors.ts"

const quiet = Layer.merge(Layer.setTracerEnabled(false), Logger.replace(Logger.defaultLogger, Logger.none))
const runtime = ManagedRuntime.make(
  Http.layer().pipe(Layer.provideMerge(Memory.layer({ rates: NO_LIMITS })), Layer.provideMerge(quiet))
)
let handle: (request: Request, peer: string) => Promise<Response>
let token = ""
let peers = 0

/** Sends a request from a network of its own, because wrong tokens are counted, and reads the whole answer. */
const send = async ({ init, target }: Asked): Promise<number> => {
  const headers = new Headers(init.headers)
  if (!headers.has("authorization")) headers.set("authorization", `Bearer ${token}`)
  const peer = `10.${(++peers >> 16) & 255}.${(peers >> 8) & 255}.${peers & 255}`
  const response = await handle(new Request(`http://localhost${target}`, { ...init, headers }), peer)
  if (response.headers.get("content-type")?.startsWith("text/event-stream")) await response.body?.cancel()
  else await response.arrayBuffer()
  return response.status
}

beforeAll(async () => {
  handle = (await runtime.runPromise(Http)).handle
  const issued = Effect.flatMap(Accounts, (accounts) => accounts.issue("ann", "full", Option.none()))
  token = Redacted.value((await runtime.runPromise(issued)).secret)
})
afterAll(() => runtime.dispose())

test("every sample body that the growth test starts from is accepted", async () => {
  expect(UNUSED).toEqual([])
  for (const [name, body] of Object.entries(GOOD)) {
    const [method = "", path = ""] = name.split(" ")
    const headers = { "content-type": "application/json" }
    const init = { method, headers, body: JSON.stringify(body) }
    const status = await send({ target: path.replace("{id}", "1"), init })
    // The webhook needs a key in its address, nobody is signed in, no exchange account is connected, and nothing is open.
    if (!MAY_FAIL.has(name)) expect([name, status]).toEqual([name, status < 300 ? status : 200])
  }
})
const MAY_FAIL = new Set([
  "POST /v1/signals/charting",
  "POST /v1/dashboard/session",
  "PUT /v1/dashboard/exchange",
  "PUT /v1/dashboard/market",
  "POST /v1/dashboard/markets/refreshes",
  "POST /v1/dashboard/candles/download",
  "POST /v1/dashboard/candles/remove",
  "POST /v1/strategies/{id}/arming",
  "POST /v1/strategies/{id}/positions/close",
  "POST /v1/strategies/{id}/positions/cancel",
  "POST /v1/strategies/{id}/positions/targets"
])

describe("the work of a request grows with its input and blocks nobody", () => {
  for (const { inputs, name } of DOORS)
    test(name, async () => {
      const flaws: Array<string> = []
      for (const { ask, name: input, shapes, size } of inputs)
        for (const [shape, text] of Object.entries(shapes)) {
          const [small, large] = [text(size / TIMES), text(size)]
          const flaw = await flawOf((it) => send(keyed(ask(it))), small, large)
          if (flaw !== undefined) flaws.push(`${input}, ${shape}: ${flaw}`)
        }
      expect(flaws).toEqual([])
    }, 120_000)
})

/** The webhook takes its key from the address. */
const keyed = ({ init, target }: Asked): Asked =>
  target.startsWith("/v1/signals/charting")
    ? { init, target: `${target}${target.includes("?") ? "&" : "?"}key=${token}` }
    : { init, target }
