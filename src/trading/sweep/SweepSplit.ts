import type { Columns } from "../../domain/candles/CandleFile.ts"
import type { TimedAlert } from "../Backtest.ts"
import type { Series } from "../backtest/Tracks.ts"
import { firstAt } from "../watch/Scan.ts"

/** What a back-test runs over. */
export interface Recording {
  readonly series: ReadonlyArray<Series>
  readonly alerts: ReadonlyArray<TimedAlert>
}

/** The part that combinations are ranked by, and the later one that they have not seen. */
export interface Parts {
  readonly train: Recording
  readonly test: Recording
}

/**
 * When the last `percent` of the time span of all candles begin (ms): the first candle of any pair in there. None
 * where nothing is held out, or all candles stand at one time.
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

/** Candles and alerts before that time, and those from it on: none stands on both sides. Copies nothing. */
export const split = ({ alerts, series }: Recording, time: number): Parts => ({
  train: {
    series: series.map((one) => ({ ...one, columns: cut(one.columns, 0, firstAt(one.columns.at, time, 0)) })),
    alerts: alerts.filter(({ at }) => at < time)
  },
  test: {
    series: series.map((one) => ({
      ...one,
      columns: cut(one.columns, firstAt(one.columns.at, time, 0), one.columns.length)
    })),
    alerts: alerts.filter(({ at }) => at >= time)
  }
})

const cut = (columns: Columns, from: number, to: number): Columns => ({
  at: columns.at.subarray(from, to),
  open: columns.open.subarray(from, to),
  high: columns.high.subarray(from, to),
  low: columns.low.subarray(from, to),
  close: columns.close.subarray(from, to),
  length: to - from
})
