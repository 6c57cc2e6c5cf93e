import { expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import * as Decimal from "../../src/domain/Decimal.ts"
import * as Backtest from "../../src/trading/Backtest.ts"
import * as Ledger from "../../src/trading/books/Ledger.ts"
import * as Performance from "../../src/trading/Performance.ts"
import { world } from "./world.ts"

const seeds = FastCheck.integer({ min: 1, max: 2_000_000 })
const text = Decimal.toText

test("every posting balances, and balances are sums: start + fills - fees", () => {
  FastCheck.assert(
    FastCheck.property(seeds, FastCheck.constantFrom(1 as const, 2 as const), (seed, pairs) => {
      const result = Backtest.run(world(seed, pairs).backtest)
      for (const posting of result.postings) expect(text(Ledger.imbalance(posting))).toBe("0")
      const balances = Ledger.balances(result.postings)
      expect(text(balances.cash)).toBe(text(result.state.cash))
      const held = Decimal.sum(result.open.flatMap(({ position }) => (position ? [position.basis] : [])))
      expect(text(balances.positions)).toBe(text(held))
      // capital + result + fees + what is held + cash = 0, capital and gains being negative
      const { capital, cash, dust, fees, positions, result: gains } = balances
      expect(text(Decimal.sum([capital, cash, dust, fees, positions, gains]))).toBe("0")
      expect(text(capital)).toBe("-10000")
      expect(Decimal.isNegative(cash)).toBe(false)
    }),
    { numRuns: 80 }
  )
})

test("trades add up to the ledger, and no figure is NaN", () => {
  FastCheck.assert(
    FastCheck.property(seeds, (seed) => {
      const result = Backtest.run(world(seed, 2).backtest)
      const pnl = Decimal.sum(result.trades.map((trade) => trade.pnl))
      expect(text(result.tally.net)).toBe(text(pnl))
      const invested = Decimal.sum(
        result.open.flatMap(({ position: at }) =>
          at ? [Decimal.subtract(Decimal.add(at.entryNotional, at.entryFees), at.proceeds)] : []
        )
      )
      // Free cash = start + results - what is tied up in open positions, beyond what their parts brought back.
      const cash = Decimal.subtract(Decimal.add(Decimal.unsafeFromText("10000"), pnl), invested)
      expect(text(result.state.cash)).toBe(text(cash))
      const numbers = Object.values(Performance.summary(result.tally, result.today))
      for (const value of numbers) expect(Number.isNaN(value)).toBe(false)
      for (const trade of result.trades) {
        expect([trade.entryPrice, trade.exitPrice, trade.profitPercent].every(Number.isFinite)).toBe(true)
      }
    }),
    { numRuns: 80 }
  )
})
