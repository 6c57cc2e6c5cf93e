// The filters of the Trades page.
import { expect, test } from "bun:test"
import { times } from "../../src/web/page/parts/reader/time.ts"
import { tradeOfOrder } from "../../src/web/page/strategy/orders.ts"
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

test("an order leads to the trade that it is part of, and not to one that only touches its second", () => {
  const market = { exchange: "binance", kind: "spot", pair: "BTC/USDT" } as const
  const trade = (opened_at: number, closed_at: number, side: "long" | "short" = "long") => ({
    ...TRADE,
    ...market,
    side,
    opened_at,
    closed_at
  })
  // A long, a short that a turn opened in the second of its closing, and a long after it.
  const [first, turned, last] = [trade(100, 200), trade(200, 300, "short"), trade(300, 400)]
  const trades = [first, turned, last]
  const of = (purpose: "entry" | "dca" | "exit", side: "buy" | "sell", at: number) =>
    tradeOfOrder(trades, { ...market, purpose, side }, at)
  expect(of("entry", "buy", 100)).toBe(first)
  expect(of("dca", "buy", 150)).toBe(first)
  expect(of("exit", "sell", 200)).toBe(first)
  expect(of("entry", "sell", 200)).toBe(turned)
  expect(of("exit", "buy", 300)).toBe(turned)
  expect(of("entry", "buy", 300)).toBe(last)
  // A position that is still open is part of no trade.
  expect(of("entry", "buy", 400)).toBeUndefined()
  expect(of("entry", "buy", 401)).toBeUndefined()
  // Another exchange's trade of the same pair is not its own.
  const elsewhere = { ...market, exchange: "okx", purpose: "exit", side: "sell" } as const
  expect(tradeOfOrder(trades, elsewhere, 200)).toBeUndefined()
})

/** A trade's figures, which do not tell whose order it was. */
const TRADE = {
  id: 1,
  strategy_id: 7,
  strategy_name: "Trend",
  currency: "USDT",
  entry_price: 100,
  exit_price: 101,
  quantity: 1,
  cost: 100,
  proceeds: 101,
  fees: 0,
  pnl: 1,
  profit_pct: 1,
  exit_reason: "tp",
  entries: 1,
  exits: 1,
  exit_fills: [],
  period: 1,
  live: false
} as const
