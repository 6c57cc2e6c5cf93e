// The filters of the Trades page.
import { expect, test } from "bun:test"
import { times } from "../../src/web/page/parts/reader/time.ts"
import { isFiltered, paramsOf } from "../../src/web/page/trades/filters.ts"

test("the filters of the page's URL become those of the request, and empty ones are left out", () => {
  expect(isFiltered({ sort: "pnl", pair: "" })).toBe(false)
  expect(isFiltered({ mode: "live" })).toBe(true)
  const params = paramsOf({ strategy: "7", pair: "BTC", side: "", why: "sl", from: "2026-11-23", to: "soon" })
  expect(JSON.parse(JSON.stringify(params))).toEqual({
    strategy_id: "7",
    pair: "BTC",
    exit_reason: "sl",
    from: String(times().dayBegins("2026-11-23"))
  })
})
