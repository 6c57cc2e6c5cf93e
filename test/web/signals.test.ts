// The Signals page's data: public addresses, and alerts from fields or pasted text.
import { describe, expect, test } from "bun:test"
import { fromFields, fromText } from "../../src/web/page/signals/alert.ts"
import { addressOf, type Obstacle, obstacles } from "../../src/web/page/signals/reach.ts"

describe("who can reach a server by its address", () => {
  const cases: ReadonlyArray<readonly [string, ReadonlyArray<Obstacle>]> = [
    ["https://box.example", []],
    ["https://box.example:443", []],
    ["http://box.example", ["clear"]],
    ["http://203.0.113.7:80", ["clear"]],
    ["https://box.example:8080", ["port"]],
    ["http://localhost:8080", ["computer", "port"]],
    ["http://127.0.0.1", ["computer"]],
    ["http://[::1]:8080", ["computer", "port"]],
    ["http://192.168.1.5:8080", ["network", "port"]],
    ["https://172.20.0.1", ["network"]],
    ["https://172.32.0.1", []],
    ["http://nas:8080", ["network", "port"]],
    ["https://box.local", ["network"]],
    ["https://[fd00::1]", ["network"]],
    ["https://[2001:db8::1]", []],
    ["box.example", ["invalid"]],
    ["javascript:alert(1)", ["invalid"]],
    ["", ["invalid"]]
  ]
  test.each(cases)("is said for %s", (base, found) => expect(obstacles(base)).toEqual([...found]))
})

test("the alert address is the server's, with a place for the token", () => {
  const path = "/v1/signals/charting?key=YOUR_TOKEN&signal_id=7"
  expect(addressOf("https://box.example", path)).toBe(`https://box.example${path}`)
  expect(addressOf(" https://box.example/signalbox/ ", path, "sbx_hook_x")).toBe(
    "https://box.example/signalbox/v1/signals/charting?key=sbx_hook_x&signal_id=7"
  )
})

const typed = { type: "buy", coin: " BTC ", quote: "USDT", tp: "", sl: "" }

describe("an alert from fields", () => {
  test("holds what was typed, and whether it is a test", () => {
    expect(fromFields(7, typed, false)).toEqual({
      sending: { query: "", body: `{"signal_id":7,"coin":"BTC","quote_currency":"USDT","type":"buy"}` }
    })
    expect(fromFields(7, { ...typed, tp: "99,5", sl: "1e3" }, true)).toEqual({
      sending: {
        query: "",
        body: `{"signal_id":7,"coin":"BTC","quote_currency":"USDT","type":"buy","tp":99.5,"sl":1000,"test":true}`
      }
    })
  })
  test("is not sent with an invalid number", () =>
    expect(fromFields(7, { ...typed, tp: "a", sl: "1.2.3" }, true)).toMatchObject({
      errors: { tp: [expect.any(String)], sl: [expect.any(String)] }
    }))
})

describe("a pasted alert", () => {
  test("is sent as it is", () => {
    const text = `{"type":"buy","symbol":"BTCUSDT"}`
    expect(fromText(7, text, true)).toEqual({ sending: { query: "signal_id=7&test=true", body: text } })
    expect(fromText(7, text, false)).toEqual({ sending: { query: "signal_id=7", body: text } })
    const note = `{"type":"buy","symbol":"BTCUSDT","comment":"a test of mine"}`
    expect(fromText(7, note, true)).toMatchObject({ sending: { body: note } })
  })
  const own = [
    `{"type":"buy","test":false}`,
    `{"type":"buy","\\u0074est":0}`,
    `"{\\"type\\":\\"buy\\",\\"test\\":false}"`,
    "type=buy&test=0",
    "type=buy&%74est=0",
    `{"test":false,`
  ]
  test.each(own)("is not sent if it states itself whether it is a test: %s", (text) =>
    expect(fromText(7, text, true)).toHaveProperty("errors.body")
  )
  test("is not sent if it is empty", () => expect(fromText(7, " \n", false)).toHaveProperty("errors.body"))
})
