// Equity marked to the market, with what buying and holding would be worth beside it, and its drawdown below.
import { useMemo } from "preact/hooks"
import { Chart, type Drawing } from "../parts/Chart.tsx"
import * as Format from "../parts/format.ts"
import type { Answer } from "../wire.ts"

export type Points = Answer<"backtests", "run">["points"]

const percent = (value: number): string => Format.percent(value, false, 1)

interface Props {
  readonly points: Points
  readonly currency: string
  /** What the curve is; by default a back-test's. */
  readonly explain?: string
}

export const MarkedCurve = ({ points, currency, explain = OF_CANDLES }: Props) => {
  const series = useMemo(() => seriesOf(points, currency), [points, currency])
  const [first, last] = [points[0], points.at(-1)]
  const deepest = points.reduce((least, [, , drawdown]) => Math.min(least, drawdown), 0)
  const hold = last?.[3]
  const held =
    hold === undefined || hold === null ? "" : `; buying and holding ends at ${Format.money(hold, currency)}`
  return (
    <>
      <Chart
        label={`Equity from ${Format.money(first?.[1], currency)} to ${Format.money(last?.[1], currency)}, deepest drawdown ${percent(deepest)}${held}`}
        series={series}
        height={340}
        fit="all"
      />
      <p class="explain">{explain}</p>
    </>
  )
}

const OF_CANDLES =
  "Equity marked to the market: open positions count at the last close. Grey is what buying the pairs in equal parts and holding them would be worth. Below, the drawdown from the highest equity so far. Prices within a candle are not seen."

const seriesOf = (points: Points, currency: string): Drawing["series"] => {
  const money = (value: number) => Format.money(value, currency)
  const held = points.flatMap(([time, , , value]) => (value === null ? [] : [{ time, value }]))
  return [
    {
      kind: "area",
      title: "Equity",
      tone: "accent",
      points: points.map(([time, value]) => ({ time, value })),
      format: money
    },
    ...(held.length === 0
      ? []
      : [{ kind: "line", title: "Buy and hold", tone: "quiet", points: held, format: money } as const]),
    {
      kind: "area",
      title: "Drawdown",
      tone: "bad",
      pane: 1,
      points: points.map(([time, , value]) => ({ time, value })),
      format: percent
    }
  ]
}
