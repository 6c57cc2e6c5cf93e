import { expect, test } from "bun:test"
import { rebase } from "../../src/ccxt/rebase.ts"

const cases: ReadonlyArray<readonly [url: unknown, base: string, rebased: unknown]> = [
  ["https://api.kraken.com/0", "http://127.0.0.1:7001", "http://127.0.0.1:7001/api.kraken.com/0"],
  ["wss://ws.okx.com:8443/ws/v5", "http://127.0.0.1:7001", "ws://127.0.0.1:7001/ws.okx.com:8443/ws/v5"],
  ["wss://ws.okx.com:8443/ws/v5", "https://gate.example", "wss://gate.example/ws.okx.com:8443/ws/v5"],
  ["http://a.example", "https://gate.example///", "https://gate.example/a.example"],
  ["https://{hostname}/v1", "http://127.0.0.1:1", "http://127.0.0.1:1/{hostname}/v1"],
  ["api.example/no-scheme", "http://127.0.0.1:1", "api.example/no-scheme"],
  ["ftp://a.example", "http://127.0.0.1:1", "ftp://a.example"],
  ["", "http://127.0.0.1:1", ""],
  [undefined, "http://127.0.0.1:1", undefined],
  [null, "http://127.0.0.1:1", null],
  [7, "http://127.0.0.1:1", 7]
]
test.each(cases)("%j behind %s is %j", (url, base, rebased) => expect(rebase(url, base)).toEqual(rebased))

test("all URLs in a nested value are rebased, and the value itself is not changed", () => {
  const urls = Object.freeze({
    rest: "https://a.example/x",
    ws: Object.freeze({ spot: { public: "wss://b.example" }, none: undefined })
  })
  expect(rebase(urls, "http://127.0.0.1:1")).toEqual({
    rest: "http://127.0.0.1:1/a.example/x",
    ws: { spot: { public: "ws://127.0.0.1:1/b.example" }, none: undefined }
  })
  expect(urls.rest).toBe("https://a.example/x")
})
