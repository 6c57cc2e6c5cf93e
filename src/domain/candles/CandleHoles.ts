// The holes in a series of candles: stretches of time without one. A hole is known where the exchange was asked and had
// none, so that nobody asks again.
import type { Columns } from "./CandleFile.ts"
import { DAY_MS, dayOf } from "./CandleSeries.ts"

/** Missing candles: the first begins at `from`, and the last ends at `until` (ms). */
export interface Hole {
  readonly from: number
  readonly until: number
  /** Whether the exchange was asked, and has none. */
  readonly known: boolean
}

/** The days that an exchange was asked for: the start of the day, and the time up to which it was asked (ms). */
export type FetchedDays = ReadonlyMap<number, number>

/** Which stretch to look at, and the length of a candle (ms). */
export interface Stretch {
  readonly from: number
  readonly until: number
  readonly span: number
}

/** The holes of a stretch, oldest first. */
export const holesIn = (
  { at, length }: Pick<Columns, "at" | "length">,
  { from, span, until }: Stretch,
  fetched: FetchedDays
): ReadonlyArray<Hole> => {
  const holes: Array<Hole> = []
  let next = from
  for (let row = 0; row < length; row++) {
    const time = at[row] ?? 0
    if (time < next) continue
    if (time >= until) break
    if (time > next) holes.push(...split(next, time, fetched))
    next = time + span
  }
  if (next < until) holes.push(...split(next, until, fetched))
  return holes
}

/** The number of candles of `span` ms that are missing. */
export const missingIn = (holes: ReadonlyArray<Hole>, span: number): number =>
  holes.reduce((sum, { from, until }) => sum + Math.round((until - from) / span), 0)

/** A gap as holes that are either known or not. */
const split = (from: number, until: number, fetched: FetchedDays): ReadonlyArray<Hole> => {
  const holes: Array<Hole> = []
  for (let start = from; start < until; ) {
    const day = dayOf(start)
    const limit = fetched.get(day) ?? day
    const known = start < limit
    const end = Math.min(until, known ? Math.min(limit, day + DAY_MS) : day + DAY_MS)
    const last = holes.at(-1)
    if (last?.known === known) holes[holes.length - 1] = { ...last, until: end }
    else holes.push({ from: start, until: end, known })
    start = end
  }
  return holes
}
