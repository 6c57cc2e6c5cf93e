import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as BigDecimal from "effect/BigDecimal"
import * as FastCheck from "effect/FastCheck"
import { textOf } from "../../src/domain/candles/CandleRowWriter.ts"
import * as CandleBuilder from "../../src/trading/candles/CandleBuilder.ts"

/** `at`, price and amount. */
type Trade = readonly [at: number, price: number, amount: number]

const built = (trades: ReadonlyArray<Trade>): ReadonlyArray<string> => {
  const builder = CandleBuilder.make()
  for (const [at, price, amount] of trades) builder.add(price, amount, at)
  return builder.take(Number.POSITIVE_INFINITY).map(textOf)
}

// Five minutes of Kraken's BTC/USD on 1 July 2019, from deman4ik/cryptuoso (libs/market/src/test/testData/trades.ts,
// MIT). The candles were computed from them in another language, with its own decimals.
const KRAKEN = readFileSync(join(import.meta.dir, "kraken_BTC-USD_trades_2019-07-01.csv"), "utf8")
const CANDLES = `1561939200000,10749.4,10775,10749.4,10768.4,26.51544134
1561939260000,10774.9,10789.2,10760,10789.2,16.77946706
1561939320000,10778,10783.4,10736.3,10736.3,25.18005024
1561939380000,10750,10750,10700,10728.2,46.49118981
1561939440000,10732.1,10732.1,10675,10704,52.3755026`

const recorded: ReadonlyArray<Trade> = KRAKEN.trim()
  .split("\n")
  .slice(1)
  .map((line) => {
    const [at, price, amount] = line.split(",").map(Number)
    return [at ?? 0, price ?? 0, amount ?? 0]
  })

test("real trades give the reference candles, to the last digit of the volume", () => {
  expect(recorded.length).toBeGreaterThan(100)
  expect(built(recorded)).toEqual(CANDLES.split("\n"))
})

test("volumes are exact decimal sums, and prices have no exponent", () => {
  expect(
    built([
      [0, 1.5e-7, 0.1],
      [1, 2e-7, 0.2]
    ])
  ).toEqual(["0,0.00000015,0.0000002,0.00000015,0.0000002,0.3"])
  expect(
    built([
      [0, 5, 1e-12],
      [1, 5, 0.00000001]
    ])
  ).toEqual(["0,5,5,5,5,0.000000010001"])
  // Amounts beyond any steps of 10^-8, and sums beyond what a double holds.
  expect(built(Array.from({ length: 40 }, (_, at) => [at, 5, 9_999_999.00000001] as const))).toEqual([
    "0,5,5,5,5,399999960.0000004"
  ])
  expect(
    built([
      [0, 5, 123_456_789_012],
      [1, 5, 0.5]
    ])
  ).toEqual(["0,5,5,5,5,123456789012.5"])
})

test("a late trade of an earlier time opens its minute; at one time the first opens and the last closes", () => {
  const late: ReadonlyArray<Trade> = [
    [60_500, 10, 1],
    [60_500, 11, 1],
    [59_999, 7, 1],
    [60_000, 9, 1]
  ]
  expect(built(late)).toEqual(["0,7,7,7,7,1", "60000,9,11,9,11,3"])
})

test("only minutes that are over are taken, each once; an empty minute gives no candle", () => {
  const builder = CandleBuilder.make()
  builder.add(1, 1, 10)
  builder.add(2, 1, 180_000)
  expect(builder.take(59_999)).toEqual([])
  expect(builder.take(60_000).map(({ at }) => at)).toEqual([0])
  expect(builder.take(239_999)).toEqual([])
  expect(builder.take(240_000).map(({ at }) => at)).toEqual([180_000])
  expect(builder.take(Number.POSITIVE_INFINITY)).toEqual([])
})

const trade = FastCheck.record({
  at: FastCheck.integer({ min: 0, max: 5 * 60_000 }),
  cents: FastCheck.integer({ min: 1, max: 10_000_000 }),
  steps: FastCheck.integer({ min: 1, max: 2_000_000_000 }),
  places: FastCheck.integer({ min: 0, max: 12 })
})

test("any trades in any sequence give the same candles as a naive fold over each minute", () => {
  const property = FastCheck.property(FastCheck.array(trade, { maxLength: 200 }), (made) => {
    const trades = made.map(
      ({ at, cents, places, steps }): Trade => [at, cents / 100, Number(`${steps}e-${places}`)]
    )
    const naive = Map.groupBy(trades, ([at]) => Math.floor(at / 60_000) * 60_000)
    const rows = [...naive]
      .sort(([a], [b]) => a - b)
      .map(([at, all]) => {
        // A stable sort: of one time, in the order in which they came.
        const prices = all.toSorted(([a], [b]) => a - b).map(([, price]) => price)
        const sum = all.reduce((volume, [, , amount]) => volume + BigInt(places12(amount)), 0n)
        const volume = BigDecimal.format(BigDecimal.normalize(BigDecimal.make(sum, 12)))
        return [at, prices[0], Math.max(...prices), Math.min(...prices), prices.at(-1), volume].join(",")
      })
    expect(built(trades)).toEqual(rows)
  })
  FastCheck.assert(property, { numRuns: 300 })
})

/** An amount with at most 12 places as whole steps of 10^-12, by its text alone. */
const places12 = (amount: number): string => {
  const [digits = "", exponent = "0"] = String(amount).split("e")
  const [whole = "", part = ""] = digits.split(".")
  return (
    `${whole}${part}`.padEnd(whole.length + part.length, "0") +
    "0".repeat(12 - part.length + Number(exponent))
  )
}
