import { describe, expect, test } from "bun:test"
import * as Decimal from "../../../src/domain/Decimal.ts"
import * as Backtest from "../../../src/trading/Backtest.ts"
import { type Comparison, compare } from "../../../src/trading/compare/Compare.ts"
import type { LiveRecord } from "../../../src/trading/compare/LiveRecord.ts"
import { PARTS, type Part } from "../../../src/trading/compare/Parts.ts"
import { columns } from "../scenario.ts"
import { addsUp, type Executed, lived, livedByTicks, partsOf, type Venue } from "./life.ts"

const MINUTE = 60_000
/** Seeds above a million follow a chart: parts, steps, turns. */
const SEEDS = [
  ...Array.from({ length: 30 }, (_, index) => index + 1),
  ...Array.from({ length: 30 }, (_, index) => 1_000_001 + index)
]

const exact: Venue = () => ({})

/** Compares many lives; returns in how many something differed. Each difference must be of these parts alone. */
const attributed = (
  of: (seed: number) => Comparison,
  parts: ReadonlyArray<Part>,
  seeds: ReadonlyArray<number> = SEEDS
): number => {
  let differing = 0
  for (const seed of seeds) {
    const comparison = of(seed)
    expect(addsUp(comparison)).toBe(true)
    expect({ seed, parts: partsOf(comparison).filter((part) => !parts.some((it) => it === part)) }).toEqual({
      seed,
      parts: []
    })
    if (!Decimal.isZero(comparison.difference)) differing++
  }
  return differing
}

describe("a comparison of a strategy's life with its test", () => {
  test("finds nothing where paper traded at the test's own prices", () => {
    expect(attributed((seed) => compare(lived(seed, exact)), [])).toBe(0)
  })

  test("has the back-test as its test, trade by trade", () => {
    for (const seed of SEEDS) {
      const record = lived(seed, (_, draw) => ({ slip: 1 + draw.next() / 100 }))
      const alerts = record.alerts.map(({ alert }) => alert)
      const { trades } = Backtest.run({ ...record, alerts })
      const { test: net, trades: found } = compare(record)
      expect(Decimal.equals(net, Decimal.sum(trades.map(({ pnl }) => pnl)))).toBe(true)
      expect(found.flatMap(({ test }) => (test === undefined ? [] : [test])).length).toBe(trades.length)
    }
  })

  test("puts all of known slippage and fees down to price and fees, exactly", () => {
    const venue: Venue = (order, draw) => ({
      slip: order.side === "buy" ? 1 + draw.next() / 200 : 1 - draw.next() / 200,
      fee: 1 + draw.next(),
      fills: draw.pick(1, 2, 3)
    })
    expect(attributed((seed) => compare(lived(seed, venue)), ["price", "fees"])).toBeGreaterThan(20)
  })

  const alone: ReadonlyArray<readonly [Part, Venue]> = [
    ["price", (order, draw): Executed => ({ slip: order.side === "buy" ? 1 + draw.next() / 100 : 1 })],
    ["fees", (_, draw) => ({ fee: draw.pick(0, 2, 5) })],
    ["orders", (order, draw) => (order.purpose === "exit" ? {} : { share: draw.pick(0, 0.25, 0.5, 1) })],
    ["orders", (order, draw) => (order.purpose === "exit" ? { again: 1 - draw.next() / 50 } : {})]
  ]
  for (const [part, venue] of alone)
    test(`puts all of it down to ${part} where nothing else was different`, () => {
      expect(attributed((seed) => compare(lived(seed, venue)), [part])).toBeGreaterThan(15)
    })

  test("has no slippage in fees that are taken from the coin bought", () => {
    const venue: Venue = ({ kind }) => ({ inCoin: kind === "spot" })
    expect(attributed((seed) => compare(lived(seed, venue)), ["fees"])).toBeGreaterThan(15)
  })

  test("has as much slippage, wherever fees are taken from", () => {
    const slipped = (inCoin: boolean) => (seed: number) => {
      const [first] = compare(
        lived(seed, ({ kind, side }) => ({
          slip: side === "buy" ? 1.002 : 1,
          inCoin: inCoin && kind === "spot"
        }))
      ).trades
      return first === undefined ? undefined : Decimal.toText(Decimal.round(first.parts.price, 9))
    }
    const some = SEEDS.filter((seed) => seed % 4 === 0)
    expect(some.map(slipped(true))).toEqual(some.map(slipped(false)))
  })

  test("puts all of it down to settings that were changed on the way", () => {
    const changed = (seed: number) =>
      compare(
        lived(seed, exact, ({ from, settings, until }, draw) => ({
          past: [
            { until: from + (until - from) / 3, settings: { ...settings, buyPercent: draw.pick(10, 30) } },
            {
              until: from + (until - from) / 2,
              settings: { ...settings, stopLoss: { percent: draw.between(0.5, 3) } }
            }
          ]
        }))
      )
    expect(attributed(changed, ["settings"])).toBeGreaterThan(30)
  })

  // A gap of candles is shorter than the delays, so that the test can tell late from slow.
  test("puts all of it down to alerts that acted late or were missed", () => {
    const late = (seed: number) =>
      compare(
        lived(seed, exact, ({ alerts }, draw) => ({
          alerts: alerts.map((one) =>
            draw.chance(0.3)
              ? { ...one, actedAt: one.actedAt + draw.pick(12, 15, 30) * MINUTE }
              : draw.chance(0.2)
                ? { ...one, reason: draw.pick("stale", "no_price") }
                : one
          )
        }))
      )
    expect(attributed(late, ["alerts"])).toBeGreaterThan(30)
  })

  test("puts all of it down to outages where the server was off for an hour, or entries were halted", () => {
    const off = (seed: number) =>
      compare(
        lived(seed, exact, ({ from, until }, draw) => {
          const begin = Math.floor(from + (until - from) * draw.next() * 0.7)
          const stretch = { from: begin, until: begin + 60 * MINUTE }
          return draw.chance(0.5) ? { outages: [stretch] } : { halts: [stretch] }
        })
      )
    expect(attributed(off, ["outages"])).toBeGreaterThan(20)
  })

  test("puts what the path within a minute changed down to latency, and says what even that leaves", () => {
    let [all, left, exactly] = [0, 0, 0]
    for (const seed of SEEDS) {
      const comparison = compare(livedByTicks(seed))
      expect(addsUp(comparison)).toBe(true)
      expect(partsOf(comparison).filter((part) => part !== "latency" && part !== "remainder")).toEqual([])
      const sizes = comparison.trades.map(({ difference, remainder }) => [
        sizeOf(difference),
        sizeOf(remainder)
      ])
      all += sizes.reduce((sum, [difference = 0]) => sum + difference, 0)
      left += sizes.reduce((sum, [, remainder = 0]) => sum + remainder, 0)
      if (sizes.every(([, remainder]) => remainder === 0)) exactly++
    }
    // These worlds move by percents a minute, and their levels lie within one candle.
    expect(left / all).toBeLessThan(0.15)
    expect(exactly).toBeGreaterThan(SEEDS.length / 3)
    expect(all).toBeGreaterThan(1000)
  })

  test("adds up exactly where everything is different at once", () => {
    const venue: Venue = (order, draw) => ({
      slip: order.side === "buy" ? 1 + draw.next() / 100 : 1 - draw.next() / 100,
      fee: draw.pick(1, 2),
      fills: draw.pick(1, 3),
      ...(order.purpose !== "exit" && draw.chance(0.2) ? { share: draw.pick(0, 0.5) } : {}),
      ...(draw.chance(0.2) ? { again: 0.99 } : {})
    })
    const all = (seed: number) =>
      compare(
        lived(seed, venue, ({ alerts, from, settings, until }, draw) => ({
          alerts: alerts.map((one) =>
            draw.chance(0.2) ? { ...one, actedAt: one.actedAt + 15 * MINUTE } : one
          ),
          past: [{ until: (from + until) / 2, settings: { ...settings, buyPercent: 30 } }],
          outages: [{ from: from + 90 * MINUTE, until: from + 110 * MINUTE }]
        }))
      )
    const differing = attributed(all, ["settings", "alerts", "outages", "orders", "price", "fees"])
    expect(differing).toBeGreaterThan(50)
  })

  test("shows what the books have and the fills do not explain as a remainder", () => {
    const record = lived(3, exact)
    const [first, ...others] = record.trades
    if (first === undefined) throw new Error("the life of seed 3 has no trade")
    const wrong = { ...first, pnl: Decimal.add(first.pnl, Decimal.one) }
    const comparison = compare({ ...record, trades: [wrong, ...others] })
    expect(Decimal.equals(comparison.remainder, Decimal.one)).toBe(true)
    expect(addsUp(comparison)).toBe(true)
  })

  test("compares no trade at a time without candles, and says where there are none", () => {
    const record = lived(3, (_, draw) => ({ slip: 1 + draw.next() / 100 }))
    const series = record.series.map((one) => ({ ...one, columns: columns([]) }))
    const none = compare({ ...record, series })
    expect(none.holes).toEqual(
      series.map(({ exchange, pair }) => ({ exchange, pair, from: record.from, until: record.until }))
    )
    expect(partsOf(none)).toEqual(["no_candles"])
    expect(addsUp(none)).toBe(true)
    const middle = (record.from + record.until) / 2
    const hole = { from: middle, until: middle + 30 * MINUTE }
    const holed = compare({ ...record, series: record.series.map((one) => outside(one, hole)) })
    for (const { live, parts, test: tested } of holed.trades) {
      const sides = [live, tested].filter((side) => side !== undefined)
      const isIn = sides.some((side) => side.openedAt < hole.until && side.closedAt >= hole.from)
      const others = PARTS.filter((part) => part !== "no_candles" && !Decimal.isZero(parts[part]))
      if (isIn) expect(others).toEqual([])
    }
    expect(addsUp(holed)).toBe(true)
  })
})

const sizeOf = (amount: Decimal.Decimal): number => Math.abs(Decimal.toNumber(amount))

type One = LiveRecord["series"][number]
const outside = (one: One, { from, until }: { readonly from: number; readonly until: number }): One => {
  const rows = Array.from(one.columns.at, (_, row) => row).filter((row) => {
    const at = one.columns.at[row] ?? 0
    return at < from || at >= until
  })
  const pick = (column: Float64Array) => Float64Array.from(rows, (row) => column[row] ?? 0)
  const { at, close, high, low, open } = one.columns
  const left = { at: pick(at), open: pick(open), high: pick(high), low: pick(low), close: pick(close) }
  return { ...one, columns: { ...left, length: rows.length } }
}
