// Candles of streamed trades: known only where no trade can be missing.
import { describe, expect, test } from "bun:test"
import type { CandleSeries } from "../../../src/domain/candles/CandleSeries.ts"
import { Pair } from "../../../src/domain/Market.ts"
import { StreamedCandles } from "../../../src/prices/closed/StreamedCandles.ts"

const MINUTE = 60_000
const BEGIN = Date.UTC(2024, 1, 29)
const series = (timeframe: CandleSeries["timeframe"]): CandleSeries => ({
  ...{ exchange: "binance", kind: "spot", pair: Pair.make("BTC/USDT"), timeframe }
})
const [ONE, THREE] = [series("1m"), series("3m")]

/** A stream that is whole from BEGIN on. */
const streams = () => {
  const all = new StreamedCandles(BEGIN - 10_000)
  all.follow([ONE, THREE], BEGIN - 10_000)
  all.whole([ONE], BEGIN - 10_000)
  return all
}
const trade = (all: StreamedCandles, at: number, price: number, amount = 1, now = at) =>
  all.traded(ONE, { price, amount, at }, now)

/** Shows that the process runs, as it does every few seconds. */
const alive = (all: StreamedCandles, from: number, to: number) => {
  for (let now = from; now <= to; now += 4_000) all.alive(now)
}

describe("a candle is known", () => {
  test("where its stream was whole from its beginning, whatever the sequence of trades", () => {
    const all = streams()
    trade(all, BEGIN + 50_000, 103, 0.3)
    trade(all, BEGIN + 1_000, 101, 0.1)
    trade(all, BEGIN + 20_000, 99, 0.2)
    all.build(BEGIN + MINUTE)
    expect(all.known(ONE, BEGIN + MINUTE)).toEqual({
      bar: { at: BEGIN, open: 101, high: 103, low: 99, close: 103, volume: 0.6 }
    })
  })
  test("as none where there was no trade", () => {
    const all = streams()
    all.build(BEGIN + MINUTE)
    expect(all.known(ONE, BEGIN + MINUTE)).toEqual({ bar: undefined })
    expect(all.known(THREE, BEGIN + 3 * MINUTE)).toEqual({ bar: undefined })
  })
  test("for each timeframe from the same minutes", () => {
    const all = streams()
    for (let minute = 0; minute < 3; minute++) {
      trade(all, BEGIN + minute * MINUTE + 5_000, 100 + minute)
      all.build(BEGIN + (minute + 1) * MINUTE)
    }
    expect(all.known(THREE, BEGIN + 3 * MINUTE)?.bar).toEqual({
      ...{ at: BEGIN, open: 100, high: 102, low: 100, close: 102, volume: 3 }
    })
    expect(all.known(ONE, BEGIN + 3 * MINUTE)?.bar).toMatchObject({ at: BEGIN + 2 * MINUTE, open: 102 })
  })
})

describe("nothing is known of a candle", () => {
  const missing: ReadonlyArray<readonly [string, (all: StreamedCandles) => void]> = [
    ["during which the stream broke", (all) => all.broken([ONE])],
    [
      "during which the stream broke and came back",
      (all) => {
        all.broken([ONE])
        all.whole([ONE], BEGIN + 30_000)
      }
    ],
    ["during which the machine slept", (all) => alive(all, BEGIN + 40_000, BEGIN + 48_000)]
  ]
  test.each(missing)("%s", (_, happens) => {
    const all = streams()
    trade(all, BEGIN + 5_000, 100)
    happens(all)
    trade(all, BEGIN + 50_000, 101)
    all.build(BEGIN + MINUTE)
    expect(all.known(ONE, BEGIN + MINUTE)).toBeUndefined()
    expect(all.known(THREE, BEGIN + 3 * MINUTE)).toBeUndefined()
    trade(all, BEGIN + MINUTE + 5_000, 102)
    all.build(BEGIN + 2 * MINUTE)
    expect(all.known(THREE, BEGIN + 3 * MINUTE)).toBeUndefined()
  })
  test("that began before the stream was whole, or before it was followed", () => {
    const all = new StreamedCandles(BEGIN)
    all.whole([ONE], BEGIN + 10_000)
    all.follow([ONE], BEGIN + MINUTE + 5_000)
    trade(all, BEGIN + MINUTE + 10_000, 100)
    all.build(BEGIN + 2 * MINUTE)
    expect(all.known(ONE, BEGIN + 2 * MINUTE)).toBeUndefined()
    trade(all, BEGIN + 2 * MINUTE + 10_000, 100)
    all.build(BEGIN + 3 * MINUTE)
    expect(all.known(ONE, BEGIN + 3 * MINUTE)?.bar).toBeDefined()
  })
  test("that nobody follows any more", () => {
    const all = streams()
    all.follow([], BEGIN)
    all.build(BEGIN + MINUTE)
    expect(all.known(ONE, BEGIN + MINUTE)).toBeUndefined()
  })
})

test.each([
  ["no price", { price: Number.NaN, amount: 1, at: BEGIN + 5 }],
  ["an infinite amount", { price: 1, amount: Number.POSITIVE_INFINITY, at: BEGIN + 5 }],
  ["a negative amount", { price: 1, amount: -1, at: BEGIN + 5 }],
  ["a time that has not come", { price: 1, amount: 1, at: BEGIN + 400_000 }],
  ["no time", { price: 1, amount: 1, at: Number.NaN }]
])("a trade with %s is dropped", (_, given) => {
  const all = streams()
  all.traded(ONE, given, BEGIN + 6)
  all.build(BEGIN + MINUTE)
  expect(all.known(ONE, BEGIN + MINUTE)).toEqual({ bar: undefined })
  all.build(BEGIN + 10 * MINUTE)
  expect(all.known(ONE, BEGIN + 10 * MINUTE)).toEqual({ bar: undefined })
})
