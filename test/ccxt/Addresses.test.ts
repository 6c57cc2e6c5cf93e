import { expect, test } from "bun:test"
import { Either } from "effect"
import { parse } from "../../src/ccxt/Addresses.ts"

test.each<[string, Record<string, string>]>([
  ["", {}],
  ["binance=http://127.0.0.1:7001", { binance: "http://127.0.0.1:7001" }],
  [
    "OKEx=http://a,coinbase-pro=http://b,Binance.com=http://c",
    { okx: "http://a", coinbase: "http://b", binance: "http://c" }
  ],
  [
    " okx = https://gateway.example/ , kraken=http://[::1]:80,",
    { okx: "https://gateway.example", kraken: "http://[::1]:80" }
  ]
])("%j is parsed", (text, addresses) => {
  expect(Either.map(parse(text), (known) => Object.fromEntries(known))).toEqual(Either.right(addresses))
})

test.each([
  "http://127.0.0.1",
  "mtgox=http://127.0.0.1",
  "okx=",
  "okx=ws://a",
  "okx=http://",
  "okx=http://a?b=c",
  "okx=http://a okx=http://b"
])("%j is refused", (text) => {
  expect(Either.getLeft(parse(text))).toMatchObject({ value: expect.stringContaining("takes NAME=http://") })
})
