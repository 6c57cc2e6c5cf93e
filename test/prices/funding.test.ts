// Past funding rates: pages of exchanges that answer at their worst, and the file that keeps them.
import { afterAll, describe, expect, test } from "bun:test"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Either, Fiber, TestClock } from "effect"
import { ratesIn } from "../../src/domain/fills/FundingPage.ts"
import type { FundingRate } from "../../src/domain/fills/FundingRate.ts"
import { type KnownExchange, Pair } from "../../src/domain/Market.ts"
import * as FundingFiles from "../../src/prices/FundingFiles.ts"
import * as FundingPages from "../../src/prices/history/FundingPages.ts"
import { holesOf } from "../../src/trading/backtest/Funding.ts"
import { it } from "../lib/effect.ts"

const HOUR = 3_600_000
const BEGIN = Date.UTC(2024, 0, 1)
const pair = Pair.make("BTC/USDT")
const symbol = "BTC/USDT:USDT"

/** What the exchange has: a rate each eight hours for two months, each another. */
const HAS: ReadonlyArray<FundingRate> = Array.from({ length: 180 }, (_, index) => ({
  at: BEGIN + index * 8 * HOUR,
  rate: (index - 90) / 1e6
}))

interface Seen {
  requests: number
  opened: number
  closed: number
}

/** A ccxt that answers in disorder, twice, with rubbish among it, and fails each third request. */
const mean = (exchange: KnownExchange, fails: (request: number) => unknown = () => undefined) => {
  const seen: Seen = { requests: 0, opened: 0, closed: 0 }
  const number = (value: unknown) => (typeof value === "number" ? value : undefined)
  const page = (since: number | undefined, limit: number, params: object): ReadonlyArray<FundingRate> => {
    const { after, pageNo, until } = params as Record<string, unknown>
    if (exchange === "bitget") {
      const back = HAS.toReversed().slice(((number(pageNo) ?? 0) - 1) * limit)
      return back.slice(0, limit)
    }
    const end = exchange === "okx" ? number(after) : (number(until) ?? 0) + 1
    return HAS.filter(({ at }) => at >= (since ?? 0) && at < (end ?? 0)).slice(0, limit)
  }
  const open = async (): Promise<FundingPages.FundingClient> => {
    seen.opened++
    return {
      timeout: 0,
      markets: { [symbol]: {} },
      loadMarkets: async () => ({}),
      fetchFundingRateHistory: async (asked, since, limit = 0, params = {}) => {
        expect(asked).toBe(symbol)
        const failure = fails(++seen.requests)
        if (failure !== undefined) throw failure
        const rows = page(since, limit, params).map(({ at, rate }) => ({
          timestamp: at,
          fundingRate: String(rate)
        }))
        const rubbish = [null, 7, {}, { timestamp: "x", fundingRate: 1 }, { timestamp: 5, fundingRate: 17 }]
        return rows.length === 0 ? [] : [...rows.toReversed(), ...rows.slice(0, 2), ...rubbish]
      },
      close: async () => void seen.closed++
    }
  }
  return { open, seen }
}

const fetchAll = (
  exchange: KnownExchange,
  { open }: Pick<ReturnType<typeof mean>, "open">,
  stretches: ReadonlyArray<FundingPages.Stretch>
) =>
  Effect.gen(function* () {
    const kept: Array<FundingRate> = []
    const keep = (rates: ReadonlyArray<FundingRate>) => Effect.sync(() => void kept.push(...rates))
    const fiber = yield* Effect.fork(
      FundingPages.download(open, { exchange, pair, stretches }, keep, () => {})
    )
    yield* TestClock.adjust("2 hours")
    const count = yield* Fiber.join(fiber)
    return { count, kept: kept.toSorted((one, other) => one.at - other.at) }
  })

const WHOLE = [{ from: BEGIN, until: BEGIN + 60 * 24 * HOUR }]

describe("a download of funding rates", () => {
  for (const exchange of ["binance", "bybit", "okx", "kucoin", "bitget"] as const)
    it.effect(`has every rate of ${exchange} once, whatever stands between them`, () =>
      Effect.gen(function* () {
        const client = mean(exchange, (request) => (request % 3 === 0 ? new Error("rubbish") : undefined))
        const { count, kept } = yield* fetchAll(exchange, client, WHOLE)
        expect<unknown>(kept).toEqual(HAS)
        expect(count).toBe(HAS.length)
        expect([client.seen.opened, client.seen.closed]).toEqual([1, 1])
      })
    )

  it.effect("asks for the stretches that are missing, and for nothing else", () =>
    Effect.gen(function* () {
      const client = mean("bybit")
      const stretch = { from: BEGIN + 80 * HOUR, until: BEGIN + 104 * HOUR }
      const { kept } = yield* fetchAll("bybit", client, [stretch])
      expect<unknown>(kept).toEqual(HAS.slice(10, 13))
      expect(client.seen.requests).toBe(1)
    })
  )

  it.effect("gives up after several failures in a row, and says that the same download goes on", () =>
    Effect.gen(function* () {
      const client = mean("okx", () => Object.assign(new Error("down"), { name: "ExchangeNotAvailable" }))
      const ended = yield* Effect.either(fetchAll("okx", client, WHOLE))
      expect(Either.getOrThrow(Either.flip(ended)).message).toContain("stopped: it is not available")
      expect([client.seen.requests, client.seen.closed]).toEqual([7, 1])
    })
  )

  test("is refused where an exchange has none, by the names of those that have", () => {
    expect(FundingPages.refusalOf("kraken")).toBe(
      "kraken serves no past funding rates of linear perpetuals; binance, bybit, okx, kucoin, bitget do"
    )
    expect(FundingPages.refusalOf("coinbase")).toContain("coinbase serves no past funding rates")
    expect(FundingPages.refusalOf("bitget")).toBeUndefined()
  })
})

test("a page that is no list, or of which nothing can be read, is no page", () => {
  const range = { from: 0, until: 10 }
  for (const page of [undefined, null, {}, "[]", [1], [{}], [{ timestamp: 1.5, fundingRate: 0 }]])
    expect(ratesIn(page, range)).toBeUndefined()
  expect(ratesIn([], range)).toEqual([])
  expect(ratesIn([{ timestamp: 10, fundingRate: 0 }], range)).toEqual([])
})

describe("stored funding rates", () => {
  const folder = mkdtempSync(join(tmpdir(), "funding-"))
  afterAll(() => rmSync(folder, { recursive: true }))
  const id = { exchange: "binance" as const, pair }

  test("are read as they were stored, newer ones in place of older; other lines are left out", async () => {
    expect(FundingFiles.read(folder, id)).toEqual([])
    const [first, second, third, fourth] = HAS
    await FundingFiles.add(folder, id, HAS.slice(0, 3))
    await FundingFiles.add(folder, id, [{ at: second?.at ?? 0, rate: -1e-7 }, ...HAS.slice(3, 4)])
    const path = FundingFiles.pathOf(folder, id)
    expect(path).toEndWith("binance/BTC-USDT-swap/funding.csv")
    const text = readFileSync(path, "utf8")
    writeFileSync(path, `${text}rubbish\n1,2,3\n-5,0\n7,99\n`)
    expect<unknown>(FundingFiles.read(folder, id)).toEqual([
      first,
      { at: second?.at, rate: -1e-7 },
      third,
      fourth
    ])
  })
})

test("a hole is longer than funding is ever apart, at the ends too; times that are late by seconds are none", () => {
  const times = [8, 16.001, 24, 48].map((hour) => ({ at: hour * HOUR, rate: 0 }))
  expect(holesOf(times, { from: 0, to: 60 * HOUR })).toEqual([
    { from: 24 * HOUR, to: 48 * HOUR },
    { from: 48 * HOUR, to: 60 * HOUR }
  ])
  expect(holesOf([], { from: 0, to: 8 * HOUR })).toEqual([])
})
