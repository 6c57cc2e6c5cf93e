import type { Reason } from "../../domain/Alert.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { Fill } from "../../domain/Fill.ts"
import { type MarketKind, marketKey } from "../../domain/Market.ts"
import type { Settings } from "../../domain/Strategy.ts"
import type { BacktestResult, Ignored } from "../Backtest.ts"
import * as Bars from "../candles/Bars.ts"
import * as Performance from "../Performance.ts"
import { wordsOf } from "../ReasonWords.ts"
import type { Approved } from "../Risk.ts"
import { openRows, tradeRow } from "./BacktestRows.ts"
import * as Thinning from "./Thinning.ts"
import type { Series } from "./Tracks.ts"

/** The most points of a curve or candles of a chart, trades, fills of a chart, and skipped lines that are shown. */
export const SHOWN = { points: 1000, trades: 1000, markers: 500, lines: 20 }

/** A fill with the order that it answers. */
export interface Filled {
  readonly order: Approved
  readonly fill: Fill
}

/** All that came of a back-test. */
export interface Outcome {
  readonly settings: Settings
  readonly series: ReadonlyArray<Series>
  readonly result: BacktestResult
  readonly fills: ReadonlyArray<Filled>
  /** How many alerts were read, and the lines that were not. */
  readonly alerts: number
  readonly skipped: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<{ readonly code: string; readonly text: string }>
  readonly elapsedMs: number
}

/** The outcome as the interface has it: times in seconds, money as numbers, what is long thinned out. */
export const viewOf = ({
  alerts,
  elapsedMs,
  fills,
  result,
  series,
  settings,
  skipped,
  warnings
}: Outcome) => ({
  performance: { summary: Performance.summary(result.tally, result.today) },
  equity: equityOf(settings, result),
  charts: series.flatMap((one) => chartsOf(one, fills)),
  trades: result.trades.slice(-SHOWN.trades).map((trade, index) => ({
    id: Math.max(result.trades.length - SHOWN.trades, 0) + index + 1,
    ...tradeRow(trade),
    opened_at: seconds(trade.openedAt),
    closed_at: seconds(trade.closedAt)
  })),
  trades_total: result.trades.length,
  ignored: counted(result.ignored),
  open: result.open.flatMap(openRows).map((row) => ({ ...row, opened_at: seconds(row.opened_at) })),
  candles: result.candles,
  ambiguous_candles: result.ambiguousCandles,
  alerts,
  skipped_lines: skipped.slice(0, SHOWN.lines),
  warnings,
  elapsed_ms: Math.round(elapsedMs)
})
/** A back-test's result as it is answered: times in seconds since the epoch, money rounded for reading. */
export type BacktestView = ReturnType<typeof viewOf>

const seconds = (at: number): number => Math.floor(at / 1000)

const equityOf = (settings: Settings, { tally, trades }: BacktestResult) => {
  const starting = Decimal.toNumber(tally.starting)
  const at = Float64Array.from(trades, ({ closedAt }) => closedAt)
  const pnl = Float64Array.from(trades, (trade) => Decimal.toNumber(trade.pnl))
  const curve = Thinning.curveOf({ at, pnl }, starting)
  const points = Thinning.thinned(curve, SHOWN.points).map(
    (place) =>
      [
        seconds(curve.at[place] ?? 0),
        Number((curve.equity[place] ?? 0).toFixed(8)),
        Number((curve.drawdown[place] ?? 0).toFixed(4))
      ] as const
  )
  return { currency: settings.quote, starting_equity: starting, trades: trades.length, points }
}

/** One chart for each kind of market in which something was filled; of the spot market where nothing was. */
const chartsOf = ({ columns, exchange, pair }: Series, fills: ReadonlyArray<Filled>) => {
  const own = fills.filter(({ fill }) => fill.pair === pair && fill.exchange === exchange)
  const kinds = (["spot", "swap"] as const).filter((kind) => own.some(({ fill }) => fill.kind === kind))
  const { columns: shown, spanMs } = Bars.fitted(columns, SHOWN.points)
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
  const chart = (kind: MarketKind) => {
    const key = marketKey({ exchange, pair, kind })
    const there = own.filter(({ fill }) => marketKey(fill) === key)
    return {
      exchange,
      pair,
      kind,
      chart: {
        source: "recorded" as const,
        interval_seconds: Math.max(1, Math.round(spanMs / 1000)),
        candles,
        markers: there.slice(-SHOWN.markers).map(marker),
        markers_total: there.length
      }
    }
  }
  return kinds.length === 0 ? [chart("spot")] : kinds.map(chart)
}

const marker = ({ fill, order }: Filled) => ({
  at: seconds(fill.at),
  purpose: order.purpose,
  side: fill.side,
  price: fill.price,
  quantity: Decimal.toNumber(fill.quantity),
  exit_reason: order.exitReason ?? null
})

/** How often alerts were left alone for which reason, the most frequent first. */
const counted = (ignored: ReadonlyArray<Ignored>) => {
  const counts = new Map<Reason, number>()
  for (const { reason } of ignored) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([reason, count]) => ({ reason, text: textOf(reason), count }))
}

/** Prices are not late in a back-test: there is a candle, or there is none. */
const textOf = (reason: Reason): string =>
  reason === "no_price"
    ? "there is no candle of its pair at that time or later"
    : wordsOf(reason).replace(/^ignored, /, "")
