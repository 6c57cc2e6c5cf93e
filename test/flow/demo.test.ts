// The demo trades the same on every run.
import { expect, test } from "bun:test"
import { Schema } from "effect"
import { bun, capture } from "../../scripts/command.ts"
import * as Figures from "../lib/figures.ts"

// Computes the demo's figures again from the trades that it prints.
const Text = Schema.String.pipe(Schema.pattern(/^-?\d+(\.\d+)?$/))
const Report = Schema.Struct({
  candles: Schema.Int,
  alerts: Schema.Int,
  raised: Schema.Int,
  outcomes: Schema.Record({ key: Schema.String, value: Schema.Int }),
  strategies: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      summary: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
      trades: Schema.Array(
        Schema.Struct({
          side: Schema.Literal("long", "short"),
          opened_at: Schema.Int,
          closed_at: Schema.Int,
          entry_price: Schema.Number,
          exit_price: Schema.Number,
          exit_reason: Schema.String,
          quantity: Text,
          fees: Text,
          cost: Text,
          proceeds: Text,
          pnl: Text
        })
      )
    })
  )
})

const DAY = Date.UTC(2022, 11, 13)

test("the demo trades with all four strategies, alike on every run, and with correct figures", async () => {
  const command = [bun(), "src/main.ts", "demo", "--json"]
  const [first, second] = await Promise.all([capture(command), capture(command)])
  expect([first.code, second.code]).toEqual([0, 0])
  expect(second.output).toBe(first.output)
  const report = Schema.decodeSync(Schema.parseJson(Report))(first.output)
  expect(report.candles).toBe(1440)
  expect(report.strategies).toHaveLength(4)
  expect(report.raised).toBeGreaterThan(3)
  // Two strategies follow the spot signal, and one each the futures signal and the rule: each has an outcome for each alert.
  const answered = Object.values(report.outcomes).reduce((total, count) => total + count, 0)
  expect(answered).toBe((report.alerts / 3) * 2 + (report.alerts / 3) * 2 + report.raised)
  for (const { summary, trades } of report.strategies) {
    expect(trades.length).toBeGreaterThan(0)
    const done = trades.map((trade) => ({ ...trade, openedAt: trade.opened_at, closedAt: trade.closed_at }))
    const expected = Figures.figures("10000", DAY, DAY + 86_340_000, done)
    expect(Figures.differences(summary, expected)).toEqual([])
    for (const trade of trades) {
      const pnl = Figures.minus(Figures.fraction(trade.proceeds), Figures.fraction(trade.cost))
      expect(Figures.compare(pnl, Figures.fraction(trade.pnl))).toBe(0)
      expect(trade.opened_at).toBeGreaterThanOrEqual(DAY)
      expect(trade.closed_at).toBeGreaterThan(trade.opened_at)
      const sign = trade.side === "long" ? 1 : -1
      const gross = sign * (trade.exit_price - trade.entry_price) * Number(trade.quantity)
      expect(gross - Number(trade.fees)).toBeCloseTo(Number(trade.pnl), 6)
    }
  }
  expect(report.strategies.flatMap(({ trades }) => trades.map((it) => it.exit_reason))).toEqual(
    expect.arrayContaining(["signal", "take_profit", "stop_loss", "trailing_sell"])
  )
}, 30_000)
