// Splits a recording for a sweep into an earlier part to rank combinations by and a later part they have not seen, the
// whole of it or a stretch. No candle or alert is in both.
import { section } from "../../domain/candles/CandleRowReader.ts"
import type { TimedAlert } from "../Backtest.ts"
import type { Series } from "../backtest/Tracks.ts"
import { firstAt } from "../watch/Scan.ts"

/** The candles and alerts of a back-test. */
export interface Recording {
  readonly series: ReadonlyArray<Series>
  readonly alerts: ReadonlyArray<TimedAlert>
}

/**
 * A stretch of time that combinations are tried on, in ms: it ends before `to`. What begins at `testFrom` is held out of
 * the ranking; undefined where nothing is.
 */
export interface Stretch {
  readonly from: number
  readonly testFrom: number | undefined
  readonly to: number
}

/** The part that ranks the combinations, and the later, unseen one. */
export interface Parts {
  readonly train: Recording
  readonly test: Recording
}

/**
 * The time (ms) at which the last `percent` of the candles' time span begins: the first candle of any pair in it.
 * Undefined if nothing is held out or all candles have one time.
 */
export const splitTime = (series: ReadonlyArray<Series>, percent: number): number | undefined => {
  const first = Math.min(...series.map(({ columns }) => columns.at[0] ?? Infinity))
  const last = Math.max(...series.map(({ columns }) => columns.at[columns.length - 1] ?? -Infinity))
  if (percent <= 0 || !(first < last)) return undefined
  const held = last - (last - first) * (percent / 100)
  const starts = series.map(({ columns }) => columns.at[firstAt(columns.at, held, 0)] ?? Infinity)
  const time = Math.min(...starts)
  return time > first ? time : undefined
}

/** Splits a recording at `time` without copying candles. */
export const split = ({ alerts, series }: Recording, time: number): Parts => ({
  train: {
    series: series.map((one) => ({
      ...one,
      columns: section(one.columns, 0, firstAt(one.columns.at, time, 0))
    })),
    alerts: alerts.filter(({ at }) => at < time)
  },
  test: {
    series: series.map((one) => ({
      ...one,
      columns: section(one.columns, firstAt(one.columns.at, time, 0), one.columns.length)
    })),
    alerts: alerts.filter(({ at }) => at >= time)
  }
})

/** The candles and alerts from `from` (ms) up to and without `to`; it copies no candles. */
export const within = ({ alerts, series }: Recording, from: number, to: number): Recording => ({
  series: series.map((one) => {
    const { at } = one.columns
    return { ...one, columns: section(one.columns, firstAt(at, from, 0), firstAt(at, to, 0)) }
  }),
  alerts: alerts.filter(({ at }) => at >= from && at < to)
})

/** The parts of a stretch; without `testFrom` there is no test. */
export const partsOf = (
  recording: Recording,
  { from, testFrom, to }: Stretch
): Pick<Parts, "train"> & Partial<Parts> => {
  const inside = within(recording, from, to)
  return testFrom === undefined ? { train: inside } : split(inside, testFrom)
}
