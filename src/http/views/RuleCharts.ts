// The chart of a rule as the contract shows it.
import type { RuleChartView } from "../../api/rules/RuleChart.ts"
import { millisOf } from "../../domain/candles/Timeframe.ts"
import type { DrawnRule } from "../../services/feeds/RuleCharts.ts"
import { figure, seconds } from "./Figures.ts"

/** The view of a chart. */
export const ruleChartView = ({ chart, market, rule, source }: DrawnRule): RuleChartView => {
  const { candles, entries, fires, forming, lines, readyAt, warmups } = chart
  const step = millisOf(rule.rule.timeframe)
  return {
    market,
    timeframe: rule.rule.timeframe,
    source,
    candles: Array.from(candles.at, (at, row) => [
      at / 1000,
      figure(candles.open[row] ?? 0),
      figure(candles.high[row] ?? 0),
      figure(candles.low[row] ?? 0),
      figure(candles.close[row] ?? 0)
    ]),
    forming: forming === undefined ? null : tupleOf(forming),
    lines: lines.map(({ isTarget, scale, text, values }) => ({
      ...{ text, scale, is_target: isTarget },
      values: Array.from(values, valueOrNull)
    })),
    fires: fires.map(({ at, close, entry, missing, type, values, withheld }) => ({
      ...{ at: seconds(at), candle: seconds(at - step), by: `on[${entry}]`, type, close: figure(close) },
      values: values.map(({ text, value }) => ({ text, value: valueOrNull(value) })),
      ...{ missing, withheld }
    })),
    entries: entries.map(({ by, holds, holdsForming, type, values, when }) => ({
      ...{ by, type, when, holds, holds_forming: holdsForming ?? null },
      values: values.map(({ closed, forming, text }) => ({
        text,
        closed: valueOrNull(closed),
        forming: valueOrNull(forming)
      }))
    })),
    ready_at: readyAt === undefined ? null : seconds(readyAt),
    needs: warmups
  }
}

const tupleOf = ({ at, close, high, low, open }: NonNullable<DrawnRule["chart"]["forming"]>) =>
  [at / 1000, figure(open), figure(high), figure(low), figure(close)] as const

const valueOrNull = (value: number | undefined): number | null =>
  value === undefined || !Number.isFinite(value) ? null : figure(value)
