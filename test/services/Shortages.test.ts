// The adversary: answers of an exchange that waited for a database, and come together while its positions lag behind.
import { expect, test } from "bun:test"
import { Shortages } from "../../src/services/engine/orders/Holdings.ts"

test("a shortage is certain only at a second answer that comes ten seconds after the first", () => {
  const shortages = new Shortages()
  expect(shortages.isCertain("BTC", true, 1_000)).toBe(false)
  expect(shortages.isCertain("BTC", true, 1_040)).toBe(false)
  expect(shortages.isCertain("BTC", true, 10_999)).toBe(false)
  expect(shortages.isCertain("BTC", true, 11_000)).toBe(true)
})

test("an answer without a shortage begins the count of seconds anew", () => {
  const shortages = new Shortages()
  expect(shortages.isCertain("BTC", true, 0)).toBe(false)
  expect(shortages.isCertain("BTC", false, 5_000)).toBe(true)
  expect(shortages.isCertain("BTC", true, 20_000)).toBe(false)
  shortages.forget("BTC")
  expect(shortages.isCertain("BTC", true, 40_000)).toBe(false)
})

test("a shortage that an order may explain is not certain, however long it lasts", () => {
  const shortages = new Shortages()
  const explained: Array<number> = []
  const isExplained = (since: number) => explained.push(since) > 0
  expect(shortages.isCertain("BTC", true, 1_000, isExplained)).toBe(false)
  expect(shortages.isCertain("BTC", true, 60_000, isExplained)).toBe(false)
  expect(explained).toEqual([1_000])
  expect(shortages.isCertain("BTC", true, 80_000)).toBe(true)
})
