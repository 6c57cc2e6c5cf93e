// The page's typed client: paths, paging, rate limits, errors and expired sessions.
import { describe, expect, test } from "bun:test"
import { Problem } from "../../src/web/page/Problem.ts"
import { make, urlOf } from "../../src/web/page/requests.ts"

const routes = {
  "signals.list": ["GET", "/v1/signals"],
  "signals.get": ["GET", "/v1/signals/:id"],
  "signals.create": ["POST", "/v1/signals"]
} as const

/** A server that gives the answers in turn, and what it was asked. */
const world = (...answers: ReadonlyArray<() => Response>) => {
  const asked: Array<{ url: string; init: RequestInit }> = []
  const waits: Array<number> = []
  let out = 0
  const client = make({
    routes,
    fetch: async (url, init) => {
      const answer = answers[asked.push({ url, init }) - 1]
      if (answer === undefined) throw new TypeError("fetch failed")
      return answer()
    },
    sleep: async (ms) => {
      waits.push(ms)
    },
    signedOut: () => {
      out += 1
    }
  })
  return { ...client, asked, waits, out: () => out }
}
const json = (body: unknown, status = 200, headers: Record<string, string> = {}) => {
  const type = status < 400 ? "application/json" : "application/problem+json"
  return () => new Response(JSON.stringify(body), { status, headers: { "content-type": type, ...headers } })
}
const refusal = (status: number, headers: Record<string, string> = {}) =>
  json({ code: "some_code", message: "because", errors: { name: ["must not be empty"] } }, status, headers)
const thrown = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (fault: unknown) => fault
  )

describe("a call to the server", () => {
  test("goes to the operation's path by its method, with the payload as JSON and no token", async () => {
    const payload = { name: "a", description: "b", active: true, public: false }
    const { asked, call } = world(json({ id: 7 }, 201))
    expect<unknown>(await call("signals", "create", { payload })).toEqual({ id: 7 })
    const [{ init, url } = { url: "", init: {} }] = asked
    expect(url).toBe("/v1/signals")
    expect(init).toMatchObject({ method: "POST", credentials: "same-origin", body: JSON.stringify(payload) })
    expect(init.headers).toEqual({ accept: "application/json", "content-type": "application/json" })
  })

  test("returns the next page's cursor", async () => {
    const link = '</v1/signals?limit=2&cursor=Mg>; rel="next"'
    const { asked, paged } = world(json({ data: [] }, 200, { link }), json({ data: [] }))
    expect((await paged("signals", "list", { urlParams: { limit: 2 } })).next).toBe("Mg")
    expect((await paged("signals", "list", { urlParams: { limit: 2, cursor: "Mg" } })).next).toBeUndefined()
    expect(asked.map(({ url }) => url)).toEqual(["/v1/signals?limit=2", "/v1/signals?limit=2&cursor=Mg"])
  })

  test("waits when it is told to, but not for ever", async () => {
    const slow = () => refusal(429, { "retry-after": "12" })
    const { call, waits } = world(slow(), slow(), json({ data: [] }))
    expect<unknown>(await call("signals", "list")).toEqual({ data: [] })
    expect(waits).toEqual([12_000, 12_000])
    const never = world(slow(), slow(), slow(), slow())
    expect(await thrown(never.call("signals", "list"))).toMatchObject({ status: 429 })
    expect(never.waits).toEqual([12_000, 12_000])
  })

  test("throws a refusal with its code, words and fields, once", async () => {
    const { asked, call, out } = world(refusal(422))
    const problem = await thrown(call("signals", "get", { path: { id: 1 } }))
    expect(problem).toBeInstanceOf(Problem)
    expect(problem).toMatchObject({
      status: 422,
      code: "some_code",
      message: "because",
      errors: { name: ["must not be empty"] }
    })
    expect([asked.length, out()]).toEqual([1, 0])
  })

  test("signs out when the session has ended", async () => {
    const { call, out } = world(refusal(401))
    const message = "The session ended before this was done. Please try again."
    expect(await thrown(call("signals", "list"))).toMatchObject({ status: 401, message })
    expect(out()).toBe(1)
  })

  test("says so if there is no server, or if the answer is not the server's", async () => {
    expect(await thrown(world().call("signals", "list"))).toMatchObject({ status: 0, code: "unreachable" })
    const proxy = () => new Response("<h1>Bad gateway</h1>", { status: 502 })
    expect(await thrown(world(proxy).call("signals", "list"))).toMatchObject({
      status: 502,
      message: "The server answered 502."
    })
  })
})

test("an address contains only what was asked for, escaped", () => {
  expect(urlOf("/v1/a/:id/b", { path: { id: "x/?#" } })).toBe("/v1/a/x%2F%3F%23/b")
  expect(urlOf("/v1/a", { urlParams: { limit: 5, cursor: undefined, q: "a&b", many: [1, 2] } })).toBe(
    "/v1/a?limit=5&q=a%26b&many=1&many=2"
  )
})
