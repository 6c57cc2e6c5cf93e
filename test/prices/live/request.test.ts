import { expect, test } from "bun:test"
import type { Ccxt } from "../../../src/ccxt/Ccxt.ts"
import { load } from "../../../src/ccxt/load.ts"
import { request } from "../../../src/prices/streaming/request.ts"

/** An exchange whose requests answer what is said here. */
const answering = async (said: Partial<Ccxt>): Promise<Ccxt> => Object.assign(await load("kraken"), said)
const BTC = { symbol: "BTC/USDT", bid: 1, ask: 2 }
const ETH = { symbol: "ETH/USDT", bid: 3, ask: 4 }
const known = new Map([
  ["BTC/USDT", BTC],
  ["ETH/USDT", ETH]
])

test("tickers are returned by symbol, from an object or a list", async () => {
  for (const answer of [{ "BTC/USDT": BTC, x: ETH }, [BTC, ETH, null, "nonsense", 7]])
    expect(
      await request(await answering({ fetchTickers: async () => answer }), "tickers", ["BTC/USDT"])
    ).toEqual(known)
  expect(await request(await answering({ fetchBidsAsks: async () => [BTC, ETH] }), "bidsAsks", [])).toEqual(
    known
  )
})

test("an answer without a ticker is a failure: half an answer, a page for people, nothing", async () => {
  for (const answer of [undefined, null, "<html>", {}, [], { error: "busy" }]) {
    const exchange = await answering({ fetchTickers: async () => answer })
    expect(request(exchange, "tickers", ["BTC/USDT"])).rejects.toThrow("no ticker in the answer")
  }
})

test("where each market is requested by itself, a failed one does not affect the others", async () => {
  const exchange = await answering({
    fetchTicker: async (symbol) => known.get(symbol) ?? Promise.reject(new Error(`no ${symbol}`))
  })
  expect(await request(exchange, "ticker", ["XYZ/USDT", "BTC/USDT", "ETH/USDT"])).toEqual(known)
  expect(request(exchange, "ticker", ["XYZ/USDT"])).rejects.toThrow("no XYZ/USDT")
})

test("a symbol named like a built-in object field is treated like any other", async () => {
  const answer = JSON.parse(
    `[{"symbol":"__proto__","bid":1,"ask":2},{"symbol":"constructor","bid":1,"ask":2}]`
  )
  const answers = await request(await answering({ fetchTickers: async () => answer }), "tickers", [])
  expect([...answers.keys()]).toEqual(["__proto__", "constructor"])
  expect(answers.get("toString")).toBeUndefined()
})
