import { expect, test } from "bun:test"
import { Either, Option } from "effect"
import { type Shelf, shelf } from "../../src/domain/catalogue/Catalogue.ts"
import { toText, zero } from "../../src/domain/Decimal.ts"
import { type Market, marketKey, Pair } from "../../src/domain/Market.ts"
import { renew } from "../../src/domain/market/CatalogueRefresh.ts"
import type { Listed, Listing } from "../../src/domain/market/Listing.ts"
import { decimal, listed, listingOf } from "../../src/testing/contracts/listings.ts"

const SHELF = shelf("bybit")
const MARKETS = [...SHELF.markets.values()]
const [FIRST] = MARKETS
if (FIRST === undefined) throw new Error("bybit is shipped with nothing")

const renewed = (listing: Listing, known: Shelf = SHELF) => Either.getOrThrow(renew(known, listing))
const replaced = (change: (market: Listed) => ReadonlyArray<Listed>): ReadonlyArray<Listed> =>
  MARKETS.flatMap((market) => (market === FIRST ? change(listed(market)) : [listed(market)]))
const first = (markets: ReadonlyArray<Market>) =>
  markets.find((market) => marketKey(market) === marketKey(FIRST))

test("a listing that equals the catalogue changes nothing", () => {
  const { exchange, report: told } = renewed({
    ...listingOf("bybit", MARKETS.map(listed)),
    fees: Option.none()
  })
  expect(told).toEqual({ known: MARKETS.length, added: [], changed: [], gone: [], left: [] })
  expect(exchange).toEqual(SHELF.exchange)
})

test("a market that is listed unusably stays as it was", () => {
  const { markets, report: told } = renewed({
    ...listingOf(
      "bybit",
      replaced(() => [])
    ),
    unreadable: [{ symbol: FIRST.pair, id: Option.some(FIRST), error: "precision.price is 0" }]
  })
  expect([told.gone, told.left]).toEqual([[], [FIRST]])
  expect(first(markets)).toBeUndefined()
})

test("minimums that the exchange does not name stay; a minimum amount is at least one step", () => {
  const silent = { minAmount: Option.none(), minCost: Option.none() }
  const { markets, report: told } = renewed(
    listingOf("bybit", [
      ...replaced((market) => [{ ...market, ...silent }]),
      { ...listed(FIRST), ...silent, pair: Pair.make("NEW/USDT") },
      { ...listed(FIRST), minAmount: Option.some(zero), pair: Pair.make("NEW2/USDT") }
    ])
  )
  expect(told.changed).toEqual([])
  expect(first(markets)).toEqual(FIRST)
  const [brought, other] = markets.slice(-2).map(({ minAmount, minCost }) => [minAmount, minCost].map(toText))
  expect(brought).toEqual([toText(FIRST.amountStep), "0"])
  expect(other?.[0]).toBe(toText(FIRST.amountStep))
})

test.each([
  ["priceStep", { priceStep: decimal("3") }],
  ["amountStep", { amountStep: decimal("3") }],
  ["minAmount", { minAmount: Option.some(decimal("3000")) }],
  ["minCost", { minCost: Option.some(decimal("3")) }],
  ["active", { active: false }]
])("a new %s counts as a change", (_, change) => {
  const { markets, report: told } = renewed(
    listingOf(
      "bybit",
      replaced((market) => [{ ...market, ...change }])
    )
  )
  expect(told.changed.map(marketKey)).toEqual([marketKey(FIRST)])
  expect(told.gone).toEqual([])
  expect(first(markets)).not.toEqual(FIRST)
})

test("a closed market that was never known is not added", () => {
  const dead = { ...listed(FIRST), active: false, pair: Pair.make("DEAD/USDT") }
  const { markets, report: told } = renewed(listingOf("bybit", [...MARKETS.map(listed), dead]))
  expect([told.known, told.added]).toEqual([MARKETS.length, []])
  expect(markets.length).toBe(MARKETS.length)
})

test("a delisted market is reported once, and as changed when it returns", () => {
  const without = listingOf(
    "bybit",
    replaced(() => [])
  )
  const once = renewed(without)
  const known = {
    exchange: once.exchange,
    markets: new Map([...MARKETS, ...once.markets].map((market) => [marketKey(market), market]))
  }
  expect(once.report.gone.map(marketKey)).toEqual([marketKey(FIRST)])
  expect(renewed(without, known).report.gone).toEqual([])
  const back = renewed(listingOf("bybit", MARKETS.map(listed)), known)
  expect(back.report.changed.map(marketKey)).toEqual([marketKey(FIRST)])
  expect(first(back.markets)?.active).toBe(true)
})

test("a kind that is mostly missing counts as a failed query and stays as it was", () => {
  const spots = MARKETS.filter(({ kind }) => kind === "spot")
  const swaps = MARKETS.filter(({ kind }) => kind === "swap")
  expect(swaps.length).toBeGreaterThan(4)
  const { report: told } = renewed(listingOf("bybit", [...spots, ...swaps.slice(0, 2)].map(listed)))
  expect([told.gone, told.left]).toEqual([[], swaps.slice(2)])
})

test("half of the known active markets is enough, and less is refused", () => {
  const of = (pairs: ReadonlyArray<Market>): Shelf => ({
    exchange: SHELF.exchange,
    markets: new Map(pairs.map((market) => [marketKey(market), market]))
  })
  const spots = MARKETS.filter(({ kind }) => kind === "spot").slice(0, 10)
  const told = (known: Shelf, count: number) =>
    renew(known, listingOf("bybit", spots.slice(0, count).map(listed)))
  expect(Either.isRight(told(of(spots), 5))).toBe(true)
  expect(Either.getLeft(told(of(spots), 4))).toMatchObject({ value: { known: 10, found: 4 } })
  const gone = spots.map((market, index) => ({ ...market, active: index < 8 }))
  expect(Either.isRight(told(of(gone), 4))).toBe(true)
  expect(Either.isLeft(told(of([]), 0))).toBe(true)
  expect(Either.isRight(told(of([]), 1))).toBe(true)
})
