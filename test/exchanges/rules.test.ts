// What exchanges do to clients that ask too much: the stubs do it too, or nobody would notice before the real ones.
import { expect, test } from "bun:test"
import { load } from "../../src/ccxt/load.ts"
import { Pair } from "../../src/domain/Market.ts"
import { binance } from "./binance.ts"
import { bybit } from "./bybit.ts"
import type { StubMarket } from "./Protocol.ts"
import { Stub } from "./Stub.ts"

const markets = "ABCDEFGHIJK".split("").map(
  (letter): StubMarket => ({
    ...{ pair: Pair.make(`${letter}${letter}/USDT`), kind: "spot", priceStep: "0.1", amountStep: "0.001" },
    ...{ minAmount: "0.001", minCost: "5" }
  })
)
const symbols = markets.map(({ pair }) => pair)

test("bybit accepts ten spot topics at a time", async () => {
  const stub = await Stub.start(bybit, markets)
  const exchange = await load("bybit", stub.url)
  exchange.enableRateLimit = false
  await expect(exchange.watchTickers([...symbols])).rejects.toThrow("args size >10")
  expect(stub.subscriptions().size).toBe(0)
  await exchange.watchTickers(symbols.slice(0, 10))
  expect(stub.subscriptions().size).toBe(10)
  await exchange.close()
  await stub.stop()
})

test("binance closes a spot stream that receives more than five frames in a second", async () => {
  const stub = await Stub.start(binance, markets)
  const socket = new WebSocket(`${stub.url.replace("http", "ws")}/stream.binance.com:9443/ws/0`)
  const closed = new Promise<number>((done) => {
    socket.addEventListener("close", ({ code }) => done(code))
  })
  await new Promise((done) => {
    socket.addEventListener("open", done)
  })
  for (const [index, pair] of symbols.slice(0, 6).entries()) {
    const params = [`${pair.replace("/", "").toLowerCase()}@bookTicker`]
    socket.send(JSON.stringify({ method: "SUBSCRIBE", params, id: index }))
  }
  expect(await closed).toBe(1008)
  await stub.stop()
})
