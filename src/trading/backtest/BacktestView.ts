// A back-test's result as the API answers it: times in seconds, money as numbers, and long lists thinned out or cut to
// `SHOWN`.
import type { Reason } from "../../domain/Alert.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { Fill } from "../../domain/Fill.ts"
import { type MarketId, type MarketKind, marketKey } from "../../domain/Market.ts"
import type { ExitReason, Order, OrderSide } from "../../domain/Order.ts"
import { type FillRole, rolesOf } from "../../domain/position/FillRole.ts"
import type { Settings } from "../../domain/Strategy.ts"
import type { BacktestResult, Ignored } from "../Backtest.ts"
import * as Bars from "../candles/Bars.ts"
import * as Figures from "../equity/Figures.ts"
import * as MarkedRun from "../equity/MarkedRun.ts"
import * as Performance from "../Performance.ts"
import { wordsOf } from "../ReasonWords.ts"
import type { Approved } from "../Risk.ts"
import * as RuleView from "../signalRule/RuleView.ts"
import { openRows, type TradeRow, tradeRow } from "./BacktestRows.ts"
import type { FillsView } from "./FillsView.ts"
import * as Thinning from "./Thinning.ts"
import type { Series } from "./Tracks.ts"

/**
 * The most items in an answer: points of a curve, candles of a chart, trades, fills on a chart, skipped lines, and alerts of a rule.
 */
export const SHOWN = { points: 1000, bars: 1000, trades: 1000, markers: 500, lines: 20, alerts: 500 }

/** The most items in a report, which is to stay below 1.5 MB: its markets share candles and fills. */
export const shownInReport = (markets: number): typeof SHOWN => ({
  points: 2000,
  bars: shareOf(6000, markets),
  trades: 1200,
  markers: shareOf(1500, markets),
  lines: 100,
  alerts: 1200
})

/** A market's share, with enough to see something of each of many, and at most a third. */
const shareOf = (all: number, markets: number): number =>
  Math.min(Math.ceil(all / 3), Math.max(25, Math.floor(all / Math.max(1, markets))))

/** A fill and its order. */
export interface Filled {
  readonly order: Approved
  readonly fill: Fill
}

/** What a rule did, with its name for reports. */
export interface NamedOutcome extends RuleView.RuleOutcome {
  readonly name: string
}

/** Everything that a back-test produced. */
export interface Outcome {
  readonly settings: Settings
  readonly series: ReadonlyArray<Series>
  readonly result: BacktestResult
  readonly fills: ReadonlyArray<Filled>
  /** The number of alerts read, and the lines that were skipped. */
  readonly alerts: number
  readonly skipped: ReadonlyArray<string>
  /** The rule that raised the alerts, where one did. */
  readonly rule?: NamedOutcome
  /** Fills nearer to life, where they were on. */
  readonly nearer?: FillsView
  readonly warnings: ReadonlyArray<{ readonly code: string; readonly text: string }>
  readonly elapsedMs: number
}

/** A fill on a chart. */
export interface Marker {
  readonly at: number
  readonly purpose: Order["purpose"]
  readonly role: FillRole
  readonly side: OrderSide
  readonly price: number
  readonly quantity: number
  readonly exit_reason: ExitReason | null
}

/** The chart of one market: candles as time, open, high, low and close, and the last fills. */
export interface MarketChart extends MarketId {
  readonly chart: {
    readonly source: "recorded"
    readonly interval_seconds: number
    readonly candles: ReadonlyArray<readonly [number, number, number, number, number]>
    readonly markers: ReadonlyArray<Marker>
    readonly markers_total: number
  }
}

/** A completed trade; `id` counts from 1. */
export interface ShownTrade extends TradeRow {
  readonly id: number
}

/** How many alerts were ignored for a reason, and the reason in words. */
export interface IgnoredAlerts {
  readonly reason: Reason
  readonly text: string
  readonly count: number
}

/** Builds the answer. Times are in seconds, money is a number, long lists are thinned out to `most`. */
export const viewOf = (
  { alerts, elapsedMs, fills, nearer, result, rule, series, settings, skipped, warnings }: Outcome,
  most = SHOWN
) => ({
  performance: { summary: Performance.summary(result.tally, result.today) },
  equity: equityOf(settings, result, most.points),
  ...markedOf({ settings, series, result, fills }, most.points),
  charts: series.flatMap((one) => chartsOf(one, fills, most)),
  trades: lastTrades(result, most.trades),
  trades_total: result.trades.length,
  ignored: counted(result.ignored),
  open: result.open.flatMap(openRows).map((row) => ({ ...row, opened_at: seconds(row.opened_at) })),
  candles: result.candles,
  ambiguous_candles: result.ambiguousCandles,
  alerts,
  skipped_lines: skipped.slice(0, most.lines),
  ...(rule === undefined ? {} : { rule: ruleViewOf(rule, most.alerts) }),
  ...(nearer === undefined ? {} : { fills: nearer }),
  warnings,
  elapsed_ms: Math.round(elapsedMs)
})
/** The answer to a back-test: times in seconds since the epoch, money rounded for display. */
export type BacktestView = ReturnType<typeof viewOf>

/** The view of a rule with its last `most` alerts; times in seconds. */
export const ruleViewOf = ({ name, ...outcome }: NamedOutcome, most: number): NamedRuleView => ({
  name,
  ...RuleView.viewOf(outcome, { most, timeOf: seconds })
})

/** The view of a rule, with its name. */
export interface NamedRuleView extends RuleView.RuleView {
  readonly name: string
}

const markedOf = (ended: MarkedRun.Ended, most: number) => {
  const { measured, points } = MarkedRun.measure(ended, most)
  return { figures: Figures.figuresOf(measured), points: points.map(Figures.pointInSeconds) }
}

const lastTrades = ({ trades }: BacktestResult, most: number): ReadonlyArray<ShownTrade> =>
  trades.slice(-most).map((trade, index) => ({
    id: Math.max(trades.length - most, 0) + index + 1,
    ...tradeRow(trade),
    opened_at: seconds(trade.openedAt),
    closed_at: seconds(trade.closedAt),
    exit_fills: tradeRow(trade).exit_fills.map((fill) => ({ ...fill, at: seconds(fill.at) }))
  }))

const seconds = (at: number): number => Math.floor(at / 1000)

const equityOf = (settings: Settings, { tally, trades }: BacktestResult, most: number) => {
  const starting = Decimal.toNumber(tally.starting)
  const at = Float64Array.from(trades, ({ closedAt }) => closedAt)
  const pnl = Float64Array.from(trades, (trade) => Decimal.toNumber(trade.pnl))
  const curve = Thinning.curveOf({ at, pnl }, starting)
  const points = Thinning.thinned(curve, most).map(
    (place) =>
      [
        seconds(curve.at[place] ?? 0),
        Number((curve.equity[place] ?? 0).toFixed(8)),
        Number((curve.drawdown[place] ?? 0).toFixed(4))
      ] as const
  )
  return { currency: settings.quote, starting_equity: starting, trades: trades.length, points }
}

/** One chart for each kind of market that has fills, else one of the spot market. */
const chartsOf = (
  { columns, exchange, pair }: Series,
  fills: ReadonlyArray<Filled>,
  most: typeof SHOWN
): ReadonlyArray<MarketChart> => {
  const own = fills.filter(({ fill }) => fill.pair === pair && fill.exchange === exchange)
  const kinds = (["spot", "swap"] as const).filter((kind) => own.some(({ fill }) => fill.kind === kind))
  const { columns: shown, spanMs } = Bars.fitted(columns, most.bars)
  const candles = Array.from(
    shown.at,
    (at, row) =>
      [
        seconds(at),
        shown.open[row] ?? 0,
        shown.high[row] ?? 0,
        shown.low[row] ?? 0,
        shown.close[row] ?? 0
      ] as const
  )
  const chart = (kind: MarketKind): MarketChart => {
    const key = marketKey({ exchange, pair, kind })
    const there = own.filter(({ fill }) => marketKey(fill) === key)
    return {
      exchange,
      pair,
      kind,
      chart: {
        source: "recorded",
        interval_seconds: Math.max(1, Math.round(spanMs / 1000)),
        candles,
        markers: markersOf(there, most.markers),
        markers_total: there.length
      }
    }
  }
  return kinds.length === 0 ? [chart("spot")] : kinds.map(chart)
}

const markersOf = (there: ReadonlyArray<Filled>, most: number): ReadonlyArray<Marker> => {
  const roles = rolesOf(
    there.map(({ fill, order }, index) => ({
      // Every order of a back-test is filled at once and as a whole, and they all have one id.
      order: String(index),
      at: fill.at,
      side: fill.side,
      purpose: order.purpose,
      isPart: order.part === true
    }))
  )
  const first = Math.max(there.length - most, 0)
  return there.slice(first).map((filled, index) => marker(filled, roles[first + index] ?? "open"))
}

const marker = ({ fill, order }: Filled, role: FillRole): Marker => ({
  at: seconds(fill.at),
  purpose: order.purpose,
  role,
  side: fill.side,
  price: fill.price,
  quantity: Decimal.toNumber(fill.quantity),
  exit_reason: order.exitReason ?? null
})

/** How many alerts were ignored for each reason, the most frequent first. */
const counted = (ignored: ReadonlyArray<Ignored>): ReadonlyArray<IgnoredAlerts> => {
  const counts = new Map<Reason, number>()
  for (const { reason } of ignored) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([reason, count]) => ({ reason, text: textOf(reason), count }))
}

/** A back-test has no late prices: a candle exists or it does not. */
const textOf = (reason: Reason): string =>
  reason === "no_price"
    ? "there is no candle of its pair at that time or later"
    : wordsOf(reason).replace(/^ignored, /, "")
