// Formats of numbers and times.
import { describe, expect, test } from "bun:test"
import * as Format from "../../src/web/page/parts/format.ts"

describe("figures of the page", () => {
  test.each([
    [1234.5, "USDT", false, "1,234.50 USDT"],
    [1234.5, "USDT", true, "+1,234.50 USDT"],
    [-0.5, "", true, "−0.50"],
    [-0.001, "", true, "0.00"],
    [0, "", true, "0.00"],
    [0.1234567, "BTC", false, "0.123457 BTC"],
    [null, "USDT", true, "–"],
    [Number.NaN, "", false, "–"]
  ] as const)("show money %p in %p", (value, currency, sign, text) =>
    expect(Format.money(value, currency, sign)).toBe(text)
  )

  test.each([
    [61240.5, "61,240.50"],
    [1.23456, "1.2346"],
    [0.00001234, "0.00001234"],
    [0.000000012345, "0.000000012345"],
    [1.234e-15, "0.000000000000001234"],
    [0, "0.00"],
    [undefined, "–"]
  ])("show the price %p", (value, text) => expect(Format.price(value)).toBe(text))

  test("show percent, amounts, counts and sizes in short", () => {
    expect(Format.percent(2.1)).toBe("2.10 %")
    expect(Format.percent(-12.345, true)).toBe("−12.35 %")
    expect(Format.percent(3, true, 0)).toBe("+3 %")
    expect(Format.amount(0.012)).toBe("0.012")
    expect(Format.count(12345)).toBe("12,345")
    expect([0, 999, 1400, 2.5e9].map((it) => Format.bytes(it))).toEqual(["0 B", "999 B", "1.4 kB", "2.5 GB"])
    expect(Format.words("take_profit")).toBe("Take profit")
  })
})

describe("times of the page", () => {
  test.each([
    [0, "0 s"],
    [59.6, "1 min"],
    [3_600, "1 h"],
    [7_805, "2 h 10 min"],
    [273_600, "3 d 4 h"],
    [null, "–"]
  ])("show a duration of %p s in words", (seconds, text) => expect(Format.duration(seconds)).toBe(text))

  test("show how long ago something was", () => {
    const now = 1_700_000_000
    const at = (seconds: number) => Format.relative(now - seconds, now * 1000)
    expect([2, 300, 7_200, -7_200].map(at)).toEqual(["just now", "5 min ago", "2 h ago", "in 2 h"])
    expect(at(30 * 86_400)).toMatch(/^1[45] Oct 2023$/)
    expect(Format.utc(now)).toBe("2023-11-14 22:13:20 UTC")
  })
})

test.each([
  [
    "Ordered to sell 0.1693 BTC on BTC/USDT at 17674.64532.",
    "Ordered to sell 0.1693 BTC on BTC/USDT at 17,674.64532."
  ],
  ["it made -1234567.5 (-0.9 %) at 17674.", "it made −1,234,567.5 (−0.9 %) at 17,674."],
  ["1000PEPE/USDT, 1000/USDT: alert 12345 at 10:15", "1000PEPE/USDT, 1000/USDT: alert 12345 at 10:15"],
  ["from 0.00001234 to 100", "from 0.00001234 to 100"],
  ["on BTC/USDT at 17618.2: minimum profit", "on BTC/USDT at 17,618.2: minimum profit"]
])("the sentence %p has its figures in the page's format", (sentence, text) =>
  expect(Format.figured(sentence)).toBe(text)
)

test("a day of UTC is the same day everywhere", () => {
  expect(Format.utcDay("2026-11-22")).toBe("22 Nov 2026")
  expect(Format.utcDay("–")).toBe("–")
})
