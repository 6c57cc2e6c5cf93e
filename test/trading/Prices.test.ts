import { describe, expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import * as Decimal from "../../src/domain/Decimal.ts"
import * as Positions from "../../src/trading/books/Positions.ts"
import { atLeast, atMost, resting, tidy } from "../../src/trading/Prices.ts"

describe("prices", () => {
  test("two within one part in 10^12 are equal", () => {
    expect([atLeast(100, 100.00000000005), atLeast(100, 100.0000000002)]).toEqual([true, false])
    expect([atMost(100, 99.99999999995), atMost(100, 99.9999999998)]).toEqual([true, false])
  })

  test.each([
    [105, "0.5", "long", 105],
    [105.1, "0.5", "long", 105.5],
    [105.4, "0.5", "short", 105],
    [0.30000000000000004, "0.1", "long", 0.3],
    [105.00000000001, "1", "long", 105],
    [105.000000001, "1", "long", 106],
    [123, "10", "long", 130],
    [123, "10", "short", 120],
    [0.4, "1", "short", 0]
  ] as const)("a limit at %p with step %p for a %p rests at %p", (price, step, side, expected) => {
    expect(resting(price, Decimal.unsafeFromText(step), side)).toBe(expected)
  })

  test("a computed level is rounded to the decimal it stands for; a feed's price stays as it is", () => {
    expect(tidy(24899.18 * 0.99)).toBe(24650.1882)
    expect(tidy(0.00001234)).toBe(0.00001234)
    FastCheck.assert(
      FastCheck.property(FastCheck.double({ min: 0, noNaN: true }), FastCheck.nat(20), (share, places) => {
        for (const price of [share, (Math.floor(share) + 0.5) / 10 ** places, 10 ** places * (1 - 2 ** -53)])
          expect(tidy(price)).toBe(Number(price.toPrecision(15)))
      }),
      { numRuns: 1000 }
    )
  })
})

test("profitPrice is the price at which closing makes the profit after fees, long and short", () => {
  const amount = FastCheck.double({ min: 0.001, max: 1e6, noNaN: true })
  const percent = FastCheck.double({ min: -50, max: 80, noNaN: true })
  const rate = FastCheck.double({ min: 0, max: 0.1, noNaN: true })
  const side = FastCheck.constantFrom("long" as const, "short" as const)
  FastCheck.assert(
    FastCheck.property(
      amount,
      amount,
      rate,
      rate,
      percent,
      side,
      (quantity, price, entry, exit, profit, side) => {
        const basis = quantity * price
        const figures = { side, quantity, basis, average: price, cost: basis * (1 + entry), proceeds: 0 }
        const level = Positions.profitPrice(figures, profit, exit)
        expect(Math.abs(Positions.profitPercent(figures, level, exit) - profit)).toBeLessThan(1e-9)
      }
    )
  )
})
