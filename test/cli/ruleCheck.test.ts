// `signalbox rule`: a rule in words, its errors with a caret below the column, and the functions.
import { afterAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { rule as aRule } from "../../src/testing/Fixtures.ts"
import { signalbox } from "../lib/cli.ts"

const folder = mkdtempSync(join(tmpdir(), "rule-"))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (content: unknown): string => {
  const path = join(folder, "rule.json")
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content))
  return path
}

describe.serial("a rule's file", () => {
  test("is told in words, with the candles that it needs", async () => {
    const on = [{ type: "buy", when: 'close > request("4h", ema(close, 9))', sl: "close - 2 * atr(14)" }]
    const { code, out } = await signalbox("rule", "check", file({ name: "Own", rule: { ...aRule(), on } }))
    expect(out).toBe(
      `Each closed 1h candle of binance BTC/USDT:

on[0]  buy when the close is above the exponential average of the close over 9 candles at the last closed 4h candle
       sl: the close minus (2 times the average true range over 14 candles)
       needs 294 candles of 1h and 99 candles of 4h before it counts
`
    )
    expect(code).toBe(0)
  })
  test("is refused with a caret below the column", async () => {
    const path = file({ ...aRule(), on: [{ type: "buy", when: "close >\n open and clse[1]" }] })
    const { code, error } = await signalbox("rule", "check", path)
    expect(
      error
    ).toContain(`on[0].when, column 19: expected a price, a parameter or a function; there is no clse; did you mean close?
     open and clse[1]
              ^
`)
    expect(code).toBe(1)
    const { out } = await signalbox("rule", "check", path, "--json")
    expect(JSON.parse(out)).toMatchObject({ errors: [{ field: "on[0].when", column: 19 }], entries: [] })
  })
  test("is refused if it holds no rule", async () => {
    for (const content of ["{", "[1]", "{}", "[{},{}]"]) {
      const { code, error } = await signalbox("rule", "check", file(content))
      expect([content, code, error.startsWith(`signalbox: ${folder}`)]).toEqual([content, 1, true])
    }
  })
})

test("the functions are listed with what they take, and with the candles that they need", async () => {
  const { out } = await signalbox("rule", "functions")
  expect(out).toMatch(
    /macd\(source, fast, slow, signal\) +\.line \.signal \.histogram +macd\(close, 12, 26, 9\) +286/
  )
})
