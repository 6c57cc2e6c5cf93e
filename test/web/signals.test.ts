// The Signals page's data: public addresses, and alerts from fields or pasted text.
import { describe, expect, test } from "bun:test"
import { fromFields, fromText, TYPES, type Typed } from "../../src/web/page/signals/alert.ts"
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

const typed: Typed = {
  type: "buy",
  coin: " BTC ",
  quote: "USDT",
  tp: "",
  sl: "",
  tps: "",
  closePercent: "",
  buyPercentage: "",
  reverse: false
}

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
  test.each(TYPES)("a %s holds the fields that go with it, and reads as the server reads it", (type) => {
    const all = {
      ...typed,
      type,
      tps: " 62000 50;65000  50 ",
      closePercent: "40",
      buyPercentage: "5",
      reverse: true
    }
    const built = fromFields(7, all, false)
    const {
      signal_id,
      coin,
      quote_currency,
      type: sent,
      ...extras
    } = "sending" in built ? JSON.parse(built.sending.body) : {}
    expect([signal_id, coin, quote_currency, sent]).toEqual([7, "BTC", "USDT", type])
    const tps = [
      { price: 62000, percent: 50 },
      { price: 65000, percent: 50 }
    ]
    const opening = { tps, buy_percentage: 5, ...(type === "buy" ? {} : { reverse: true }) }
    expect(extras).toEqual(/sell|close/.test(type) ? { close_percent: 40 } : opening)
  })
  test.each(["62000", "62000 50;", "62000 a", "62000 50 1", "62000,50"])("steps as %j are refused", (tps) =>
    expect(fromFields(7, { ...typed, tps }, true)).toEqual({
      errors: { tps: ["must be steps of a price and a percentage, such as 62000 50; 65000 50"] }
    })
  )
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
