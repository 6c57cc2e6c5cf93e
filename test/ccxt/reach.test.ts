import { afterAll, expect, test } from "bun:test"
import { descriptors } from "../../src/ccxt/descriptors.ts"
import { failureOf } from "../../src/ccxt/Failure.ts"
import { reach } from "../../src/ccxt/reach.ts"
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
      (error: unknown) => failureOf("binance", error, undefined)
    )
    expect(failure).toEqual({ reason: "it cannot be reached", pauseMs: 0, isLimit: false })
  }
})

test("each exchange has its own address, over TLS", () => {
  const homes = EXCHANGE_NAMES.map((name) => new URL(descriptors[name].home))
  expect(homes.every(({ protocol }) => protocol === "https:")).toBe(true)
  expect(new Set(homes.map(({ host }) => host)).size).toBe(EXCHANGE_NAMES.length)
})
