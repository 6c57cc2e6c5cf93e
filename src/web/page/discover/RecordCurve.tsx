// The curve of a record's present period in percent, with the moment of publication, and its figures.
import { useMemo } from "preact/hooks"
import { RatioFigures } from "../figures/MarkedFigures.tsx"
import { Chart, type Drawing } from "../parts/Chart.tsx"
import * as Format from "../parts/format.ts"
import { Panel } from "../parts/PageHead.tsx"
import { Empty } from "../parts/States.tsx"
import { type Detail, publicationPoint } from "./record.ts"

export const RecordCurve = ({ detail }: { detail: Detail }) => {
  const { curve, figures, record } = detail
  const published = record.first_published_at
  const drawing = useMemo(() => drawingOf(curve, published), [curve, published])
  const last = curve.at(-1)
  const isMarked = publicationPoint(curve, published) !== undefined
  return (
    <>
      <Panel title="Curve of the present period">
        {last === undefined ? (
          <Empty title="No equity was measured yet">
            <p>It is measured once a minute while the server runs.</p>
          </Empty>
        ) : (
          <>
            <Chart
              label={`Return of the present period, now ${percent(last[1])}, drawdown now ${percent(last[2])}${isMarked ? `, published ${Format.time(published)}` : ""}`}
              {...drawing}
              height={320}
              fit="all"
            />
            <p class="explain">
              Return since the period began, with open positions at the last price; below, the drawdown from
              the highest point so far.{" "}
              {isMarked
                ? "The arrow marks its first publication: what stands before it was known when its owner published."
                : "All of this period came after its first publication."}
            </p>
          </>
        )}
      </Panel>
      {last === undefined ? null : <RatioFigures of={figures} title="Figures of the present period" />}
    </>
  )
}

const percent = (value: number): string => Format.percent(value, false, 1)

const drawingOf = (curve: Detail["curve"], published: number): Drawing => {
  const at = publicationPoint(curve, published)
  return {
    series: [
      {
        kind: "area",
        title: "Return",
        tone: "accent",
        points: curve.map(([time, value]) => ({ time, value })),
        format: percent
      },
      {
        kind: "area",
        title: "Drawdown",
        tone: "bad",
        pane: 1,
        points: curve.map(([time, , value]) => ({ time, value })),
        format: percent
      }
    ],
    ...(at === undefined
      ? {}
      : { markers: [{ time: at, side: "above", shape: "down", tone: "warn", text: "Published" }] })
  }
}
