// What a strategy would have done with other settings: the back-test of the changed settings over the recorded candles
// and alerts of its life, beside that of its present settings and what really happened.
import type { Settings } from "../../domain/Strategy.ts"
import type { Trade } from "../../domain/Trade.ts"
import type { Series } from "../backtest/Tracks.ts"
import { holesOf, type NoCandles } from "../compare/Holes.ts"
import type { LiveRecord } from "../compare/LiveRecord.ts"
import * as RealTrades from "../compare/RealTrades.ts"
import * as TestRun from "../compare/TestRun.ts"
import type { Tally } from "../Performance.ts"
import * as Performance from "../Performance.ts"
import { type Measured, measure } from "./TryLuck.ts"

/** What really happened, and the two tests. */
export type Side = "real" | "present" | "changed"

/** Completed trades by closing, their sums, and how many positions were open at the end. */
export interface SideResult {
  readonly trades: ReadonlyArray<Trade>
  readonly tally: Tally
  readonly open: number
}

/** The trades that the same alert opened in the same market; a side that completed none has none. */
export interface MatchedTrade extends Readonly<Partial<Record<Side, Trade>>> {
  readonly alert: number
}

/** The three sides, their trades matched by opening, and the stretches of their pairs that have no candles. */
export interface WhatIf {
  readonly sides: Readonly<Record<Side, SideResult>>
  readonly trades: ReadonlyArray<MatchedTrade>
  readonly holes: ReadonlyArray<NoCandles>
  readonly candles: number
  /** The returns of the changed settings, of which luck is measured. */
  readonly measured: Measured
  /** The test and the time (ms) at which it broke off, so that nothing is to be seen. */
  readonly overrun: { readonly side: Side; readonly at: number } | undefined
}

/** The changed settings, and the candles of the pairs that they trade. */
export interface Change {
  readonly settings: Settings
  readonly series: ReadonlyArray<Series>
}

/** Runs both tests over a record. Its series are those that its present settings trade. */
export const whatIf = (record: LiveRecord, change: Change): WhatIf => {
  const real = RealTrades.of(record)
  const present = tested(record, record)
  const changed = tested(record, change)
  const happened = [...real.trades.values()]
  const known = new Map(happened.flatMap(({ key, trade }) => (trade === undefined ? [] : [[key, trade]])))
  const openNow = happened.filter(({ trade }) => trade === undefined).length
  const overruns = [
    { side: "present" as const, at: present.overrunAt },
    { side: "changed" as const, at: changed.overrunAt }
  ]
  return {
    sides: {
      real: resultOf(record, record.trades, openNow),
      present: resultOf(record, present.ended.result.trades, present.open.size),
      changed: resultOf(record, changed.ended.result.trades, changed.open.size)
    },
    trades: matched({ real: known, present: present.trades, changed: changed.trades }),
    holes: holesOf({ ...record, series: distinct([...record.series, ...change.series]) }),
    candles: changed.candles,
    measured: measure(changed.ended, change.series),
    overrun: overruns.flatMap(({ at, side }) => (at === undefined ? [] : [{ at, side }]))[0]
  }
}

/** A test answers every order by itself: nothing of the record's orders goes into it. */
const NOTHING_REAL: RealTrades.RealTrades = { trades: new Map(), entries: new Map() }

const tested = (record: LiveRecord, { series, settings }: Change): TestRun.TestResult =>
  TestRun.run({ ...record, series, settings, past: [] }, NOTHING_REAL, { stages: new Set() })

const resultOf = ({ balance, from }: LiveRecord, trades: ReadonlyArray<Trade>, open: number): SideResult => ({
  trades,
  open,
  tally: Performance.recompute(balance, from, trades)
})

const matched = (sides: Readonly<Record<Side, ReadonlyMap<string, Trade>>>): ReadonlyArray<MatchedTrade> => {
  const keys = new Set([...sides.real.keys(), ...sides.present.keys(), ...sides.changed.keys()])
  const trades = [...keys].map((key): MatchedTrade => {
    const [real, present, changed] = [sides.real.get(key), sides.present.get(key), sides.changed.get(key)]
    return {
      alert: Number(key.slice(key.lastIndexOf("#") + 1)),
      ...(real === undefined ? {} : { real }),
      ...(present === undefined ? {} : { present }),
      ...(changed === undefined ? {} : { changed })
    }
  })
  return trades.sort((one, other) => openedAt(one) - openedAt(other) || one.alert - other.alert)
}

/** When a trade began (ms): really, or else in a test. */
export const openedAt = ({ changed, present, real }: MatchedTrade): number =>
  (real ?? present ?? changed)?.openedAt ?? 0

const distinct = (series: ReadonlyArray<Series>): ReadonlyArray<Series> =>
  series.filter(
    ({ exchange, pair }, index) =>
      series.findIndex((other) => other.exchange === exchange && other.pair === pair) === index
  )
