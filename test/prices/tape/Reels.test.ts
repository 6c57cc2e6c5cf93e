import { expect, test } from "bun:test"
import { type MarketId, Pair } from "../../../src/domain/Market.ts"
import * as Reels from "../../../src/prices/tape/Reels.ts"

const BTC: MarketId = { exchange: "binance", pair: Pair.make("BTC/USDT"), kind: "spot" }
const ETH: MarketId = { exchange: "binance", pair: Pair.make("ETH/USDT"), kind: "spot" }
const MINUTE = 60_000
const SECOND = 1_000

/** A trade a second in both markets up to `until`, with the process alive all along. */
const trading = (reels: ReturnType<typeof Reels.make>, from: number, until: number) => {
  for (let at = from; at < until; at += SECOND) {
    reels.alive(at)
    reels.traded(BTC, { price: 100 + (at % 7), amount: 0.1, at: at }, at)
    reels.traded(ETH, { price: 10 + (at % 5), amount: 0.1, at: at }, at)
  }
}
const minutes = (reels: ReturnType<typeof Reels.make>, now: number, market = BTC) =>
  reels
    .take(now)
    .filter((page) => page.market === market)
    .flatMap(({ candles }) => candles.map(({ at }) => at / MINUTE))

test("a minute counts if its stream was whole from before it until after it, once it was held back", () => {
  const reels = Reels.make(0)
  trading(reels, 0, 30 * SECOND)
  reels.whole([BTC, ETH], 30 * SECOND)
  trading(reels, 30 * SECOND, 2 * MINUTE + 14_000)
  expect(minutes(reels, 2 * MINUTE + 14_999)).toEqual([])
  expect(minutes(reels, 2 * MINUTE + 15_000)).toEqual([1])
  trading(reels, 2 * MINUTE + 14_000, 5 * MINUTE)
  const [page] = reels.take(5 * MINUTE)
  expect(page?.candles.map(({ at, volume }) => [at / MINUTE, volume.value * 10n])).toEqual([
    [2, 6_000_000_000n],
    [3, 6_000_000_000n]
  ])
})

test("a stream that becomes whole an instant before a minute is too late for it: clocks differ", () => {
  const reels = Reels.make(0)
  reels.whole([BTC], MINUTE - Reels.GRACE_MILLIS)
  reels.whole([ETH], MINUTE - Reels.GRACE_MILLIS + 1)
  trading(reels, 0, 4 * MINUTE)
  const pages = reels.take(4 * MINUTE)
  expect(pages.map(({ candles }) => candles.map(({ at }) => at / MINUTE))).toEqual([[1, 2], [2]])
})

test("a break discards the minute it lies in, one that ended within the grace before, and no other market's", () => {
  const reels = Reels.make(0)
  reels.whole([BTC, ETH], 0)
  trading(reels, 0, 3 * MINUTE)
  reels.broken([BTC], 3 * MINUTE + Reels.GRACE_MILLIS - 1)
  reels.whole([BTC], 3 * MINUTE + 5_000)
  trading(reels, 3 * MINUTE + 5_000, 6 * MINUTE)
  const pages = reels.take(6 * MINUTE)
  expect(pages.map(({ candles }) => candles.map(({ at }) => at / MINUTE))).toEqual([
    [1, 4],
    [1, 2, 3, 4]
  ])
})

test("a break noticed late discards minutes that are still held back", () => {
  const reels = Reels.make(0)
  reels.whole([BTC], 0)
  trading(reels, 0, 3 * MINUTE)
  reels.broken([BTC], 3 * MINUTE - 5_000)
  expect(minutes(reels, 10 * MINUTE)).toEqual([1])
  // Nothing is left of it, and what comes without a word that all is well again is not recorded.
  trading(reels, 10 * MINUTE, 12 * MINUTE)
  expect(reels.take(20 * MINUTE)).toEqual([])
})

test("a minute without trades is a hole; late trades within the held-back time are in their minute", () => {
  const reels = Reels.make(0)
  reels.whole([BTC], 0)
  let beat = 0
  const trade = (at: number, now: number, price: number) => {
    for (; beat <= now; beat += 4_000) reels.alive(beat)
    reels.traded(BTC, { price: price, amount: 1, at: at }, now)
  }
  trade(61_000, 61_000, 5)
  trade(4 * MINUTE, 4 * MINUTE, 7)
  trade(4 * MINUTE - 1, 4 * MINUTE + 14_999, 6)
  trade(4 * MINUTE - 1, 4 * MINUTE + 15_000, 8)
  expect(reels.strays).toEqual({ late: 1, ahead: 0 })
  trade(0, 6 * MINUTE, 5)
  const [page] = reels.take(6 * MINUTE)
  expect(page?.candles.map(({ at, close }) => [at / MINUTE, close])).toEqual([
    [1, 5],
    [3, 6],
    [4, 7]
  ])
})

test("trades with an unsound price, amount or time are ignored", () => {
  const reels = Reels.make(0)
  reels.whole([BTC], 0)
  for (let at = 0; at < 90_000; at += 4_000) reels.alive(at)
  const bad = [0, -1, Number.NaN, Number.POSITIVE_INFINITY]
  for (const value of bad) {
    reels.traded(BTC, { price: value, amount: 1, at: MINUTE }, MINUTE)
    reels.traded(BTC, { price: 1, amount: value, at: MINUTE }, MINUTE)
  }
  reels.traded(BTC, { price: 1, amount: 1, at: Number.NaN }, MINUTE)
  reels.traded(BTC, { price: 1, amount: 1, at: Number.POSITIVE_INFINITY }, MINUTE)
  reels.traded(BTC, { price: 1, amount: 1, at: 1e15 }, MINUTE)
  reels.traded(BTC, { price: 1, amount: 1, at: 1 }, MINUTE)
  expect(reels.take(10 * MINUTE)).toEqual([])
  expect(reels.strays).toEqual({ late: 0, ahead: 2 })
})

test("a suspended process has missed trades, although nobody reported a break", () => {
  const reels = Reels.make(0)
  reels.whole([BTC], 0)
  trading(reels, 0, 2 * MINUTE + 30_000)
  trading(reels, 2 * MINUTE + 55_000, 6 * MINUTE)
  expect(minutes(reels, 6 * MINUTE)).toEqual([1, 3, 4])
})

test("the end writes everything but what a silence may have spoilt; an unfinished minute is no candle", () => {
  const atEnd = (now: number) => {
    const reels = Reels.make(0)
    reels.whole([BTC], 0)
    trading(reels, 0, now)
    const pages = reels.close(now)
    expect(reels.close(now + MINUTE)).toEqual([])
    return pages.flatMap(({ candles }) => candles.map(({ at }) => at / MINUTE))
  }
  expect(atEnd(3 * MINUTE + 12_000)).toEqual([1, 2])
  expect(atEnd(3 * MINUTE + 11_999)).toEqual([1])
})

test("minutes that are never taken are bounded", () => {
  const reels = Reels.make(0)
  reels.whole([BTC], 0)
  trading(reels, 0, 200 * MINUTE)
  expect(minutes(reels, 200 * MINUTE).length).toBeLessThanOrEqual(61)
})
