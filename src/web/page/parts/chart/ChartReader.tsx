// The line below a chart that says what is at the pointer. With the keyboard it moves along the chart by itself.
import { useMemo } from "preact/hooks"
import type { Drawing } from "../drawing.ts"
import { placeAfter, readoutOf, sentenceOf, timesOf } from "./readout.ts"

interface Props {
  readonly drawing: Drawing
  /** The time that is read; undefined reads the latest. */
  readonly at: number | undefined
  readonly onRead: (time: number) => void
}

export const ChartReader = ({ at, drawing, onRead }: Props) => {
  const { series } = drawing
  const times = useMemo(() => timesOf({ series }), [series])
  const known = at === undefined ? -1 : times.indexOf(at)
  const place = known < 0 ? times.length - 1 : known
  const time = times[place]
  const readout = time === undefined ? undefined : readoutOf(drawing, time)
  if (readout === undefined) return null
  return (
    <div
      class="chart-reader"
      role="slider"
      tabIndex={0}
      aria-label="Read the chart"
      aria-valuemin={0}
      aria-valuemax={times.length - 1}
      aria-valuenow={place}
      aria-valuetext={sentenceOf(readout)}
      title="Point at the chart, or use the arrow keys here"
      onKeyDown={(event) => {
        const next = times[placeAfter(event.key, place, times.length) ?? -1]
        if (next === undefined) return
        event.preventDefault()
        onRead(next)
      }}
    >
      <span class="strong">{readout.title}</span>
      {readout.readings.map(({ name, text }) => (
        <span key={name}>
          <span class="quiet">{name}</span> <span class="number">{text}</span>
        </span>
      ))}
      {readout.notes.map((note, index) => (
        <span key={`${index} ${note}`} class="chart-fill">
          {note}
        </span>
      ))}
    </div>
  )
}
