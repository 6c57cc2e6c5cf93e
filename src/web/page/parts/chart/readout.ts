// What a chart says about one moment: its candle or the values of its curves, and the fills there. Pure.
import type { Drawing, Series } from "../drawing.ts"
import * as Format from "../format.ts"

/** A named value: "High" "61,240.50". */
export interface Reading {
  readonly name: string
  readonly text: string
}

/** Everything at one moment of a chart. */
export interface Readout {
  /** The local time. */
  readonly title: string
  readonly readings: ReadonlyArray<Reading>
  /** Fills, in words. */
  readonly notes: ReadonlyArray<string>
}

/** The times of a chart, ascending: those of its first series. */
export const timesOf = ({ series: [main] }: Pick<Drawing, "series">): ReadonlyArray<number> => {
  if (main === undefined) return []
  const times =
    main.kind === "candles" ? main.bars.map(({ time }) => time) : main.points.map(({ time }) => time)
  return times.filter((time, place) => time !== times[place + 1])
}

/** Everything at a time of the chart; undefined where the chart has nothing then. */
export const readoutOf = ({ notes, series }: Drawing, time: number): Readout | undefined => {
  const readings = series.flatMap((one) => readingsOf(one, time))
  return readings.length === 0
    ? undefined
    : { title: Format.time(time), readings, notes: notes?.get(time) ?? [] }
}

const readingsOf = (series: Series, time: number): ReadonlyArray<Reading> => {
  if (series.kind === "candles") {
    const bar = found(series.bars, time)
    return bar === undefined
      ? []
      : (
          [
            ["Open", bar.open],
            ["High", bar.high],
            ["Low", bar.low],
            ["Close", bar.close]
          ] as const
        ).map(([name, value]) => ({ name, text: Format.price(value) }))
  }
  const point = found(series.points, time)
  const { format = Format.price, title = "Value" } = series
  return point === undefined ? [] : [{ name: title, text: format(point.value) }]
}

/** The height of a series at a time: the close of a candle, or the value of a curve. */
export const valueAt = (series: Series | undefined, time: number): number | undefined =>
  series?.kind === "candles" ? found(series.bars, time)?.close : found(series?.points ?? [], time)?.value

/** The last entry of a time: a chart draws one for each. */
const found = <A extends { readonly time: number }>(all: ReadonlyArray<A>, time: number): A | undefined => {
  const one = all[reached(all, time) - 1]
  return one?.time === time ? one : undefined
}

/** How many entries begin at the time or before it. */
const reached = (all: ReadonlyArray<{ readonly time: number }>, time: number): number => {
  let low = 0
  let high = all.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((all[middle]?.time ?? 0) <= time) low = middle + 1
    else high = middle
  }
  return low
}

/** The readout in a sentence, for screen readers. */
export const sentenceOf = ({ notes, readings, title }: Readout): string =>
  [title, ...readings.map(({ name, text }) => `${name} ${text}`), ...notes].join(", ")

/** The place that a key leads to from another; undefined where the key leads nowhere. */
export const placeAfter = (key: string, place: number, count: number): number | undefined => {
  const step = STEPS[key]
  if (key === "Home") return 0
  if (key === "End") return count - 1
  return step === undefined ? undefined : Math.min(count - 1, Math.max(0, place + step))
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10
}
