// Compares what a strategy did, on paper or with real money, with its test: the back-test of its settings over the
// recorded candles and alerts, by the very function that traded. The test is run again and again, each time with one
// more of the real circumstances; what a run changes is the part of that circumstance, so that the parts add up to the
// whole difference.
import type { Reason } from "../../domain/Alert.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { Trade } from "../../domain/Trade.ts"
import { holesOf, isInHole, type NoCandles } from "./Holes.ts"
import { isByHand, type LiveRecord } from "./LiveRecord.ts"
import { PARTS, type Part, STAGES, type Stage } from "./Parts.ts"
import * as RealTrades from "./RealTrades.ts"
import * as TestRun from "./TestRun.ts"

/** Amounts by part, in quote. */
export type Amounts = Readonly<Record<Part, Decimal.Decimal>>

/**
 * A trade of the record, of the test, or of both, which the same alert opened in the same market. `difference` is the
 * result with the exchange minus that of the test; a side that is missing, or still open, counts 0. It equals the sum of
 * `parts` and `remainder`. `answer` is what the strategy answered the alert.
 */
export interface ComparedTrade {
  readonly alert: number
  readonly live: Trade | undefined
  readonly test: Trade | undefined
  readonly isOpen: { readonly live: boolean; readonly test: boolean }
  readonly answer: Reason | undefined
  readonly difference: Decimal.Decimal
  readonly parts: Amounts
  readonly remainder: Decimal.Decimal
}

/**
 * The comparison, in quote. `live` and `test` are the net results of completed trades. `difference` = live - test =
 * the sum of `parts` + `remainder`; the remainder is what no circumstance explains: 0 where the test, with all of them,
 * decides as the bot did, and the books agree with the fills. `overrunAt` (ms): the test broke off there, so that
 * nothing is compared.
 */
export interface Comparison {
  readonly live: Decimal.Decimal
  readonly test: Decimal.Decimal
  readonly difference: Decimal.Decimal
  readonly parts: Amounts
  readonly remainder: Decimal.Decimal
  readonly trades: ReadonlyArray<ComparedTrade>
  readonly holes: ReadonlyArray<NoCandles>
  readonly candles: number
  readonly overrunAt: number | undefined
}

/** The parts that have a run of their own. */
const SEQUENCE: ReadonlyArray<Part> = STAGES

/**
 * Compares a record with its test. Let r(0) be the result of a trade in the test, r(k) its result with the first k
 * circumstances of `STAGES` switched on, and l that of the books. The part of circumstance k is r(k) - r(k-1), and the
 * remainder is l - r(n) with all n of them: together l - r(0). A trade at a time without candles has all that its fills
 * come to as `no_candles`. So has a trade that its owner wrote off, as `by_hand`: no order of it can be repeated.
 */
export const compare = (record: LiveRecord): Comparison => {
  const real = RealTrades.of(record)
  const holes = holesOf(record)
  const runs = runsOf(record, real)
  const [first] = runs
  const keys = new Set([...runs.flatMap(({ trades }) => [...trades.keys()]), ...real.trades.keys()])
  const answers = new Map(record.alerts.map(({ id, reason }) => [id, reason]))
  const trades = [...keys]
    .map((key) => compared(key, { real: real.trades.get(key), runs, holes, answers }))
    .filter((trade) => trade !== undefined)
    .sort((one, other) => openedAt(one) - openedAt(other) || one.alert - other.alert)
  const sum = (of: (trade: ComparedTrade) => Decimal.Decimal) => Decimal.sum(trades.map(of))
  return {
    live: sum(({ live }) => pnlOf(live)),
    test: sum(({ test }) => pnlOf(test)),
    difference: sum(({ difference }) => difference),
    parts: amounts((part) => sum(({ parts }) => parts[part])),
    remainder: sum(({ remainder }) => remainder),
    trades,
    holes,
    candles: first?.candles ?? 0,
    overrunAt: runs.find(({ overrunAt }) => overrunAt !== undefined)?.overrunAt
  }
}

/** The test alone, and with one more circumstance each time. A circumstance that did not occur needs no run. */
const runsOf = (record: LiveRecord, real: RealTrades.RealTrades): ReadonlyArray<TestRun.TestResult> => {
  const stages = new Set<Stage>()
  let last = TestRun.run(record, real, { stages })
  /** The last run without the moments of the record. */
  let plain = last
  return [
    last,
    ...STAGES.map((stage) => {
      stages.add(stage)
      if (occurred(record, stage)) last = TestRun.run(record, real, { stages, before: plain })
      if (!stages.has("latency")) plain = last
      return last
    })
  ]
}

const occurred = ({ alerts, halts, orders, outages, past, settings }: LiveRecord, stage: Stage): boolean => {
  switch (stage) {
    case "settings":
      return past.length > 0 || !settings.active
    case "alerts":
    case "outages":
      return alerts.length > 0 || halts.length > 0 || outages.length > 0
    case "orders":
    case "price":
    case "fees":
    case "latency":
      return orders.length > 0
    case "by_hand":
      return orders.some(isByHand)
  }
}

interface Sides {
  readonly real: RealTrades.RealTrade | undefined
  readonly runs: ReadonlyArray<TestRun.TestResult>
  readonly holes: ReadonlyArray<NoCandles>
  readonly answers: ReadonlyMap<number, Reason>
}

/** Undefined where neither side completed the trade. */
const compared = (key: string, { answers, holes, real, runs }: Sides): ComparedTrade | undefined => {
  const live = real?.trade
  const test = runs[0]?.trades.get(key)
  const steps = runs.map(({ trades }) => pnlOf(trades.get(key)))
  if (live === undefined && runs.every(({ trades }) => !trades.has(key))) return undefined
  const [before = Decimal.zero] = steps
  const last = steps.at(-1) ?? Decimal.zero
  const booked = live === undefined ? Decimal.zero : (real?.pnl ?? live.pnl)
  const difference = Decimal.subtract(pnlOf(live), before)
  const isApart = isInHole(live, holes) || runs.some(({ trades }) => isInHole(trades.get(key), holes))
  const whole = isApart ? "no_candles" : live?.exitReason === "written_off" ? "by_hand" : undefined
  const remainder = Decimal.subtract(pnlOf(live), whole === undefined ? last : booked)
  const parts = amounts((part) => {
    if (whole !== undefined) return part === whole ? Decimal.subtract(booked, before) : Decimal.zero
    const stage = SEQUENCE.indexOf(part)
    return stage < 0 ? Decimal.zero : Decimal.subtract(steps[stage + 1] ?? last, steps[stage] ?? last)
  })
  const alert = Number(key.slice(key.lastIndexOf("#") + 1))
  return {
    alert,
    live,
    test,
    isOpen: {
      live: real !== undefined && live === undefined,
      test: test === undefined && runs[0]?.open.has(key) === true
    },
    answer: answers.get(alert),
    difference,
    parts,
    remainder
  }
}

const pnlOf = (trade: Trade | undefined): Decimal.Decimal => trade?.pnl ?? Decimal.zero

const openedAt = ({ live, test }: ComparedTrade): number => live?.openedAt ?? test?.openedAt ?? 0

const amounts = (of: (part: Part) => Decimal.Decimal): Amounts => {
  const [settings, alerts, outages, orders, price, fees, latency, by_hand, no_candles] = PARTS
  return {
    settings: of(settings),
    alerts: of(alerts),
    outages: of(outages),
    orders: of(orders),
    price: of(price),
    fees: of(fees),
    latency: of(latency),
    by_hand: of(by_hand),
    no_candles: of(no_candles)
  }
}
