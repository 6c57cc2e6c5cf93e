// The directory's page: its filters in the URL, and what a record says. Somebody who wants to look better than he is, is
// the adversary.
import { expect, test } from "bun:test"
import {
  SIGNAL_SORTS as SERVER_SIGNAL_SORTS,
  STRATEGY_SORTS as SERVER_SORTS
} from "../../src/domain/directory/Listed.ts"
import { LEVELS } from "../../src/trading/TrackRecord.ts"
import {
  agoText,
  levelBadge,
  placeOf,
  publicationPoint,
  SORTING
} from "../../src/web/page/discover/record.ts"
import {
  pairOf,
  SIGNAL_SORTS,
  STRATEGY_SORTS,
  signalParams,
  strategyParams
} from "../../src/web/page/discover/search.ts"

test("an empty query asks for everything, by record", () => {
  expect(Object.values(strategyParams({})).every((value) => value === undefined)).toBe(true)
  expect(Object.values(signalParams({ q: "", sort: "" })).every((value) => value === undefined)).toBe(true)
})

test("every filter of the URL reaches the request", () =>
  expect(
    strategyParams({ q: "dip", sort: "copies", exchange: "okx", pair: "btc/usdt", mode: "real", age: "90" })
  ).toEqual({
    search: "dip",
    sort: "copies",
    exchange: "okx",
    pair: "BTC/USDT",
    mode: "real",
    min_age: "90"
  }))

test.each(["BTC", "BTC/", "/USDT", "BTC/USDT/X", "<b>/x", "A".repeat(50), ""])(
  "%j is no whole pair, and is not sent",
  (text) => {
    expect(pairOf(text)).toBeUndefined()
    expect(strategyParams({ pair: text }).pair).toBeUndefined()
  }
)

test.each(["-1", "1e3", "99999", "x"])("the age %j of a mistyped URL is not sent", (age) =>
  expect(strategyParams({ age }).min_age).toBeUndefined()
)

test("the sortings are the server's, whose first one is the default", () => {
  const sent = (sorts: typeof STRATEGY_SORTS) => sorts.map(({ value }) => value)
  expect(sent(STRATEGY_SORTS)).toEqual(["", ...SERVER_SORTS.slice(1)])
  expect(sent(SIGNAL_SORTS)).toEqual(["", ...SERVER_SIGNAL_SORTS.slice(1)])
})

test("the page states the rule by which the server sorts records", () => {
  const spans = LEVELS.map(({ days, trades }) => `${days === 365 ? "a year" : `${days} days`} and ${trades}`)
  for (const span of spans) expect(SORTING).toContain(span)
})

test("a short record is marked as one, and every level has its badge", () => {
  expect(levelBadge(0)).toEqual(["warn", "short record"])
  expect(levelBadge(99)).toEqual(["warn", "short record"])
  for (const { days, level } of LEVELS)
    expect(levelBadge(level)[1]).toBe(days === 365 ? "over a year" : `over ${days} days`)
})

test("a period lies before the publication, after it, or around it", () => {
  const published = 1000
  expect(placeOf({ since: 0, until: 999 }, published)).toBe("before")
  expect(placeOf({ since: 0, until: 1000 }, published)).toBe("during")
  expect(placeOf({ since: 999, until: 5000 }, published)).toBe("during")
  expect(placeOf({ since: 1000, until: 5000 }, published)).toBe("after")
})

test("the publication is marked at the first point from then on, and nowhere if the curve began later", () => {
  const curve = [
    [10, 0, 0],
    [20, 1, 0],
    [30, 2, 0]
  ] as const
  expect(publicationPoint(curve, 10)).toBe(10)
  expect(publicationPoint(curve, 11)).toBe(20)
  expect(publicationPoint(curve, 9)).toBeUndefined()
  expect(publicationPoint(curve, 31)).toBeUndefined()
  expect(publicationPoint([], 5)).toBeUndefined()
})

test("ages are in whole days", () =>
  expect([0, 1, 2].map(agoText)).toEqual(["today", "1 day ago", "2 days ago"]))
