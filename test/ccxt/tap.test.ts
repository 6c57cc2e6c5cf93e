import { afterEach, beforeEach, expect, test } from "bun:test"
import { BadRequest, NetworkError } from "../../node_modules/ccxt/js/src/base/errors.js"
import type { Ccxt, Client, Figures } from "../../src/ccxt/Ccxt.ts"
import { load } from "../../src/ccxt/load.ts"
import { tap } from "../../src/ccxt/tap.ts"

const URL = "ws://127.0.0.1:1/stream"

let exchange: Ccxt
let heard: Array<string>
let isWanted: boolean
/** What the library makes of a frame. */
let parse: (message: unknown) => unknown
const says = (kind: string) => (figures: Figures) => void heard.push(`${kind} ${String(figures.symbol)}`)

/** Whatever stands in the place of a stream. */
class Wire implements Client {
  readonly url = URL
  error: unknown = undefined
  close(): void {}
}

beforeEach(async () => {
  heard = []
  isWanted = true
  parse = () => undefined
  exchange = await load("kraken")
  exchange.handleMessage = (_, message) => parse(message)
  tap(exchange, {
    ticker: says("ticker"),
    trade: says("trade"),
    failed: (error) => void heard.push(`failed ${String(error)}`),
    closed: () => void heard.push("closed"),
    isWanted: () => isWanted
  })
})
afterEach(() => exchange.close())

const stream = (): Wire => {
  const wire = new Wire()
  exchange.clients[URL] = wire
  return wire
}
const ticker = (message: unknown) => exchange.safeTicker({ symbol: String(message) })

test("tickers and trades are taken as ccxt parses them, without derived figures", () => {
  const wire = stream()
  const parsed: Array<unknown> = []
  parse = (message) => {
    parsed.push(exchange.safeTicker({ symbol: message, bid: "1" }), exchange.safeTrade({ symbol: message }))
  }
  exchange.handleMessage(wire, "BTC")
  expect(heard).toEqual(["ticker BTC", "trade BTC"])
  expect(parsed).toEqual([{ symbol: "BTC", bid: "1" }, { symbol: "BTC" }])
})

test("answers to requests are not taken, not even after a frame that failed", () => {
  ticker("BTC")
  parse = () => {
    throw new TypeError("undefined is not an object")
  }
  exchange.handleMessage(stream(), "BTC")
  ticker("ETH")
  expect(heard).toEqual([])
})

test("a stream that was given up delivers no frames, no failure and no end", () => {
  const old = stream()
  const fresh = stream()
  parse = ticker
  exchange.handleMessage(old, "BTC")
  exchange.onError(old, new NetworkError("x"))
  exchange.onClose(old, { code: 1006 })
  expect(heard).toEqual([])
  expect(exchange.clients[URL]).toBe(fresh)
  exchange.handleMessage(fresh, "BTC")
  delete exchange.clients[URL]
  exchange.handleMessage(fresh, "BTC")
  exchange.onClose(fresh, { code: 1006 })
  expect(heard).toEqual(["ticker BTC"])
})

test("the failure and end of a stream are reported, and ccxt drops it", () => {
  const failing = stream()
  failing.error = new NetworkError("gone")
  exchange.onError(failing, failing.error)
  expect(exchange.clients[URL]).toBeUndefined()
  exchange.onClose(stream(), { code: 1000 })
  expect(exchange.clients[URL]).toBeUndefined()
  expect(heard).toEqual(["failed NetworkError: gone", "closed"])
})

test("a nonsensical frame is ignored; ccxt's own errors are not", () => {
  const wire = stream()
  const throws = (error: unknown) => () => {
    parse = () => {
      throw error
    }
    exchange.handleMessage(wire, "{}")
  }
  expect(throws(new TypeError("undefined is not an object"))).not.toThrow()
  expect(throws(new SyntaxError("cannot parse abc to a BigInt"))).not.toThrow()
  expect(throws(new RangeError("invalid date"))).not.toThrow()
  expect(throws(new BadRequest("no such channel"))).toThrow("no such channel")
  expect(throws(new NetworkError("limit"))).toThrow("limit")
})

test("no stream is opened that is no longer wanted", () => {
  expect(exchange.client(URL)).toBe(exchange.client(URL))
  isWanted = false
  expect(() => exchange.client(URL)).toThrow()
  expect(() => exchange.client(`${URL}/other`)).toThrow()
})
