// A run of the test: the back-test over the recorded candles and alerts, with some of the real circumstances.
import type { Reason } from "../../domain/Alert.ts"
import type { Columns } from "../../domain/candles/CandleFile.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { marketKey } from "../../domain/Market.ts"
import type { Settings } from "../../domain/Strategy.ts"
import type { Trade } from "../../domain/Trade.ts"
import * as Backtest from "../Backtest.ts"
import type { TermsChange } from "../backtest/TermsChange.ts"
import type { Series } from "../backtest/Tracks.ts"
import type { Filled } from "../equity/Holdings.ts"
import type { Ended } from "../equity/MarkedRun.ts"
import { firstAt } from "../watch/Scan.ts"
import { closesOf } from "./Closes.ts"
import type { LiveRecord, RecordedAlert, RecordedOrder, Stretch } from "./LiveRecord.ts"
import { withMoments } from "./Moments.ts"
import type { Stage } from "./Parts.ts"
import { keyAt, RealAnswers } from "./RealAnswers.ts"
import type { RealTrades } from "./RealTrades.ts"

/**
 * Completed trades by key, those still open at the end, the back-test that ended, and the candle (ms) at which it was
 * broken off.
 */
export interface TestResult {
  readonly ended: Omit<Ended, "series">
  readonly trades: ReadonlyMap<string, Trade>
  readonly open: ReadonlySet<string>
  /** Orders of the record that the test decided too, at the same price. */
  readonly repeated: ReadonlySet<RecordedOrder>
  readonly net: Decimal.Decimal
  readonly candles: number
  readonly overrunAt: number | undefined
}

/** The length of the test's candles (ms): an alert was late if it acted after the candle at which the test acts. */
const CANDLE_MS = 60_000

/** Reasons that the circumstances gave, and not the rules: such an alert is as good as never received. */
const MISSED: ReadonlySet<Reason> = new Set(["stale", "no_price", "perpetual_in_use"])
const STOPPED: ReadonlySet<Reason> = new Set(["halted", "disarming", "daily_loss", "set_aside", "too_many"])
const REFUSED: ReadonlySet<Reason> = new Set(["over_max_order", "astray", "pending_exit"])

/** What of the real circumstances a run has, and the run before it, which had one less. */
export interface Circumstances {
  readonly stages: ReadonlySet<Stage>
  readonly before?: TestResult | undefined
}

/** Runs the test with these circumstances. */
export const run = (record: LiveRecord, real: RealTrades, { before, stages }: Circumstances): TestResult => {
  const alerts = alertsOf(record, { before, stages })
  const answers = new RealAnswers(record, real, (id) => alerts[id - 1]?.id ?? 0, stages)
  const terms = termsOf(record, real, stages)
  const fills: Array<Filled> = []
  const result = Backtest.run({
    balance: record.balance,
    market: record.market,
    fees: record.fees,
    fillModel: record.fillModel,
    settings: terms.settings,
    changes: terms.changes,
    series: record.series.map((one) => seriesOf(one, record, { before, stages })),
    alerts: alerts.map(({ alert }) => alert),
    answer: answers.answer,
    filled: (order, fill) => fills.push({ order, fill })
  })
  const { keys, trades } = keyed(answers, result.trades)
  return {
    ended: { settings: terms.settings, result, fills },
    trades,
    open: new Set([...answers.keys.values()].flat().filter((key) => !keys.has(key))),
    repeated: answers.repeated,
    net: Decimal.sum(result.trades.map(({ pnl }) => pnl)),
    candles: result.candles,
    overrunAt: result.overrunAt
  }
}

/** What the test decided alike without the moments of the record needs none of its own. */
const seriesOf = (one: Series, record: LiveRecord, { before, stages }: Circumstances): Series => {
  const left = stages.has("outages") ? { ...one, columns: without(one.columns, record.outages) } : one
  if (!stages.has("latency")) return left
  return withMoments(left, record, before?.repeated ?? new Set())
}

/** The trades of a market end in the sequence in which they were opened. */
const keyed = (answers: RealAnswers, trades: ReadonlyArray<Trade>) => {
  const counts = new Map<string, number>()
  const found = new Map<string, Trade>()
  for (const trade of trades) {
    const market = marketKey(trade)
    const index = counts.get(market) ?? 0
    counts.set(market, index + 1)
    const key = keyAt(answers, trade, index)
    if (key !== undefined) found.set(key, trade)
  }
  return { trades: found, keys: new Set(found.keys()) }
}

/** The alerts of a run, in the sequence in which a back-test numbers them. */
const alertsOf = (
  { alerts, orders, series }: LiveRecord,
  { before, stages }: Circumstances
): ReadonlyArray<RecordedAlert> => {
  const heard = inTurn(
    alerts.filter(
      ({ reason }) =>
        !(stages.has("alerts") && MISSED.has(reason)) &&
        !(stages.has("outages") && STOPPED.has(reason)) &&
        !(stages.has("orders") && REFUSED.has(reason))
    )
  )
  if (!stages.has("alerts")) return heard
  const own = orders.filter((order) => stages.has("latency") && before?.repeated.has(order) !== true)
  const moments = new Set(own.map(({ order }) => `${order.pair} ${order.at}`))
  const acted = heard.map((one) =>
    moments.has(`${one.alert.pair} ${one.actedAt}`) ? atItsMoment(one) : asActed(one, series)
  )
  const turns = inTurn(acted.map(({ recorded }) => recorded))
  const isAsReceived =
    !acted.some(({ isLate }) => isLate) && turns.every(({ id }, index) => id === heard[index]?.id)
  return isAsReceived ? heard : turns
}

const inTurn = (alerts: ReadonlyArray<RecordedAlert>): ReadonlyArray<RecordedAlert> =>
  alerts.toSorted((one, other) => one.alert.at - other.alert.at || one.id - other.id)

/** The alert at the moment of its order, which the test's candles have. */
const atItsMoment = (recorded: RecordedAlert) => ({
  isLate: true,
  recorded: { ...recorded, alert: { ...recorded.alert, at: recorded.actedAt } }
})

/** The alert at the time when it acted. It was late if that was after the candle at which the test acts. */
const asActed = (recorded: RecordedAlert, series: LiveRecord["series"]) => {
  const { actedAt, alert } = recorded
  const columns = series.find(({ pair }) => pair === alert.pair)?.columns
  const due = columns?.at[firstAt(columns.at, alert.at, 0)] ?? Number.POSITIVE_INFINITY
  const isLate = actedAt >= due + CANDLE_MS
  const at = isLate ? actedAt : Math.min(actedAt, due)
  return { isLate, recorded: { ...recorded, alert: { ...alert, at } } }
}

/** The settings of the start, and their changes and the halts on the way. */
const termsOf = (
  { from, halts, past, settings: now }: LiveRecord,
  real: RealTrades,
  stages: ReadonlySet<Stage>
): { readonly settings: Settings; readonly changes: ReadonlyArray<TermsChange> } => {
  const known = [...past, { until: Number.POSITIVE_INFINITY, settings: now }]
  const first = known.findIndex(({ until }) => until > from)
  const changes: ReadonlyArray<TermsChange> = known
    .slice(first, -1)
    .map(({ until }, index) => ({ at: until, settings: known[first + index + 1]?.settings ?? now }))
  const halting = halts.flatMap(
    (halt): ReadonlyArray<TermsChange> => [
      { at: halt.from, halted: true },
      { at: halt.until, halted: false }
    ]
  )
  return {
    // A strategy that is inactive now is tested as if it were active.
    settings: stages.has("settings") ? (known[first]?.settings ?? now) : { ...now, active: true },
    changes: [
      ...(stages.has("settings") ? changes : []),
      ...(stages.has("outages") ? halting : []),
      ...(stages.has("by_hand") ? closesOf(real) : [])
    ].sort((one, other) => one.at - other.at)
  }
}

/** The candles that begin in none of the stretches. */
const without = (columns: Columns, stretches: ReadonlyArray<Stretch>): Columns => {
  if (stretches.length === 0) return columns
  const rows: Array<number> = []
  for (let row = 0; row < columns.length; row++) {
    const at = columns.at[row] ?? 0
    if (!stretches.some(({ from, until }) => at >= from && at < until)) rows.push(row)
  }
  const pick = (column: Float64Array) => Float64Array.from(rows, (row) => column[row] ?? 0)
  const { at, close, high, low, open } = columns
  return {
    at: pick(at),
    open: pick(open),
    high: pick(high),
    low: pick(low),
    close: pick(close),
    length: rows.length
  }
}
