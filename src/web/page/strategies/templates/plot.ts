// Where things stand in a template's sample chart: candles, marks, and labels that do not overlap. Pure.
import { eventsOf, type Sample, type SampleEvent } from "./sample.ts"

/** The size of a chart, in its own units. */
export const SIZE = { width: 360, height: 190, top: 22, bottom: 22, side: 6 } as const
/** The height of a label's line, and the mean width of its letters. */
const LINE = 12
const LETTER = 5.8

/** Where things stand in a chart. */
export interface Plot {
  /** The paths of candles that rose, and of those that fell. */
  readonly rising: string
  readonly falling: string
  readonly marks: ReadonlyArray<PlotMark>
}

/** An event in a chart: its place, and that of its label, whose middle is `labelX`. */
export interface PlotMark {
  readonly event: SampleEvent
  readonly x: number
  readonly y: number
  readonly labelX: number
  readonly labelY: number
}

/** Lays out a sample. */
export const plotOf = (sample: Sample): Plot => {
  const { bottom, height, side, top, width } = SIZE
  const { candles, interval_seconds } = sample
  const first = candles[0]?.[0] ?? 0
  const step = (width - 2 * side) / Math.max(1, candles.length)
  const highest = Math.max(...candles.map(([, , high = 0]) => high))
  const lowest = Math.min(...candles.map(([, , , low = 0]) => low))
  const x = (at: number) => side + ((at - first) / interval_seconds + 0.5) * step
  const y = (price: number) =>
    top + ((highest - price) / Math.max(highest - lowest, 1e-9)) * (height - top - bottom)
  const paths = { rising: "", falling: "" }
  for (const [at = 0, open = 0, high = 0, low = 0, close = 0] of candles) {
    const [middle, half] = [x(at), Math.max(0.6, step * 0.35)]
    const [upper, lower] = [y(Math.max(open, close)), y(Math.min(open, close))]
    const body = `M${short(middle - half)} ${short(upper)}h${short(2 * half)}v${short(Math.max(0.6, lower - upper))}h${short(-2 * half)}z`
    const wick = `M${short(middle - 0.3)} ${short(y(high))}h.6V${short(y(low))}h-.6z`
    paths[close >= open ? "rising" : "falling"] += wick + body
  }
  const marks: Array<PlotMark> = []
  for (const event of eventsOf(sample))
    marks.push(apart(markOf(event, x(event.at - interval_seconds / 2), y), marks))
  return { ...paths, marks }
}

const markOf = (event: SampleEvent, x: number, y: (price: number) => number): PlotMark => {
  const { height, width } = SIZE
  const half = widthOf(event) / 2
  const labelX = Math.min(Math.max(x, half), width - half)
  if (event.fill === undefined) return { event, x, y: height - 14, labelX, labelY: height - 4 }
  const place = y(event.fill.price)
  return { event, x, y: place, labelX, labelY: place + (event.fill.side === "buy" ? 17 : -10) }
}

/** The width of an event's label, about. */
export const widthOf = ({ label }: SampleEvent): number => label.length * LETTER

/** Moves a label away from those that stand already: of a purchase downwards, any other upwards. */
const apart = (mark: PlotMark, others: ReadonlyArray<PlotMark>): PlotMark => {
  const step = mark.event.fill?.side === "buy" ? LINE : -LINE
  let moved = mark
  for (let tries = 0; tries < others.length && others.some((other) => isOver(moved, other)); tries++)
    moved = { ...moved, labelY: moved.labelY + step }
  return moved
}

/** Whether two labels overlap. */
export const isOver = (one: PlotMark, other: PlotMark): boolean =>
  Math.abs(one.labelX - other.labelX) < (widthOf(one.event) + widthOf(other.event)) / 2 &&
  Math.abs(one.labelY - other.labelY) < LINE - 1

const short = (value: number): string => String(Math.round(value * 10) / 10)
