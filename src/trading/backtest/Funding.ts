// Funding of perpetuals in a back-test: at each funding time the position held then pays or receives its rate, at the
// open of the first candle at or after that time, before anything else at that open.
import type { FundingRate } from "../../domain/fills/FundingRate.ts"

/** The funding rates of a market, by time, and the index of the next one. */
export interface FundingDue {
  readonly rates: ReadonlyArray<FundingRate>
  next: number
}

/** The rates of a market before the first candle. */
export const of = (rates: ReadonlyArray<FundingRate>): FundingDue => ({
  rates: rates.toSorted((one, other) => one.at - other.at),
  next: 0
})

/** Takes the rates that fall due up to a time (ms), that included. */
export const takeDue = (due: FundingDue, now: number): ReadonlyArray<FundingRate> => {
  const first = due.next
  while ((due.rates[due.next]?.at ?? Number.POSITIVE_INFINITY) <= now) due.next++
  return due.rates.slice(first, due.next)
}

const HOUR_MS = 3_600_000

/** The longest time between two fundings: where rates lie further apart, some are missing. */
export const LONGEST_MS = 8 * HOUR_MS

/** A stretch of time (ms) without recorded funding rates. */
export interface Hole {
  readonly from: number
  readonly to: number
}

/** The stretches between `from` and `to` (ms) for which rates are missing: longer than funding is ever apart. */
export const holesOf = (rates: ReadonlyArray<FundingRate>, { from, to }: Hole): ReadonlyArray<Hole> => {
  const times = rates.map(({ at }) => at).filter((at) => at > from && at < to)
  const ends = [from, ...times, to]
  return ends.flatMap((end, index) => {
    const before = ends[index - 1]
    // Funding times are told to the second at best, and some exchanges are late by seconds.
    return before !== undefined && end - before > LONGEST_MS * 1.01 ? [{ from: before, to: end }] : []
  })
}
