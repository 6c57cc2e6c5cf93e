// What can go wrong with a stub does go wrong when it is switched on, and is well again when it is switched off.
import { afterEach, beforeEach, expect, test } from "bun:test"
import type { Ccxt } from "../../src/ccxt/Ccxt.ts"
import { load } from "../../src/ccxt/load.ts"
import { Pair } from "../../src/domain/Market.ts"
import { okx } from "./okx.ts"
import type { StubMarket } from "./Protocol.ts"
import { Stub } from "./Stub.ts"

const market: StubMarket = {
  ...{ pair: Pair.make("BTC/USDT"), kind: "spot", priceStep: "0.1", amountStep: "0.001" },
  ...{ minAmount: "0.001", minCost: "0" }
}
const TOPIC = { channel: "tickers", instId: "BTC-USDT" }
const SUBSCRIBE = JSON.stringify({ op: "subscribe", args: [TOPIC] })

let stub: Stub
let exchange: Ccxt
let sockets: Array<Client> = []

beforeEach(async () => {
  stub = await Stub.start(okx, [market])
  exchange = await load("okx", stub.url)
  exchange.enableRateLimit = false
  await exchange.loadMarkets()
})
afterEach(async () => {
  for (const { socket } of sockets) socket.terminate()
  sockets = []
  await stub.stop()
})

/** A bare client: the library would hide what comes over the wire. */
class Client {
  readonly socket: WebSocket
  readonly heard: Array<string> = []
  pongs = 0
  closed = false

  constructor() {
    this.socket = new WebSocket(`${stub.url.replace("http", "ws")}/ws.okx.com:8443/ws/v5/public`)
    this.socket.addEventListener("message", ({ data }) => this.heard.push(String(data)))
    this.socket.addEventListener("close", () => {
      this.closed = true
    })
    this.socket.addEventListener("error", () => {})
    this.socket.addEventListener("pong", () => {
      this.pongs++
    })
    sockets.push(this)
  }

  readonly quotes = (): number => this.heard.filter((text) => text.includes(`"data"`)).length
}

const subscribed = async (): Promise<Client> => {
  const client = new Client()
  await until(() => client.socket.readyState === WebSocket.OPEN)
  client.socket.send(SUBSCRIBE)
  await until(() => client.heard.length > 0)
  return client
}

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await Bun.sleep(2)
}

const QUOTE = { bid: 1, ask: 2, last: 1.5 }
const tickers = () => exchange.fetchTickers(["BTC/USDT"])
const failure = async (): Promise<string> =>
  tickers().then(
    (found) => JSON.stringify(found),
    (error: unknown) => (error instanceof Error ? error.constructor.name : String(error))
  )

test("a subscriber gets the last quote, then each new one", async () => {
  const client = await subscribed()
  await until(() => client.quotes() === 1)
  stub.quote(market, QUOTE)
  await until(() => client.quotes() === 2)
  expect(stub.subscriptions("tickers")).toEqual(new Map([["BTC/USDT:spot", 1]]))
  expect(stub.subscriptions("trades")).toEqual(new Map())
  client.socket.send(JSON.stringify({ op: "unsubscribe", args: [TOPIC] }))
  await until(() => stub.subscriptions().size === 0)
  expect(stub.lines).toBe(1)
})

test("a silent stub answers pings and sends no price", async () => {
  stub.faults.silent = true
  const client = await subscribed()
  stub.quote(market, QUOTE)
  client.socket.send("ping")
  await until(() => client.heard.includes("pong"))
  expect(client.quotes()).toBe(0)
  stub.faults.silent = false
  stub.quote(market, QUOTE)
  await until(() => client.quotes() === 1)
})

test("a frozen stream is dead for both sides, and a new one works", async () => {
  const old = await subscribed()
  await until(() => old.quotes() === 1)
  stub.freeze()
  expect(stub.lines).toBe(0)
  expect(stub.subscriptions().size).toBe(0)
  old.socket.ping()
  old.socket.send("ping")
  stub.quote(market, QUOTE)
  const fresh = await subscribed()
  fresh.socket.ping()
  stub.quote(market, QUOTE)
  await until(() => fresh.quotes() === 2 && fresh.pongs === 1)
  expect([old.quotes(), old.pongs, old.heard.includes("pong"), old.closed]).toEqual([1, 0, false, false])
  expect(stub.lines).toBe(1)
  stub.thaw()
  await until(() => old.pongs === 1 && old.heard.includes("pong"))
  expect(stub.lines).toBe(2)
})

test("a client that gives up a frozen stream is released", async () => {
  const old = await subscribed()
  stub.freeze()
  old.socket.terminate()
  await until(() => old.closed)
  await stub.down()
  await stub.up()
  await subscribed()
  expect(stub.lines).toBe(1)
})

test("streams are cut, refused, and opened again", async () => {
  const client = await subscribed()
  stub.faults.refuse = true
  stub.cut()
  await until(() => client.closed)
  const refused = new Client()
  await until(() => refused.closed)
  expect(stub.lines).toBe(0)
  expect(stub.connections).toBe(1)
  stub.faults.refuse = false
  await subscribed()
  expect([stub.lines, stub.connections]).toEqual([1, 2])
})

test("a stub that is down refuses everything, and returns at the same address", async () => {
  const client = await subscribed()
  const { url } = stub
  await stub.down()
  await until(() => client.closed)
  expect(await failure()).toBe("NetworkError")
  await stub.up()
  expect(stub.url).toBe(url)
  expect(await failure()).toContain("BTC/USDT")
  await subscribed()
})

test("nonsense is sent as it is", async () => {
  const client = await subscribed()
  stub.babble("<html>")
  await until(() => client.heard.includes("<html>"))
})

const statuses = {
  429: "RateLimitExceeded",
  418: "RateLimitExceeded",
  500: "ExchangeNotAvailable",
  503: "ExchangeNotAvailable"
}
for (const [status, error] of Object.entries(statuses))
  test(`REST answers ${status}`, async () => {
    stub.faults.rest = { status: Number(status), retryAfter: 7 }
    expect(await failure()).toBe(error)
    expect(exchange.last_response_headers).toMatchObject({ "Retry-After": "7" })
    stub.faults.rest = undefined
    expect(await failure()).toContain("BTC/USDT")
  })

// The library takes both for an answer without tickers, unless it is told.
test("REST sends half an answer, and a page for people", async () => {
  stub.faults.truncated = true
  expect(await failure()).toBe("Unreadable")
  stub.faults.truncated = false
  stub.faults.nonsense = true
  expect(await failure()).toBe("Unreadable")
  stub.faults.nonsense = false
  expect(await failure()).toContain("BTC/USDT")
  expect(stub.requests.at(-1)).toMatchObject({
    ...{ method: "GET", host: "www.okx.com", path: "/api/v5/market/tickers" }
  })
})

test("REST never answers", async () => {
  stub.faults.hang = true
  exchange.timeout = 20
  expect(await failure()).toBe("RequestTimeout")
  stub.faults.hang = false
  exchange.timeout = 5000
  expect(await failure()).toContain("BTC/USDT")
})
