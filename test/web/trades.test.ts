// The filters of the Trades page.
import { expect, test } from "bun:test"
import { dayBegins, dayEnds } from "../../src/web/page/trades/days.ts"
import { isFiltered, paramsOf } from "../../src/web/page/trades/filters.ts"

test("the filters of the page's URL become those of the request, and empty ones are left out", () => {
  expect(isFiltered({ sort: "pnl", pair: "" })).toBe(false)
  expect(isFiltered({ mode: "live" })).toBe(true)
  const params = paramsOf({ strategy: "7", pair: "BTC", side: "", why: "sl", from: "2026-11-23", to: "soon" })
  expect(JSON.parse(JSON.stringify(params))).toEqual({
    strategy_id: "7",
    pair: "BTC",
    exit_reason: "sl",
    from: String(dayBegins("2026-11-23"))
  })
})

test("a day is a local one from its first second to its last, and anything else is none", () => {
  const begins = dayBegins("2026-11-23") ?? 0
  expect(new Date(begins * 1000).getHours()).toBe(0)
  expect(dayEnds("2026-11-23")).toBe((dayBegins("2026-11-24") ?? 0) - 1)
  // The last day of a month ends with the first of the next.
  expect(dayEnds("2026-12-31")).toBe((dayBegins("2027-01-01") ?? 0) - 1)
  for (const text of ["", "2026", "2026-11-23T00:00", "<img onerror>", "1-1-1"])
    expect([dayBegins(text), dayEnds(text)]).toEqual([undefined, undefined])
})
