import { describe, expect, test } from "bun:test"
import { Pair } from "../../src/domain/Market.ts"
import {
  KEPT_MARKETS,
  KEPT_MINUTES,
  MinuteCandles
} from "../../src/services/feeds/streaming/MinuteCandles.ts"

const MINUTE = 60_000
const FOREVER = Number.MAX_SAFE_INTEGER
const marketOf = (base: string) =>
  ({ exchange: "kraken", pair: Pair.make(`${base}/USD`), kind: "spot" }) as const
const BTC = marketOf("BTC")
const at = (minute: number, price: number, market = BTC) => ({
  market,
  ticker: { bid: price - 1, ask: price + 1, last: 1, at: minute * MINUTE + 500 }
})

describe("candles made of seen prices", () => {
  test("are made of mid prices, with holes for minutes without prices", () => {
    const minutes = new MinuteCandles()
    for (const price of [10, 14, 8, 11]) minutes.add(at(5, price))
    minutes.add(at(9, 20))
    const { close, high, low, open, ...rest } = minutes.between(BTC, 0, FOREVER)
    expect([...rest.at]).toEqual([5 * MINUTE, 9 * MINUTE])
    expect([open[0], high[0], low[0], close[0]]).toEqual([10, 14, 8, 11])
    expect([open[1], high[1], low[1], close[1]]).toEqual([20, 20, 20, 20])
    expect(minutes.between(BTC, 5 * MINUTE, 9 * MINUTE).length).toBe(1)
    expect(minutes.between(marketOf("ETH"), 0, FOREVER).length).toBe(0)
  })

  test("do not change by a price of a minute that is over", () => {
    const minutes = new MinuteCandles()
    minutes.add(at(5, 10))
    minutes.add(at(6, 11))
    minutes.add(at(5, 99))
    expect([...minutes.between(BTC, 0, FOREVER).high]).toEqual([10, 11])
  })

  test("are kept for a day, oldest first, even after the ring buffer has wrapped", () => {
    const minutes = new MinuteCandles()
    for (let minute = 0; minute < 3 * KEPT_MINUTES + 17; minute++) minutes.add(at(minute, minute + 10))
    const { at: times, length, open } = minutes.between(BTC, 0, FOREVER)
    expect(length).toBe(KEPT_MINUTES)
    expect(times[0]).toBe((2 * KEPT_MINUTES + 17) * MINUTE)
    for (let row = 1; row < length; row++) expect((times[row] ?? 0) - (times[row - 1] ?? 0)).toBe(MINUTE)
    for (const [row, time] of times.entries()) expect(open[row]).toBe(time / MINUTE + 10)
  })

  test("are kept for a limited number of markets, and a market that was silent for a day gives way", () => {
    const minutes = new MinuteCandles()
    const names = Array.from({ length: KEPT_MARKETS + 5 }, (_, number) => marketOf(`A${number}`))
    for (const market of names) minutes.add(at(0, 10, market))
    const kept = () => names.filter((market) => minutes.between(market, 0, FOREVER).length > 0).length
    expect(kept()).toBe(KEPT_MARKETS)
    const [first = BTC, second = BTC] = names
    minutes.add(at(KEPT_MINUTES + 1, 10, first))
    minutes.add(at(KEPT_MINUTES + 1, 10, names.at(-1) ?? BTC))
    expect(minutes.between(names.at(-1) ?? BTC, 0, FOREVER).length).toBe(1)
    expect(minutes.between(first, 0, FOREVER).length).toBe(2)
    expect(minutes.between(second, 0, FOREVER).length).toBe(0)
  })
})
