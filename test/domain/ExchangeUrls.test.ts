import { expect, test } from "bun:test"
import { Either } from "effect"
import { parse } from "../../src/domain/ExchangeUrls.ts"

test.each([
  ["", []],
  ["binance=http://127.0.0.1:7001", [["binance", "http://127.0.0.1:7001"]]],
  [
    " okx = https://proxy.example/okx/ , kraken=http://[::1]:80,",
    [
      ["okx", "https://proxy.example/okx/"],
      ["kraken", "http://[::1]:80"]
    ]
  ]
])("%j is understood", (text, urls) => {
  expect(Either.map(parse(text), (known) => [...known].map(([name, url]) => [String(name), url]))).toEqual(
    Either.right(urls)
  )
})

test.each([
  ["http://127.0.0.1", "http://127.0.0.1 is not EXCHANGE=URL"],
  [
    "mtgox=http://127.0.0.1",
    "there is no exchange mtgox; there are binance, bybit, okx, kraken, coinbase, kucoin, bitget"
  ],
  ["okx=http://a,okx=http://b", "okx is named twice"],
  ["okx=ws://a", "ws://a is not the URL of a place, like http://127.0.0.1:7001"],
  ["okx=", " is not the URL of a place, like http://127.0.0.1:7001"],
  ["okx=http://", "http:// is not the URL of a place, like http://127.0.0.1:7001"],
  ["okx=http://a:99999", "http://a:99999 is not the URL of a place, like http://127.0.0.1:7001"],
  ["okx=http://a?b=c", "http://a?b=c is not the URL of a place, like http://127.0.0.1:7001"]
])("%j is refused: %s", (text, flaw) => {
  expect(parse(text)).toEqual(Either.left(flaw))
})
