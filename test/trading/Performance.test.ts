import { describe, expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { Trade } from "../../src/domain/Trade.ts"
import * as Performance from "../../src/trading/Performance.ts"
import { BTC } from "./scenario.ts"

const DAY = 86_400_000
const money = Decimal.unsafeFromText
/** 2024-03-01T00:00:00Z. */
const MARCH = 1_709_251_200_000

const trade = (openedAt: number, closedAt: number, pnl: string, fees = "0"): Trade => ({
  exchange: "binance",
  pair: BTC,
  kind: "spot",
  side: "long",
  openedAt,
  closedAt,
  entryPrice: 1,
  exitPrice: 1,
  quantity: money("1"),
  cost: money("100"),
  proceeds: Decimal.add(money("100"), money(pnl)),
  fees: money(fees),
  pnl: money(pnl),
  profitPercent: 0,
  exitReason: "signal",
  entries: 1
})

const summaryOf = (starting: string, trades: ReadonlyArray<Trade>, today: number, createdAt = MARCH) =>
  Performance.summary(Performance.recompute(money(starting), createdAt, trades), today)

describe("the figures", () => {
  test("without trades are the day of creation and zeros", () => {
    expect(summaryOf("10000", [], MARCH + 2 * DAY)).toEqual({
      period: { start: "2024-03-01", end: "2024-03-03", timezone: "UTC" },
      starting_equity: 10000,
      ending_equity: 10000,
      net_pnl: 0,
      roi_pct: 0,
      max_drawdown_pct: 0,
      win_rate_pct: 0,
      profit_factor: 0,
      trade_count: 0,
      avg_trade: 0,
      avg_hold_time_min: 0,
      best_trade: 0,
      worst_trade: 0,
      fees_paid: 0,
      volatility_pct: 0
    })
  })

  test("are right for overlapping trades over three days", () => {
    const trades = [
      trade(MARCH + DAY / 4, MARCH + DAY / 4 + 3_600_000, "100", "1"),
      trade(MARCH + DAY, MARCH + DAY, "20", "1"),
      trade(MARCH, MARCH + 2 * DAY, "-50", "0.5")
    ]
    const told = summaryOf("1000", trades, MARCH + 2 * DAY)
    expect(told.period.start).toBe("2024-03-01")
    expect([told.ending_equity, told.net_pnl, told.roi_pct, told.fees_paid]).toEqual([1070, 70, 7, 2.5])
    expect([told.win_rate_pct, told.profit_factor, told.avg_trade]).toEqual([66.6667, 2.4, 23.33333333])
    // From 1120 to 1070; returns 10 %, 1.8182 %, -4.4643 %.
    expect([told.max_drawdown_pct, told.volatility_pct, told.avg_hold_time_min]).toEqual([
      -4.4643, 7.2529, 980
    ])
    expect([told.best_trade, told.worst_trade]).toEqual([100, -50])
  })

  test("have no profit factor and a worst trade of 0 with winners only; 0 and a best trade of 0 with losers only", () => {
    const won = summaryOf("100", [trade(MARCH, MARCH, "5")], MARCH)
    expect([won.profit_factor, won.worst_trade, won.best_trade]).toEqual([null, 0, 5])
    const lost = summaryOf("100", [trade(MARCH, MARCH, "-5")], MARCH)
    expect([lost.profit_factor, lost.worst_trade, lost.best_trade]).toEqual([0, -5, 0])
  })

  test("count days that begin without equity as zero, and have no ratios without a starting equity", () => {
    const ruin = [trade(MARCH, MARCH, "-100"), trade(MARCH + DAY, MARCH + DAY, "50")]
    // -100 % and 0: 100 / sqrt 2
    expect(summaryOf("100", ruin, MARCH + DAY).volatility_pct).toBe(70.7107)
    const nothing = summaryOf("0", [trade(MARCH, MARCH, "5")], MARCH + DAY)
    expect([nothing.roi_pct, nothing.max_drawdown_pct, nothing.volatility_pct]).toEqual([0, 0, 0])
  })

  test("round the hold time: half a minute up, a third of a minute down", () => {
    const held = (ms: number) => summaryOf("1", [trade(MARCH, MARCH + ms, "0")], MARCH).avg_hold_time_min
    expect([held(150_000), held(149_999), held(20_000)]).toEqual([3, 2, 0])
  })

  test("have the right dates over month ends and leap days", () => {
    const start = (at: number) => summaryOf("1", [], at, at).period.start
    expect([0, 951_782_400_000, 1_709_164_800_000, 4_107_542_399_000].map(start)).toEqual([
      "1970-01-01",
      "2000-02-29",
      "2024-02-29",
      "2100-02-28"
    ])
  })
})

/** The definitions, over whole lists: a day's return for every day of the period. */
const plainly = (starting: number, trades: ReadonlyArray<Trade>, today: number) => {
  const day = (at: number) => Math.floor(at / DAY)
  const first = day(trades[0]?.openedAt ?? MARCH)
  const returns: Array<number> = []
  let equity = starting
  for (let now = first; now <= day(today); now++) {
    const results = trades
      .filter(({ closedAt }) => day(closedAt) === now)
      .map(({ pnl }) => Decimal.toNumber(pnl))
    const end = results.reduce((sum, result) => sum + result, equity)
    returns.push(equity > 1e-9 ? end / equity - 1 : 0)
    equity = end
  }
  const mean = returns.reduce((sum, value) => sum + value, 0) / returns.length
  const squares = returns.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  let [peak, now, drawdown] = [starting, starting, 0]
  for (const { pnl } of trades) {
    now += Decimal.toNumber(pnl)
    peak = Math.max(peak, now)
    drawdown = Math.min(drawdown, now / peak - 1)
  }
  return {
    volatility:
      returns.length < 2 || trades.length === 0 ? 0 : 100 * Math.sqrt(squares / (returns.length - 1)),
    drawdown: 100 * drawdown
  }
}

test("kept with each trade and through JSON equal a recomputation, and both equal the definitions", () => {
  const one = FastCheck.record({
    gap: FastCheck.integer({ min: 0, max: 5 * DAY }),
    held: FastCheck.integer({ min: 0, max: 2 * DAY }),
    pnl: FastCheck.integer({ min: -300, max: 400 })
  })
  const stored = Schema.parseJson(Performance.Tally)
  FastCheck.assert(
    FastCheck.property(
      FastCheck.array(one, { maxLength: 60 }),
      FastCheck.integer({ min: 0, max: 30 }),
      (rows, rest) => {
        let at = MARCH + 2 * DAY
        const trades = rows.map(({ gap, held, pnl }) => {
          at += gap
          return trade(at - held, at, String(pnl / 8))
        })
        const today = at + rest * DAY
        let tally = Performance.begin(money("10000"), MARCH)
        for (const row of trades) {
          tally = Schema.decodeSync(stored)(Schema.encodeSync(stored)(Performance.add(tally, row)))
        }
        const summary = Performance.summary(tally, today)
        expect(summary).toEqual(summaryOf("10000", trades, today))
        const plain = plainly(10_000, trades, today)
        expect(summary.volatility_pct).toBeCloseTo(plain.volatility, 3)
        expect(summary.max_drawdown_pct).toBeCloseTo(plain.drawdown, 3)
      }
    ),
    { numRuns: 100 }
  )
})
