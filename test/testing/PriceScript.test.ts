// Parsing and merging of price scripts.
import { expect, test } from "bun:test"
import * as Candle from "../../src/domain/Candle.ts"
import * as PriceScript from "../../src/testing/PriceScript.ts"

const told = (script: PriceScript.Script) =>
  script.map(({ act, at }) => {
    if (act._tag === "Alert") return `${at} ${act.type} ${act.pair} ${act.tp ?? "-"} ${act.sl ?? "-"}`
    const { event } = act
    return event._tag === "Quoted"
      ? `${at} ${event.market.exchange} ${event.market.pair} ${event.market.kind} ${event.ticker.last}`
      : `${at} ${event.exchange} ${event.pair} ${Object.values(event.candle).join(" ")}`
  })

test("a text gives prices, candles and alerts", () => {
  const script = PriceScript.parse(
    `
    # the morning
    t=0       60000
    t=0       3000.5 ETH/USDT swap bybit
    t=45m     sell ETH/USDT tp=70 sl=50.5
    t=1h30m   1 4 0.5 2
    t=2d      long`,
    { startsAt: 1_000 }
  )
  expect(told(script)).toEqual([
    "1000 binance BTC/USDT spot 60000",
    "1000 bybit ETH/USDT swap 3000.5",
    "2701000 sell ETH/USDT 70 50.5",
    "5401000 binance BTC/USDT 5401000 1 4 0.5 2 0",
    "172801000 long BTC/USDT - -"
  ])
})

test("steps give a straight way from price to price, with alerts between", () => {
  const script = PriceScript.start(100, { startsAt: 1_000, pair: "ETH/USDT" })
    .alert({ type: "buy", sl: 95 })
    .to(103, "3 minutes")
    .wait("10 minutes")
    .alert("sell")
    .alert({ type: "short", pair: "BTC/USDT", tp: 90 })
    .to(90, "1 day", { prices: 1 })
  expect(told(script)).toEqual([
    "1000 binance ETH/USDT spot 100",
    "1000 buy ETH/USDT - 95",
    "61000 binance ETH/USDT spot 101",
    "121000 binance ETH/USDT spot 102",
    "181000 binance ETH/USDT spot 103",
    "781000 binance ETH/USDT spot 103",
    "781000 sell ETH/USDT - -",
    "781000 short BTC/USDT 90 -",
    "87181000 binance ETH/USDT spot 90"
  ])
})

test("a way has sixty prices at most and one at least, ends at its price, and leaves the script before it as it was", () => {
  const first = PriceScript.start(100)
  const long = first.to(200, "30 days")
  expect(long).toHaveLength(61)
  expect(told(long).at(-1)).toBe("2592000000 binance BTC/USDT spot 200")
  expect(told(first.to(99, "1 second"))).toEqual([
    "0 binance BTC/USDT spot 100",
    "1000 binance BTC/USDT spot 99"
  ])
  expect(first).toHaveLength(1)
  expect(told(long.filter(({ at }) => at === 0))).toEqual(["0 binance BTC/USDT spot 100"])
  const both = PriceScript.merge(first.to(101, "1 minute"), PriceScript.start(5, { pair: "ETH/USDT" }))
  expect(told(both)).toEqual([
    "0 binance BTC/USDT spot 100",
    "0 binance ETH/USDT spot 5",
    "60000 binance BTC/USDT spot 101"
  ])
})

test("a line that cannot be read is refused with its place", () => {
  const cases = [
    ["\n\n60000", "line 3: begin with a time"],
    ["t=1x 5", "line 1: begin with a time"],
    ["t=0 5 6", "line 1: a candle is four prices"],
    ["t=0", "line 1: say a price"],
    ["t=0 5 4 3 5", "line 1: the high and the low"],
    ["t=0 hold", "line 1: hold says nothing here"],
    ["t=0 -5", "line 1: -5 says nothing here"],
    ["t=0 buy 5", "line 1: an alert comes without a price"],
    ["t=1h 5\nt=1m 5", "moment 2 is before the one above it"]
  ]
  for (const [text = "", why = ""] of cases) expect(() => PriceScript.parse(text)).toThrow(why)
})

test("arrays give the same as text, and scripts are merged by time", () => {
  const candles = PriceScript.walk({ candles: 3, seed: 3, everyMs: 60_000 })
  expect(candles.every(Candle.isSound)).toBe(true)
  expect(candles[1]?.open).toBe(candles[0]?.close ?? 0)
  expect(PriceScript.walk({ candles: 3, seed: 3, everyMs: 60_000 })).toEqual(candles)
  const prices = PriceScript.ofPrices(
    [
      [0, 5],
      [90_000, 6]
    ],
    { pair: "ETH/USDT" }
  )
  const all = PriceScript.merge(prices, PriceScript.ofCandles(candles))
  expect(all.map(({ at }) => at)).toEqual([0, 0, 60_000, 90_000, 120_000])
  expect(PriceScript.inStrides(all, 86_400_000).map(({ at }) => at)).toEqual([0, 0, 90_000, 120_000])
  expect(() =>
    PriceScript.ofPrices([
      [1, 5],
      [0, 5]
    ])
  ).toThrow("moment 2")
})
