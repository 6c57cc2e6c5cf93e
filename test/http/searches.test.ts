// Alerts and timelines by filters: what is found, where it goes on, and what is refused.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Effect, Layer, Logger, ManagedRuntime, Option, Redacted } from "effect"
import * as Edge from "../../src/http/edge/Edge.ts"
import * as Memory from "../../src/Memory.ts"
import { Accounts } from "../../src/services/Accounts.ts"
import * as Flow from "../lib/flow.ts"
import { scenario } from "../lib/http.ts"
import * as Servers from "../lib/server.ts"

const refused = {
  outcome: ["must be one of acted, ignored"],
  reason: ["must be a reason of an outcome, such as opened or below_min_profit"],
  from: ["must not be after to"]
}
scenario("filters that mean nothing are refused", [
  {
    send: "GET /v1/dashboard/alerts?outcome=lost&reason=greed&from=2&to=1",
    status: 422,
    json: { errors: refused }
  },
  { send: "GET /v1/dashboard/alerts?pair=A&pair=B", status: 422 },
  { send: "GET /v1/dashboard/alerts?reason=opened", as: "hook", status: 403 },
  { send: "GET /v1/dashboard/alerts?reason=opened", status: 200, is: { data: [] } },
  { send: "GET /v1/dashboard/strategies/9/timeline?entries=acted", status: 404 }
])

/** Searches in a row are more than the dashboard may send. */
const UNLIMITED = { rates: { crud: 0, alert: 0 } }

interface Row {
  readonly id: number
  readonly reason?: string | null
  readonly outcomes?: ReadonlyArray<{ readonly reason: string; readonly text: string }>
}

describe("searches among many alerts", () => {
  const quiet = Layer.merge(Layer.setTracerEnabled(false), Logger.replace(Logger.defaultLogger, Logger.none))
  const runtime = ManagedRuntime.make(
    Layer.mergeAll(Servers.notifying.pipe(Layer.provideMerge(Memory.layer(UNLIMITED))), quiet, Layer.scope)
  )
  /** Sells without a position, beside three alerts that act. */
  const MANY = 600
  let get: (path: string) => Promise<Response>
  const read = async (path: string) => {
    const response = await get(path)
    expect(response.status).toBe(200)
    const { data }: { readonly data: ReadonlyArray<Row> } = JSON.parse(await response.text())
    const next = /<([^>]*)>/.exec(response.headers.get("link") ?? "")?.[1]
    return { data, next: next?.replace("/v1/dashboard/", "") }
  }
  /** All pages of a search. */
  const all = async (path: string) => {
    const found: Array<Row> = []
    for (let at: string | undefined = path; at !== undefined; ) {
      const page: Awaited<ReturnType<typeof read>> = await read(at)
      found.push(...page.data)
      at = page.next
    }
    return found
  }

  beforeAll(async () => {
    const { edge, key } = await runtime.runPromise(
      Effect.gen(function* () {
        const edge = yield* Edge.make()
        const { identity, signal } = yield* Flow.ann({
          ...{ sell_minprofitpercent: 5, trailing_sell: true },
          ...{ trailing_sell_arm: 50, trailing_sell_percentage: 1 }
        })
        yield* Flow.quote(100)
        yield* Flow.say(identity, signal, "buy")
        yield* Flow.say(identity, signal, "sell")
        yield* Flow.quote(110)
        yield* Flow.say(identity, signal, "sell")
        for (let count = 0; count < MANY; count++) yield* Flow.send(identity, signal, "sell")
        yield* Flow.quote(200, { pair: "ETH/USDT" })
        yield* Flow.say(identity, signal, "buy", { pair: "ETH/USDT" })
        yield* Flow.caughtUp
        const { secret } = yield* (yield* Accounts).issue("ann", "full", Option.none())
        return { edge, key: Redacted.value(secret) }
      })
    )
    get = (path) =>
      edge.handle(
        new Request(`http://localhost/v1/dashboard/${path}`, { headers: { authorization: `Bearer ${key}` } }),
        () => "192.0.2.1"
      )
  })
  afterAll(() => runtime.dispose())

  test("alerts are found by outcome, reason and pair, and the text has the numbers that decided", async () => {
    const acted = await all("alerts?outcome=acted&limit=2")
    expect(acted.map(({ outcomes = [] }) => outcomes[0]?.reason)).toEqual(["opened", "closed", "opened"])
    expect((await all("alerts?reason=no_position&limit=500")).length).toBe(MANY)
    expect((await all("alerts?pair=eth")).length).toBe(1)
    const [held] = await all("alerts?reason=below_min_profit")
    expect(held?.outcomes?.[0]?.text).toMatch(/^ignored, closing now at 100 would (lose|make) .*5 %/)
    expect(await all("alerts?pair=DOGE")).toEqual([])
  })

  test("pages of a search neither skip nor repeat, and keep their filters", async () => {
    const ids = (await all("alerts?outcome=ignored&pair=BTC/USDT&limit=7")).map(({ id }) => id)
    expect(ids.length).toBe(MANY + 1)
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a))
    const { next } = await read("alerts?outcome=ignored&pair=BTC/USDT&limit=7")
    expect(next).toStartWith("alerts?outcome=ignored&pair=BTC%2FUSDT&limit=7&cursor=")
  })

  test("times cut a search at both ends", async () => {
    expect(await all("alerts?outcome=acted&to=0")).toEqual([])
    expect((await all("alerts?outcome=acted&from=0&to=99999999999")).length).toBe(3)
    expect(await all("alerts?outcome=acted&from=99999999998")).toEqual([])
  })

  test("a timeline is found by its parts, reasons and pairs", async () => {
    const acted = await all("strategies/1/timeline?entries=acted&limit=1")
    expect(acted.map(({ reason }) => reason)).toEqual(["opened", "closed", "opened"])
    expect((await all("strategies/1/timeline?entries=ignored&limit=500")).length).toBe(MANY + 1)
    expect((await all("strategies/1/timeline?reason=below_min_profit")).length).toBe(1)
    const rest = await all("strategies/1/timeline?entries=rest&limit=500")
    const whole = await all("strategies/1/timeline?limit=500")
    expect(rest.length).toBe(whole.length - MANY - 1)
    // The entry alert, the order, its fill and what followed of ETH alone.
    expect((await all("strategies/1/timeline?pair=ETH")).length).toBeGreaterThanOrEqual(3)
  })
})
