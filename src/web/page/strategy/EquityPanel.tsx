// The equity curve after each completed trade of the current period, with its drawdown.
import { useMemo } from "preact/hooks"
import { call } from "../client.ts"
import { Chart, type Drawing } from "../parts/Chart.tsx"
import * as Format from "../parts/format.ts"
import { Panel } from "../parts/PageHead.tsx"
import { Empty, Loaded } from "../parts/States.tsx"
import { useQuery } from "../query.ts"
import type { Answer } from "../wire.ts"

type Curve = Answer<"dashboard", "equity">

interface Props {
  readonly id: number
  /** The performance period; each has a curve of its own. */
  readonly period: number
  readonly since: number
}

export const EquityPanel = ({ id, period, since }: Props) => {
  const query = useQuery(
    `equity ${id} ${period}`,
    (signal) => call("dashboard", "equity", { path: { id }, signal, urlParams: {} }),
    {
      on: ({ strategy_id, rule }) => strategy_id === id && rule === "trade"
    }
  )
  return (
    <Panel title="Equity">
      <Loaded query={query}>
        {(curve) =>
          curve.trades === 0 ? (
            <Empty title="No completed trade yet">
              <p>The curve begins with the first closed position.</p>
            </Empty>
          ) : (
            <Drawn curve={curve} since={since} />
          )
        }
      </Loaded>
    </Panel>
  )
}

const percent = (value: number): string => Format.percent(value, false, 1)

/** The curve with the starting balance before its first point. */
const withStart = ({ points, starting_equity }: Curve, since = Number.POSITIVE_INFINITY): Curve["points"] => {
  const first = points[0]?.[0]
  return first === undefined ? points : [[Math.min(since, first - 1), starting_equity, 0], ...points]
}

const Drawn = ({ curve, since }: { curve: Curve; since?: number }) => {
  const series = useMemo((): Drawing["series"] => {
    const { currency } = curve
    const points = withStart(curve, since)
    return [
      {
        kind: "area",
        title: "Equity",
        tone: "accent",
        points: points.map(([time, value]) => ({ time, value })),
        format: (value) => Format.money(value, currency)
      },
      {
        kind: "area",
        title: "Drawdown",
        tone: "bad",
        pane: 1,
        points: points.map(([time, , value]) => ({ time, value })),
        format: percent
      }
    ]
  }, [curve, since])
  const last = curve.points.at(-1)
  const deepest = Math.min(0, ...curve.points.map(([, , drawdown]) => drawdown))
  return (
    <>
      <Chart
        label={`Equity from ${Format.money(curve.starting_equity, curve.currency)} to ${Format.money(last?.[1], curve.currency)} over ${Format.counted(curve.trades, "trade")}; deepest drawdown ${percent(deepest)}`}
        series={series}
        height={320}
        fit="all"
      />
      <p class="explain">Equity after each completed trade; below, the drawdown from its peak.</p>
    </>
  )
}

export { Drawn as EquityChart }
