// A strategy page's data: timeline, chart markers and price levels.
import { describe, expect, test } from "bun:test"
import { LevelView } from "../../src/api/Holdings.ts"
import { EXIT_REASONS } from "../../src/domain/Order.ts"
import { type Board, exitTitle, levelTitle, levelTone } from "../../src/web/page/strategy/board.ts"
import { linesOf, marketsOf, marksOf, type Prices, sourceText } from "../../src/web/page/strategy/chart.ts"
import { byDay, type Entry, extended, joined, toneOf } from "../../src/web/page/strategy/timeline.ts"

const entry = (id: number, more: Partial<Entry> = {}): Entry => ({
  id,
  at: id * 3600,
  rule: "opened",
  alert_id: null,
  reason: null,
  text: `line ${id}`,
  facts: {},
  ...more
})
const ids = (entries: ReadonlyArray<Entry>) => entries.map(({ id }) => id)
const lines = (...numbers: ReadonlyArray<number>) => numbers.map((id) => entry(id))

describe("a timeline", () => {
  test("adds new entries and keeps loaded ones", () => {
    expect(ids(joined(lines(5, 4, 3, 2), lines(7, 6, 5)))).toEqual([7, 6, 5, 4, 3, 2])
    expect(ids(joined([], lines(2, 1)))).toEqual([2, 1])
    expect(ids(joined(lines(2, 1), []))).toEqual([2, 1])
  })
  test("drops old entries rather than leave a gap", () =>
    expect(ids(joined(lines(5, 4), lines(90, 89, 88)))).toEqual([90, 89, 88]))
  test("grows at its end, each line once", () => {
    expect(ids(extended(lines(5, 4), lines(4, 3, 2)))).toEqual([5, 4, 3, 2])
    expect(ids(extended([], lines(2)))).toEqual([2])
  })
  test("is grouped by day, in sequence", () => {
    const days = byDay(lines(50, 49, 25, 1), (seconds) => `day ${Math.floor(seconds / 86_400)}`)
    expect(days.map(({ entries, title }) => [title, ids(entries)])).toEqual([
      ["day 2", [50, 49]],
      ["day 1", [25]],
      ["day 0", [1]]
    ])
  })
  test("marks gains, losses and skipped actions differently", () => {
    expect(toneOf(entry(1, { rule: "trade", facts: { pnl: "-0.5" } }))).toBe("bad")
    expect(toneOf(entry(1, { rule: "trade", facts: { pnl: "12" } }))).toBe("good")
    expect(toneOf(entry(1, { rule: "alert", reason: "already_open" }))).toBe("warn")
    expect(toneOf(entry(1, { rule: "alert", reason: "closed" }))).toBe("accent")
  })
})

const market = { exchange: "binance", pair: "BTC/USDT", kind: "spot" } as const
const fill = (at: number, more: Partial<Prices["markers"][number]> = {}): Prices["markers"][number] => ({
  at,
  purpose: "entry",
  role: "open",
  side: "buy",
  price: 10,
  quantity: 1,
  exit_reason: null,
  ...more
})
const prices = (markers: Prices["markers"], more: Partial<Prices> = {}): Prices => ({
  source: "recorded",
  interval_seconds: 60,
  candles: [60, 120, 300].map((time) => [time, 1, 2, 0.5, 1.5] as const),
  markers,
  markers_total: markers.length,
  ...more
})

describe("a price chart", () => {
  test("puts each fill on the candle that had begun by then, across holes too", () => {
    const marks = marksOf(prices([fill(10), fill(60), fill(119), fill(200), fill(999)]))
    expect(marks.map(({ time }) => time)).toEqual([60, 60, 120, 300])
  })
  test("marks entries, DCA, exits, gains and losses differently", () => {
    const marks = marksOf(
      prices([
        fill(60),
        fill(60, { purpose: "dca", role: "average" }),
        fill(60, { role: "add" }),
        fill(60, { purpose: "exit", role: "part", side: "sell", exit_reason: "take_profit" }),
        fill(60, { purpose: "exit", role: "close", side: "sell", exit_reason: "trailing_sell" }),
        fill(60, { purpose: "exit", role: "close", side: "sell", exit_reason: "stop_loss" }),
        fill(60, { role: "turn", side: "sell" }),
        fill(60, { side: "sell" })
      ])
    )
    expect(marks.map(({ shape, side, text, tone }) => [text, side, shape, tone])).toEqual([
      ["Entry", "below", "up", "accent"],
      ["DCA", "below", "circle", "accent"],
      ["Added", "below", "circle", "accent"],
      ["Part: take profit", "above", "square", "good"],
      ["Trailing sell", "above", "down", "good"],
      ["Stop loss", "above", "down", "bad"],
      ["Turned short", "above", "down", "accent"],
      ["Entry", "above", "down", "accent"]
    ])
  })
  test("labels nothing if labels would cover each other", () => {
    const marks = marksOf(prices(Array.from({ length: 31 }, () => fill(60))))
    expect(new Set(marks.map(({ text }) => text))).toEqual(new Set([""]))
  })
  test("names the source of its prices", () => {
    expect(sourceText(prices([], { source: "live", interval_seconds: 3600 }))).toBe(
      "This server's prices since it started, one candle for 1 h."
    )
    expect(sourceText(prices([fill(60)], { markers_total: 700 }))).toBe(
      "Recorded candles, one candle for 1 min. The latest 1 of 700 fills are marked."
    )
    expect(sourceText(prices([], { candles: [] }))).toBe("")
  })

  const position: Board["positions"][number] = {
    ...market,
    side: "long",
    ...{ strategy_id: 1, strategy_name: "A", quantity: 1, average: 100, entries: 1, cost: 100 },
    ...{ price: 101, value: 101, pnl: 1, profit_pct: 1, opened_at: 1, closes_at: null, is_ordering: false },
    ...{ account: null, stop: null, is_astray: false, entered: 2, exits: 1 },
    break_even: { after: 2, done: 1, price: 100.2, is_armed: false },
    levels: [
      { rule: "stop_loss", price: 95, from: null, step: null },
      {
        ...{ rule: "take_profit", price: 104, from: null },
        step: { number: 2, count: 3, quantity: 0.3, closes_all: false }
      },
      { rule: "dca", price: 97, from: null, step: null }
    ]
  }
  const board: Pick<Board, "positions" | "armed" | "strategy"> = {
    positions: [{ ...position, pair: "ETH/USDT", kind: "swap" }, position],
    armed: [{ ...market, side: "long", extreme: 90, level: 91, armed_at: 1, tp: null, sl: null }],
    strategy: JSON.parse('{"exchanges":[{"exchange_name":"binance","coin_pairs":["BTC/USDT","LTC/USDT"]}]}')
  }
  test("draws the average price and the levels of each rule, on its own market", () =>
    expect(linesOf(board, market).map(({ price, title }) => [title, price])).toEqual([
      ["Average", 100],
      ["Stop loss", 95],
      ["Step 2 of 3", 104],
      ["Next DCA", 97],
      ["Break even", 100.2],
      ["Buys", 91]
    ]))
  test("offers held markets first, then listed ones, each once", () =>
    expect(marketsOf(board).map(({ kind, pair }) => `${pair} ${kind}`)).toEqual([
      "ETH/USDT swap",
      "BTC/USDT spot",
      "LTC/USDT spot"
    ]))
})

test("every level and every exit has its words", () => {
  for (const rule of LevelView.fields.rule.literals) {
    expect(levelTitle(rule)).toMatch(/^[A-Z]/)
    expect(levelTone(rule)).toBeString()
  }
  for (const reason of EXIT_REASONS) expect(exitTitle(reason)).toMatch(/^[A-Z][^_]+$/)
})
