// The fold over samples of equity: its figures are those of all samples at once, and its state survives being stored.
import { describe, expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import * as EquityFold from "../../../src/trading/equity/EquityFold.ts"

const DAY = 86_400_000
const HOUR = 3_600_000

/** Samples with gaps of minutes, hours and days; equity falls to 0 and below now and then. */
const samples = FastCheck.array(
  FastCheck.record({
    gap: FastCheck.oneof(FastCheck.constant(60_000), FastCheck.integer({ min: 1, max: 5 * DAY })),
    equity: FastCheck.oneof(
      { weight: 8, arbitrary: FastCheck.integer({ min: 5000, max: 15_000 }) },
      { weight: 1, arbitrary: FastCheck.constantFrom(0, -50, 10_000) }
    ),
    notional: FastCheck.integer({ min: 0, max: 20_000 }),
    isHeld: FastCheck.boolean(),
    weight: FastCheck.integer({ min: 1, max: 3 })
  }),
  { minLength: 1, maxLength: 200, size: "max" }
).map((made) => {
  let at = 1000 * DAY + 5 * HOUR
  return made.map(({ gap, ...rest }, index) => {
    at += index === 0 ? 0 : gap
    return { ...rest, at }
  })
})

const START = 10_000
const fold = (made: ReadonlyArray<EquityFold.Sample>) => {
  const draft = { ...EquityFold.begin(START, made[0]?.at ?? 0) }
  for (const sample of made) EquityFold.take(draft, sample)
  return draft
}
const near = (one: number | null, other: number | null) =>
  one === null || other === null
    ? expect(one).toBe(other)
    : expect(Math.abs(one - other)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(other)))

/** Daily returns, day by day. */
const returnsOf = (made: ReadonlyArray<EquityFold.Sample>): ReadonlyArray<number> => {
  const dayOf = ({ at }: EquityFold.Sample) => Math.floor(at / DAY)
  const [first, last] = [made[0], made.at(-1)]
  if (first === undefined || last === undefined) return []
  const returns: Array<number> = []
  let before = START
  for (let day = dayOf(first); day <= dayOf(last); day++) {
    const end = made.findLast((sample) => dayOf(sample) <= day)?.equity ?? START
    returns.push(before > 0 ? end / before - 1 : 0)
    before = end
  }
  return returns
}

/** The longest time from a peak to the first later sample at or above it. */
const longestOf = (made: ReadonlyArray<EquityFold.Sample>) => {
  const path = [{ at: made[0]?.at ?? 0, equity: START }, ...made]
  let found = { ms: 0, recovered: true }
  for (const [index, { at, equity }] of path.entries()) {
    if (path.slice(0, index).some((earlier) => earlier.equity > equity)) continue
    const later = path.slice(index + 1)
    const end = later.findIndex((each) => each.equity >= equity)
    if (end === 0 || later.length === 0) continue
    const ms = (end < 0 ? (later.at(-1)?.at ?? at) : (later[end]?.at ?? at)) - at
    if (ms > found.ms) found = { ms, recovered: end >= 0 }
  }
  return found
}

describe("the figures equal those of all samples at once", () => {
  const each = (check: (made: ReadonlyArray<EquityFold.Sample>, state: EquityFold.EquityState) => void) =>
    FastCheck.assert(
      FastCheck.property(samples, (made) => check(made, fold(made))),
      { numRuns: 300 }
    )

  test("drawdowns are measured from the highest equity so far, the start included", () =>
    each((made, state) => {
      let [peak, deepest, now] = [START, 0, 0]
      for (const { equity } of made) {
        peak = Math.max(peak, equity)
        now = equity / peak - 1
        deepest = Math.min(deepest, now)
      }
      near(state.drawdown, deepest)
      near(EquityFold.drawdownNow(state), now)
    }))
  test("the longest drawdown counts until its peak is reached again, or until the last sample", () =>
    each((made, state) => expect(EquityFold.longestDrawdown(state)).toEqual(longestOf(made))))
  test("exposure and time in the market are means over weighted samples", () =>
    each((made, state) => {
      const whole = made.reduce((sum, { weight }) => sum + weight, 0)
      const exposed = made.map(({ equity, isHeld, notional, weight }) =>
        isHeld ? weight * (equity > 0 ? (notional / equity) * 100 : 100) : 0
      )
      near(EquityFold.exposure(state), exposed.reduce((sum, each) => sum + each, 0) / whole)
      const held = made.reduce((sum, { isHeld, weight }) => sum + (isHeld ? weight : 0), 0)
      near(EquityFold.timeInMarket(state), held / whole)
    }))
  test("daily returns are over all days, days without samples counting 0", () =>
    each((made, state) => {
      const returns = returnsOf(made)
      const count = returns.length
      const mean = returns.reduce((sum, each) => sum + each, 0) / count
      const squares = returns.reduce((sum, each) => sum + (each - mean) ** 2, 0)
      const losses = returns.reduce((sum, each) => sum + Math.min(each, 0) ** 2, 0)
      const ratio = (deviation: number) =>
        count < 2 || deviation < 1e-12 ? null : (mean / deviation) * Math.sqrt(365)
      near(EquityFold.sharpe(state), ratio(Math.sqrt(squares / (count - 1))))
      near(EquityFold.sortino(state), ratio(Math.sqrt(losses / count)))
    }))
})

test("a state that was stored as JSON goes on as if it had never been", () => {
  const json = Schema.parseJson(EquityFold.EquityState)
  FastCheck.assert(
    FastCheck.property(samples, FastCheck.integer({ min: 0, max: 200 }), (made, cut) => {
      const stored = Schema.encodeSync(json)(fold(made.slice(0, cut)))
      const resumed = made.slice(cut).reduce(EquityFold.add, Schema.decodeSync(json)(stored))
      if (cut > 0) expect(resumed).toEqual(fold(made))
    })
  )
})

test("a clock that was set back hides no fall, and ends no day", () => {
  const at = 1000 * DAY
  const sample = (time: number, equity: number) => ({
    at: time,
    equity,
    notional: 0,
    isHeld: false,
    weight: 1
  })
  const state = fold([sample(at, 10_000), sample(at + HOUR, 11_000), sample(at - 40 * DAY, 5500)])
  expect(state.at).toBe(at + HOUR)
  expect([state.equity, state.samples]).toEqual([5500, 3])
  near(state.drawdown, -0.5)
  expect(state.days).toBe(0)
})

describe("figures without meaning are null or 0", () => {
  const flat = (days: number, equity: number, starting = START) => {
    const sample = (at: number) => ({ at, equity, notional: 0, isHeld: false, weight: 1 })
    const draft = { ...EquityFold.begin(starting, 0) }
    for (const at of [0, days * DAY]) EquityFold.take(draft, sample(at))
    return draft
  }
  test("a period under 30 days has no annual return, and so no calmar", () => {
    expect(EquityFold.annualReturn(flat(29.9, 11_000))).toBe(null)
    expect(EquityFold.annualReturn(flat(365, 11_000))).toBeCloseTo(0.1, 12)
    expect(EquityFold.calmar(flat(29.9, 9000))).toBe(null)
  })
  test("equity that ends at 0 or below has no annual return", () => {
    expect(EquityFold.annualReturn(flat(365, 0))).toBe(null)
    expect(EquityFold.annualReturn(flat(365, -1))).toBe(null)
    expect(EquityFold.annualReturn(flat(365, 100, 0))).toBe(null)
  })
  test("equity that never moves has neither Sharpe nor Sortino ratio, nor calmar", () => {
    const state = flat(365, START)
    expect([EquityFold.sharpe(state), EquityFold.sortino(state), EquityFold.calmar(state)]).toEqual([
      null,
      null,
      null
    ])
  })
  test("a start of 0 has a return and a drawdown of 0", () => {
    const state = flat(365, 0, 0)
    expect([EquityFold.totalReturn(state), state.drawdown, EquityFold.drawdownNow(state)]).toEqual([0, 0, 0])
  })
})
