import { describe, expect, test } from "bun:test"
import * as Decimal from "../../../src/domain/Decimal.ts"
import type { Settings } from "../../../src/domain/Strategy.ts"
import type { Trade } from "../../../src/domain/Trade.ts"
import * as Backtest from "../../../src/trading/Backtest.ts"
import { compare } from "../../../src/trading/compare/Compare.ts"
import type { LiveRecord } from "../../../src/trading/compare/LiveRecord.ts"
import { changesOf, identityOf } from "../../../src/trading/whatIf/SettingChanges.ts"
import { type Side, whatIf } from "../../../src/trading/whatIf/WhatIf.ts"
import { lived } from "../compare/life.ts"
import { settings } from "../scenario.ts"
import { drawing } from "../world.ts"

const SEEDS = [
  ...Array.from({ length: 30 }, (_, index) => index + 1),
  ...Array.from({ length: 15 }, (_, index) => 1_000_001 + index)
]

/** A life at an exchange that fills worse than decided, refuses some orders, and fills some in part. */
const rough = (seed: number): LiveRecord =>
  lived(seed, (order, draw) => ({
    slip: order.side === "buy" ? 1 + draw.next() / 100 : 1 - draw.next() / 100,
    fee: 1 + draw.next(),
    ...(draw.chance(0.2) ? { share: draw.pick(0, 0.5) } : {})
  }))

const same = (one: Trade, other: Trade): boolean =>
  Decimal.equals(one.pnl, other.pnl) &&
  Decimal.equals(one.fees, other.fees) &&
  one.openedAt === other.openedAt &&
  one.closedAt === other.closedAt &&
  one.exitReason === other.exitReason

/** Settings of the same strategy that trade otherwise. */
const changed = (before: Settings, seed: number): Settings => {
  const draw = drawing(seed + 5)
  const percent = draw.between(0.2, 6)
  const { trailingSell: _, ...plain } = before
  return draw.pick<Settings>(
    { ...plain, minProfitPercent: percent },
    { ...before, stopLoss: { percent } },
    { ...before, buyPercent: draw.between(1, 90) },
    { ...before, maxEntries: 1, minProfitPercent: percent }
  )
}

const ofSide = (result: ReturnType<typeof whatIf>, side: Side) =>
  result.trades.flatMap((trade) => trade[side] ?? [])

describe("a what-if", () => {
  test("with nothing changed is the test of a comparison, trade by trade, in both columns", () => {
    let traded = 0
    for (const seed of SEEDS) {
      const record = rough(seed)
      const result = whatIf(record, record)
      const { test: net, trades } = compare(record)
      const tested = trades.flatMap(({ alert, test }) => (test === undefined ? [] : [{ alert, test }]))
      for (const side of ["present", "changed"] as const) {
        const matched = result.trades.flatMap(({ alert, [side]: trade }) =>
          trade === undefined ? [] : [{ alert, trade }]
        )
        expect({ seed, count: matched.length }).toEqual({ seed, count: tested.length })
        for (const { alert, trade } of matched)
          expect(tested.some((one) => one.alert === alert && same(one.test, trade))).toBe(true)
        expect(Decimal.equals(result.sides[side].tally.net, net)).toBe(true)
      }
      traded += tested.length
    }
    expect(traded).toBeGreaterThan(100)
  })

  test("with a change equals the back-test of the changed settings over the same alerts and candles", () => {
    let differing = 0
    for (const seed of SEEDS) {
      const record = rough(seed)
      const tried = changed(record.settings, seed)
      const result = whatIf(record, { settings: tried, series: record.series })
      const alerts = record.alerts.map(({ alert }) => alert)
      const expected = Backtest.run({ ...record, settings: tried, alerts })
      const { trades } = result.sides.changed
      expect({ seed, count: trades.length }).toEqual({ seed, count: expected.trades.length })
      for (const [index, trade] of trades.entries()) {
        const other = expected.trades[index]
        expect(other !== undefined && same(trade, other)).toBe(true)
      }
      expect(ofSide(result, "changed").length).toBe(trades.length)
      expect(result.sides.changed.open).toBe(expected.open.length)
      if (!Decimal.equals(result.sides.changed.tally.net, result.sides.present.tally.net)) differing++
    }
    expect(differing).toBeGreaterThan(SEEDS.length / 3)
  })

  test("says what really happened as the books have it, whatever is changed", () => {
    for (const seed of SEEDS) {
      const record = rough(seed)
      const { real } = whatIf(record, {
        settings: changed(record.settings, seed),
        series: record.series
      }).sides
      expect(real.trades).toEqual(record.trades)
      expect(Decimal.equals(real.tally.net, Decimal.sum(record.trades.map(({ pnl }) => pnl)))).toBe(true)
    }
  })

  test("puts a trade beside the one that the same alert opened", () => {
    const record = lived(4, () => ({ slip: 1.001 }))
    const { trades } = whatIf(record, record)
    const both = trades.filter(({ present, real }) => present !== undefined && real !== undefined)
    expect(both.length).toBeGreaterThan(0)
    for (const { present, real } of both) expect(present?.pair).toBe(real?.pair)
  })
})

describe("changed settings", () => {
  test("are named as requests name them, with both values", () => {
    const before = settings({ buyPercent: 25, stopLoss: { percent: 4 } })
    const { stopLoss: _, ...open } = before
    expect(changesOf(before, { ...before, buyPercent: 30.5, stopLoss: { percent: 2 } })).toEqual([
      { setting: "buy_percentage", from: "25", to: "30.5" },
      { setting: "stop_loss_percentage", from: "4", to: "2" }
    ])
    expect(changesOf(before, open)).toEqual([
      { setting: "stop_loss", from: "on", to: "off" },
      { setting: "stop_loss_percentage", from: "4", to: "" }
    ])
    expect(changesOf(before, { ...before, name: "B", active: false, public: true })).toEqual([])
  })

  test("of which only names differ have one identity, and all others another", () => {
    const before = settings({ buyPercent: 25 })
    expect(identityOf({ ...before, name: "B", description: "b", active: false })).toBe(identityOf(before))
    expect(identityOf({ ...before, buyPercent: 26 })).not.toBe(identityOf(before))
    expect(identityOf({ ...before, takerFeePercent: 0.3 })).not.toBe(identityOf(before))
  })
})
