// Cuts a range of time out of a series of candles, without copying them.
import type { Columns } from "./CandleFile.ts"

/** The candles that begin at or after `from` and before `until` (ms). */
export const between = (columns: Columns, from: number, until: number): Columns => {
  const [first, end] = [countBefore(columns, from), countBefore(columns, until)]
  return {
    at: columns.at.subarray(first, end),
    open: columns.open.subarray(first, end),
    high: columns.high.subarray(first, end),
    low: columns.low.subarray(first, end),
    close: columns.close.subarray(first, end),
    length: Math.max(end - first, 0)
  }
}

/** The number of candles that begin before a time, by binary search. */
const countBefore = ({ at, length }: Columns, time: number): number => {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((at[middle] ?? 0) < time) low = middle + 1
    else high = middle
  }
  return low
}
