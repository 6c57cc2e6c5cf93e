// Equity curves and price charts as the contract shows them.
import type { EquityCurve, PriceChart } from "../../api/Charts.ts"
import type { Charted } from "../../services/feeds/Candles.ts"
import type { Drawn } from "../../services/feeds/Charts.ts"
import type { Mark, Some } from "../../services/records/Trades.ts"
import { markersView } from "./DashboardViews.ts"
import { figure, money, moneyOf, percent } from "./Figures.ts"

export const curveView = ({ currency, curve, places, starting }: Drawn): EquityCurve => ({
  currency,
  starting_equity: money(starting),
  trades: curve.at.length,
  points: places.map((place) => [
    (curve.at[place] ?? 0) / 1000,
    moneyOf(curve.equity[place] ?? 0),
    percent(curve.drawdown[place] ?? 0)
  ])
})

export const chartView = (chart: { readonly candles: Charted; readonly marks: Some<Mark> }): PriceChart => {
  const { columns, source, spanMs } = chart.candles
  return {
    source,
    interval_seconds: Math.ceil(spanMs / 1000),
    candles: Array.from(columns.at, (at, row) => [
      at / 1000,
      figure(columns.open[row] ?? 0),
      figure(columns.high[row] ?? 0),
      figure(columns.low[row] ?? 0),
      figure(columns.close[row] ?? 0)
    ]),
    markers: markersView(chart.marks.rows),
    markers_total: chart.marks.total
  }
}
