import { describe, expect, test } from "bun:test"
import { Pair } from "../../../src/domain/Market.ts"
import { channelsOf } from "../../../src/prices/streaming/channels.ts"
import { numberOf, Quoting } from "../../../src/prices/streaming/Quoting.ts"

const BTC = { number: 0, pair: Pair.make("BTC/USDT"), kind: "spot" } as const
/** One stream tells all; two streams, of which one tells bid and ask and the other `last`; one that tells of each change. */
const together = () => new Quoting(BTC, channelsOf("okx", "spot"))
const apart = () => new Quoting(BTC, channelsOf("binance", "spot"))
const changes = () => new Quoting(BTC, channelsOf("kraken", "spot"))

const NOW = 1_790_000_000_000
const prices = ({ ask, bid, last }: Quoting) => [bid, ask, last]

const numbers: ReadonlyArray<readonly [unknown, number]> = [
  [1.5, 1.5],
  ["1.5", 1.5],
  ["1e-9", 1e-9],
  ["-3", -3],
  [0, 0],
  [JSON.parse("1e400"), Number.POSITIVE_INFINITY],
  ["1e400", Number.POSITIVE_INFINITY],
  ["", Number.NaN],
  ["abc", Number.NaN],
  ["1,5", Number.NaN],
  [Number.NaN, Number.NaN],
  [null, Number.NaN],
  [undefined, Number.NaN],
  [true, Number.NaN],
  [[1], Number.NaN],
  [{ valueOf: () => 1 }, Number.NaN]
]
test.each(numbers)("%p is the number %p", (value, number) => expect(numberOf(value)).toBe(number))

describe("one stream of all three", () => {
  test("has its prices as texts or as numbers", () => {
    const quoting = together()
    expect(quoting.streamed({ bid: "1.1", ask: 1.2, last: "1.15" }, NOW)).toBe(true)
    expect(prices(quoting)).toEqual([1.1, 1.2, 1.15])
  })

  test("is read twice by ccxt: the best prices alone are not the whole ticker", () => {
    const quoting = together()
    expect(quoting.streamed({ bid: 1.1, ask: 1.2 }, NOW)).toBe(false)
    expect(prices(quoting)).toEqual([Number.NaN, Number.NaN, Number.NaN])
  })

  const unknown: ReadonlyArray<readonly [bid: unknown, ask: unknown]> = [
    ["", "1.2"],
    ["1.1", ""],
    [null, null],
    [undefined, 1.2],
    ["abc", 1.2],
    [{}, []]
  ]
  test.each(unknown)(
    "whose bid is %p and whose ask is %p has no present price, and does not renew earlier ones",
    (bid, ask) => {
      const quoting = together()
      expect(quoting.streamed({ bid, ask, last: 1 }, NOW)).toBe(false)
      quoting.streamed({ bid: 1.1, ask: 1.2, last: 1.15 }, NOW)
      expect(quoting.streamed({ bid, ask, last: 1 }, NOW)).toBe(false)
      expect(prices(quoting).slice(0, 2)).toEqual([1.1, 1.2])
    }
  )

  test("passes on impossible prices, which the feed drops", () => {
    const quoting = together()
    expect(quoting.streamed({ bid: -1, ask: "1e400", last: 0 }, NOW)).toBe(true)
    expect(prices(quoting)).toEqual([-1, Number.POSITIVE_INFINITY, 0])
  })
})

describe("a stream of bid and ask beside one of the last price", () => {
  test("is combined with it", () => {
    const quoting = apart()
    expect(quoting.streamed({ bid: 1.1, ask: 1.2 }, NOW)).toBe(true)
    expect(prices(quoting)).toEqual([1.1, 1.2, Number.NaN])
    quoting.streamed({ bid: 0.5, ask: 0.6, last: 1.15 }, NOW)
    expect(prices(quoting)).toEqual([1.1, 1.2, 1.15])
    expect(quoting.streamed({ bid: 1.3, ask: 1.4 }, NOW)).toBe(true)
    expect(prices(quoting)).toEqual([1.3, 1.4, 1.15])
  })

  test("does not renew bid and ask with the last price: a wild one would confirm itself, a dead one look alive", () => {
    const quoting = apart()
    quoting.streamed({ bid: 1.1, ask: 1.2 }, NOW)
    expect(quoting.streamed({ bid: 1.1, ask: 1.2, last: 1.15 }, NOW + 500)).toBe(false)
    expect(quoting.streamed({ last: 1.16 }, NOW + 1000)).toBe(false)
  })

  test("of all changes is used for bid and ask, with a last price or without", () => {
    const quoting = changes()
    expect(quoting.streamed({ bid: 1.1, ask: 1.2, last: 1.15 }, NOW)).toBe(true)
    expect(quoting.streamed({ bid: 1.2, ask: 1.3 }, NOW)).toBe(true)
    expect(prices(quoting)).toEqual([1.2, 1.3, 1.15])
  })
})

describe("frames that were held up on the way", () => {
  const frame = (timestamp: unknown) => ({ bid: 1.1, ask: 1.2, last: 1.15, timestamp })
  /** Frames by when they were made and when they came (ms), and whether each tells prices of now. */
  const heard = (frames: ReadonlyArray<readonly [made: number, came: number]>, quoting = together()) =>
    frames.map(([made, came]) => quoting.streamed(frame(NOW + made), NOW + came))

  test("have an outdated price", () => {
    const frames = [
      [0, 100],
      [1000, 1100],
      [2000, 9000],
      [3000, 9001],
      [9000, 9100]
    ] as const
    expect(heard(frames)).toEqual([true, true, false, false, true])
  })

  test("are recognized whatever the difference of the clocks", () => {
    for (const ahead of [-3_600_000, 3_600_000, 40 * 365 * 86_400_000]) {
      const frames = [
        [ahead, 0],
        [ahead + 1000, 1000],
        [ahead + 2000, 8000],
        [ahead + 8000, 8010]
      ] as const
      expect(heard(frames)).toEqual([true, true, false, true])
    }
  })

  test("are told apart from frames that are a little late", () => {
    expect(
      heard([
        [0, 0],
        [1000, 6000],
        [2000, 7001]
      ])
    ).toEqual([true, true, false])
  })

  test("are told apart from frames with the time of the last trade while nothing is traded", () => {
    expect(
      heard([
        [0, 100],
        [0, 20_000],
        [0, 60_000],
        [60_500, 60_600]
      ])
    ).toEqual([true, true, true, true])
  })

  test("are still late if they repeat their time", () => {
    expect(
      heard([
        [0, 0],
        [1000, 20_000],
        [1000, 20_001]
      ])
    ).toEqual([true, false, false])
  })

  test("change neither prices nor times", () => {
    const quoting = together()
    heard([[0, 0]], quoting)
    quoting.streamed({ bid: 7, ask: 8, last: 9, timestamp: NOW + 1000 }, NOW + 30_000)
    expect(prices(quoting)).toEqual([1.1, 1.2, 1.15])
  })

  test("are not recognized after a clock was set, until the streams are reopened", () => {
    const quoting = together()
    heard([[0, 0]], quoting)
    expect(
      heard(
        [
          [1000, 3_601_000],
          [2000, 3_602_000]
        ],
        quoting
      )
    ).toEqual([false, false])
    quoting.reopened()
    expect(
      heard(
        [
          [3000, 3_603_000],
          [4000, 3_604_000]
        ],
        quoting
      )
    ).toEqual([true, true])
  })

  test("are not recognized without a valid time", () => {
    const quoting = together()
    heard([[0, 0]], quoting)
    for (const timestamp of [undefined, null, "", "soon", 0, -1, Number.NaN, {}])
      expect(quoting.streamed(frame(timestamp), NOW + 60_000)).toBe(true)
  })
})

describe("an answer to a request", () => {
  test("has prices before any stream does, which is no contradiction", () => {
    const quoting = together()
    expect(quoting.polled({ bid: "1.1", ask: "1.2", last: "1.15" })).toBe(false)
    expect(prices(quoting)).toEqual([1.1, 1.2, 1.15])
    expect(quoting.polled({ bid: 1.1, ask: 1.3 })).toBe(true)
    expect(prices(quoting)).toEqual([1.1, 1.3, 1.15])
  })

  test("contradicts the stream while its bid or ask differ from the last streamed ones", () => {
    const quoting = together()
    quoting.streamed({ bid: 1.1, ask: 1.2, last: 1.15 }, NOW)
    expect(quoting.polled({ bid: 1.1, ask: 1.2, last: 1.19 })).toBe(false)
    expect(quoting.polled({ bid: 1.1, ask: 1.21 })).toBe(true)
    expect(quoting.polled({ bid: 1.1, ask: 1.21 })).toBe(true)
    expect(quoting.polled({ bid: 1.1, ask: 1.2 })).toBe(false)
    quoting.streamed({ bid: 1.1, ask: 1.21, last: 1.15 }, NOW)
    expect(quoting.polled({ bid: 1.1, ask: 1.21 })).toBe(false)
  })

  test("is not compared with prices from before the streams were reopened", () => {
    const quoting = together()
    quoting.streamed({ bid: 1.1, ask: 1.2, last: 1.15 }, NOW)
    quoting.reopened()
    expect(quoting.polled({ bid: 2.1, ask: 2.2 })).toBe(false)
    expect(quoting.polled({ bid: 2.2, ask: 2.3 })).toBe(true)
  })

  test("without a bid or ask has no prices, and does not renew earlier ones", () => {
    const quoting = together()
    quoting.streamed({ bid: 1.1, ask: 1.2, last: 1.15 }, NOW)
    for (const figures of [{}, { last: 7 }, { bid: 1.1 }, { bid: null, ask: "" }, { bid: {}, ask: [] }])
      expect(quoting.polled(figures)).toBeUndefined()
    expect(prices(quoting)).toEqual([1.1, 1.2, 1.15])
  })
})
