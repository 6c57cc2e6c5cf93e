import { expect, test } from "bun:test"
import { FRESH_MS } from "../../src/domain/internal/PriceFreshness.ts"
import { type MarketId, Pair } from "../../src/domain/Market.ts"
import { ofLast } from "../../src/domain/Ticker.ts"
import { LastPrices } from "../../src/services/engine/prices/LastPrices.ts"

const BTC: MarketId = { exchange: "binance", pair: Pair.make("BTC/USDT"), kind: "spot" }
const NOW = 1_790_000_000_000

test("a quote is fresh for ten seconds, and remains the last price without end", () => {
  const marks = new LastPrices()
  expect(marks.quoted(BTC, ofLast(100, NOW), NOW)).toBe(true)
  expect(marks.fresh(BTC, NOW + FRESH_MS)?.last).toBe(100)
  expect(marks.fresh(BTC, NOW + FRESH_MS + 1)).toBeUndefined()
  expect(marks.last(BTC)?.last).toBe(100)
})

test("an older quote and one that came too late do not count as new", () => {
  const marks = new LastPrices()
  marks.quoted(BTC, ofLast(100, NOW), NOW)
  expect(marks.quoted(BTC, ofLast(90, NOW - 1), NOW)).toBe(false)
  expect(marks.fresh(BTC, NOW)?.last).toBe(100)
  expect(marks.quoted(BTC, ofLast(101, NOW + 1), NOW + FRESH_MS + 2)).toBe(false)
})

test("after the clock was set back, an earlier quote is not fresh and the next one is accepted", () => {
  const marks = new LastPrices()
  marks.quoted(BTC, ofLast(100, NOW), NOW)
  const before = NOW - 3_600_000
  expect(marks.fresh(BTC, before)).toBeUndefined()
  expect(marks.quoted(BTC, ofLast(101, before + 1), before + 1)).toBe(true)
  expect(marks.fresh(BTC, before + 2)?.last).toBe(101)
})
