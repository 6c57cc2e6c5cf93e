import { afterAll, describe, expect, test } from "bun:test"
import type { Ccxt } from "../../src/ccxt/Ccxt.ts"
import { load } from "../../src/ccxt/load.ts"
import { EXCHANGE_NAMES } from "../../src/domain/Market.ts"

/** Every address in what a library's exchange knows. */
const addressesIn = (urls: unknown): ReadonlyArray<string> => {
  if (typeof urls === "string") return [urls]
  return typeof urls === "object" && urls !== null ? Object.values(urls).flatMap(addressesIn) : []
}

describe.each([...EXCHANGE_NAMES])("ccxt of %s", (name) => {
  test("is loaded with its streams, and sends requests only to the given base", async () => {
    const exchange = await load(name, "http://127.0.0.1:7001")
    expect(exchange.id).toBe(name)
    expect(exchange.enableRateLimit).toBe(true)
    for (const what of ["handleMessage", "watchTickers", "safeTicker", "safeTrade", "client"] as const)
      expect(exchange[what]).toBeFunction()
    const addresses = addressesIn(exchange.urls.api)
    expect(addresses.length).toBeGreaterThan(1)
    for (const address of addresses) expect(address).toMatch(/^(http|ws):\/\/127\.0\.0\.1:7001\//)
  })

  test("uses its own addresses over TLS without a base, and each instance is separate", async () => {
    const [one, two] = await Promise.all([load(name), load(name)])
    expect(one === two).toBe(false)
    for (const address of addressesIn(one.urls.api)) expect(address).toMatch(/^(https|wss):\/\//)
  })

  test("prints nothing while it is loaded and used", async () => {
    const exchange = await load(name)
    expect(exchange.log("secret")).toBeUndefined()
  })
})

const kinds = {
  binance: ["spot", "linear"],
  bybit: ["spot", "linear"],
  okx: ["spot", "swap"],
  kucoin: ["spot", "swap"]
}
test.each(Object.entries(kinds))("%s lists spot and linear markets alone: %j", async (name, types) => {
  const known = EXCHANGE_NAMES.find((one) => one === name)
  if (known === undefined) throw new Error(name)
  expect((await load(known)).options["fetchMarkets"]).toMatchObject({ types })
})

describe("an answer of which only the beginning comes", () => {
  let sent = 0
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch: (request) =>
      new Response(
        new ReadableStream({
          async pull(controller) {
            if (request.url.includes("AssetPairs")) await Bun.sleep(5)
            if (request.url.includes("AssetPairs") && sent > 0) return Bun.sleep(60_000)
            sent += 1
            controller.enqueue(new Uint8Array(request.url.includes("Ticker") ? 2 ** 20 : 1).fill(32))
          }
        }),
        { headers: { "content-type": "application/json" } }
      )
  })
  afterAll(() => server.stop(true))
  const kraken = async (): Promise<Ccxt> => {
    const exchange = await load("kraken", `http://127.0.0.1:${server.port}`)
    exchange.has["fetchCurrencies"] = false
    exchange.enableRateLimit = false
    return exchange
  }
  const failureOf = (asked: Promise<unknown>) =>
    asked.then(
      () => "none",
      (error: unknown) => (error instanceof Error ? error.name : String(error))
    )

  test("is given up in time", async () => {
    const exchange = await kraken()
    exchange.timeout = 50
    expect(await failureOf(exchange.fetchMarkets())).toBe("RequestTimeout")
  }, 2000)

  test("is given up if it never ends", async () => {
    const exchange = await kraken()
    exchange.timeout = 10_000
    Reflect.set(exchange, "markets", {})
    expect(await failureOf(exchange.fetchTickers())).toBe("NetworkError")
  }, 5000)
})

test("a ban is kept for as long as it lasts, other waits for an hour at most", async () => {
  let status = 418
  using server = Bun.serve({
    port: 0,
    fetch: () => new Response("{}", { status, headers: { "retry-after": "172800" } })
  })
  const heard: Array<number> = []
  const exchange = await load("kraken", `http://127.0.0.1:${server.port}`, {
    heard: (until) => heard.push(Math.round((until - Date.now()) / 60_000))
  })
  await exchange.fetchMarkets().catch(() => undefined)
  status = 503
  await exchange.fetchMarkets().catch(() => undefined)
  expect([...new Set(heard)]).toEqual([2880, 60])
})

test("bybit's 403 is a ban of ten minutes, and that of others is none", async () => {
  using server = Bun.serve({ port: 0, fetch: () => new Response("access too frequent", { status: 403 }) })
  const told = async (name: "bybit" | "okx") => {
    const heard: Array<number> = []
    const exchange = await load(name, `http://127.0.0.1:${server.port}`, {
      heard: (until) => heard.push(Math.round((until - Date.now()) / 1000))
    })
    await exchange.fetchTickers(["BTC/USDT"]).catch(() => undefined)
    return [...new Set(heard)]
  }
  expect(await told("bybit")).toEqual([600])
  expect(await told("okx")).toEqual([])
})
