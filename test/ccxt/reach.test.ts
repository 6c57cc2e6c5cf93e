import { afterAll, expect, test } from "bun:test"
import { failureOf } from "../../src/ccxt/Failure.ts"
import { HOMES, reach } from "../../src/ccxt/reach.ts"
import { EXCHANGE_NAMES } from "../../src/domain/Market.ts"

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: () => new Response("", { status: 503, headers: { location: "http://127.0.0.1:1/" } })
})
afterAll(() => server.stop(true))

test("any answer counts as reachable", async () => {
  expect(await reach(server.url.href)).toBeUndefined()
})

test("an unreachable host or unknown name fails with a reason", async () => {
  for (const home of ["http://127.0.0.1:1", "http://nowhere.invalid"]) {
    const failure = await reach(home).then(
      () => undefined,
      (error: unknown) => failureOf(error, undefined)
    )
    expect(failure).toEqual({ reason: "it cannot be reached", pauseMs: 0 })
  }
})

test("each exchange has its own address, over TLS", () => {
  const homes = EXCHANGE_NAMES.map((name) => new URL(HOMES[name]))
  expect(homes.every(({ protocol }) => protocol === "https:")).toBe(true)
  expect(new Set(homes.map(({ host }) => host)).size).toBe(7)
})
