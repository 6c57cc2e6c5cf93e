// Cuts a range of time out of a series of candles, without copying them.
import type { Columns } from "./CandleFile.ts"
import { section } from "./CandleRowReader.ts"

/** The candles that begin at or after `from` and before `until` (ms). */
export const between = (columns: Columns, from: number, until: number): Columns =>
  section(columns, countBefore(columns, from), countBefore(columns, until))

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
