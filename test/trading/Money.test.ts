// Over random alerts with parts, turns, added entries and sizes: cash is the sum of the ledger and never negative, what
// was sold is what was bought, and nothing is left of a turn or a position once all is closed.
import { expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import { ALERT_TYPES } from "../../src/domain/Alert.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { exitFillsOf } from "../../src/domain/Trade.ts"
import * as Ledger from "../../src/trading/books/Ledger.ts"
import type { BotAlert } from "../../src/trading/Decision.ts"
import { Live, SPOT, SWAP } from "./live.ts"
import { MINUTE, market, settings } from "./scenario.ts"

const percent = FastCheck.integer({ min: 1, max: 100 })
const act = FastCheck.record({
  type: FastCheck.constantFrom(...ALERT_TYPES),
  price: FastCheck.integer({ min: 50, max: 200 }),
  closePercent: FastCheck.option(percent, { nil: undefined }),
  reverse: FastCheck.option(FastCheck.boolean(), { nil: undefined }),
  buyPercentage: FastCheck.option(percent, { nil: undefined }),
  growth: FastCheck.option(FastCheck.double({ min: 0.01, max: 3, noNaN: true }), { nil: undefined })
})
const chosen = FastCheck.record({
  takerFeePercent: FastCheck.constantFrom(0, 0.1, 1),
  buyPercent: FastCheck.constantFrom(10, 33, 100),
  maxEntries: FastCheck.integer({ min: 1, max: 4 }),
  onOpposite: FastCheck.constantFrom("ignore" as const, "close" as const, "reverse" as const)
})

type Act = typeof act extends FastCheck.Arbitrary<infer A> ? A : never

const extrasOf = (one: Act): Partial<BotAlert> => {
  const { buyPercentage, closePercent, growth, reverse, type } = one
  const isClosing = type === "sell" || type.startsWith("close")
  if (isClosing) return closePercent === undefined ? {} : { closePercent }
  return {
    ...(buyPercentage === undefined ? {} : { buyPercentage }),
    ...(growth === undefined ? {} : { growth }),
    ...(reverse === undefined || type === "buy" ? {} : { reverse })
  }
}

test("money is conserved over parts, turns and added entries", () => {
  FastCheck.assert(
    FastCheck.property(chosen, FastCheck.array(act, { maxLength: 30 }), (over, acts) => {
      const steps = { amountStep: "0.001", minCost: "20" }
      const live = new Live(settings(over), (id) => market(id, steps))
      const tell = (type: BotAlert["type"], extras: Partial<BotAlert>, price: number) => {
        live.now += MINUTE
        live.quote(SPOT, price).quote(SWAP, price)
        const before = live.decisions.length
        const reason = live.alert(type, extras)
        if (live.decisions.length > before) live.fillAll()
        expect(Decimal.isNegative(live.state.cash)).toBe(false)
        return reason
      }
      for (const one of acts) tell(one.type, extrasOf(one), one.price)
      for (const type of ["sell", "close_long", "close_short"] as const) tell(type, {}, 100)
      expect(live.state.slots).toEqual({})
      const postings = live.decisions.flatMap((decision) => decision.postings)
      for (const posting of postings) expect(Decimal.isZero(Ledger.imbalance(posting))).toBe(true)
      const { cash, positions } = Ledger.balances(postings)
      const due = Decimal.add(live.state.startingBalance, cash)
      expect(Decimal.toText(live.state.cash)).toBe(Decimal.toText(due))
      expect(Decimal.isZero(positions)).toBe(true)
      const trades = live.decisions.flatMap((decision) => decision.trades)
      for (const trade of trades) {
        const sold = Decimal.sum(exitFillsOf(trade).map(({ quantity }) => quantity))
        expect(Decimal.toText(sold)).toBe(Decimal.toText(trade.quantity))
      }
      const results = Decimal.sum(trades.map(({ pnl }) => pnl))
      expect(Decimal.toText(results)).toBe(Decimal.toText(cash))
    }),
    { numRuns: 300 }
  )
})
