import { expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import { curveOf, LEAST_POINTS, thinned } from "../../src/trading/backtest/Thinning.ts"

const results = FastCheck.array(FastCheck.double({ min: -90, max: 100, noNaN: true }), {
  maxLength: 3000,
  size: "max"
}).map((made) => ({ at: Float64Array.from(made, (_, place) => place * 1000), pnl: Float64Array.from(made) }))
const points = FastCheck.integer({ min: LEAST_POINTS, max: 400 })

const lowest = (values: Iterable<number>) => Math.min(...values)
const highest = (values: Iterable<number>) => Math.max(...values)

test("equity is the running sum, and a drawdown is measured from the highest equity so far, start included", () => {
  const { drawdown, equity } = curveOf(
    { at: new Float64Array(4), pnl: Float64Array.from([-10, 20, -11, 1]) },
    100
  )
  expect([...equity]).toEqual([90, 110, 99, 100])
  expect([...drawdown].map((fall) => Number(fall.toFixed(6)))).toEqual([-10, 0, -10, -9.090909])
})

test("of any curve the ends, peak, low and deepest drawdown are kept in sequence, within the requested number", () => {
  FastCheck.assert(
    FastCheck.property(results, points, (made, most) => {
      const curve = curveOf(made, 1000)
      const places = thinned(curve, most)
      expect(places.length).toBeLessThanOrEqual(Math.min(most, made.at.length))
      expect(places).toEqual([...new Set(places)].sort((one, other) => one - other))
      if (made.at.length === 0) return
      expect([places[0], places.at(-1)]).toEqual([0, made.at.length - 1])
      const kept = (values: Float64Array) => places.map((place) => values[place] ?? Number.NaN)
      expect(lowest(kept(curve.equity))).toBe(lowest(curve.equity))
      expect(highest(kept(curve.equity))).toBe(highest(curve.equity))
      expect(lowest(kept(curve.drawdown))).toBe(lowest(curve.drawdown))
    }),
    { numRuns: 200 }
  )
})

test("a curve that fits is kept whole", () => {
  FastCheck.assert(
    FastCheck.property(results, (made) => {
      const places = thinned(curveOf(made, 1000), Math.max(LEAST_POINTS, made.at.length))
      expect(places).toEqual(Array.from(made.at, (_, place) => place))
    })
  )
})

test("between two kept points the curve leaves their range by no more than its bucket does", () => {
  // 100,000 points that wander: every stretch of a bucket's length shows its own extremes.
  const pnl = Float64Array.from({ length: 100_000 }, (_, place) => Math.sin(place * 12.9898) * 50)
  const curve = curveOf({ at: new Float64Array(pnl.length), pnl }, 10_000)
  const places = thinned(curve, 1000)
  expect(places.length).toBeLessThanOrEqual(1000)
  expect(places.length).toBeGreaterThan(900)
  const buckets = 498
  for (let bucket = 0; bucket < buckets; bucket++) {
    const from = Math.floor((bucket * pnl.length) / buckets)
    const until = Math.floor(((bucket + 1) * pnl.length) / buckets)
    const inside = places.filter((place) => place >= from && place < until).map((it) => curve.equity[it] ?? 0)
    const whole = curve.equity.subarray(from, until)
    expect([lowest(inside), highest(inside)]).toEqual([lowest(whole), highest(whole)])
  }
})
