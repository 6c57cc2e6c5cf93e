// Reads a page of funding rates as an exchange sent it: in any order, some of them twice, unsound, or outside of the range.
import type { FundingRate } from "./FundingRate.ts"

/** The largest rate that can be one, as a fraction: exchanges cap theirs far below. */
const MAX_RATE = 1

/** Times from `from` on and before `until` (ms). */
interface Range {
  readonly from: number
  readonly until: number
}

/** A rate as ccxt has it. */
interface Row {
  readonly timestamp?: unknown
  readonly fundingRate?: unknown
}

const isRow = (value: unknown): value is Row => typeof value === "object" && value !== null

/** Whether a rate is one: finite, and at most 100 % either way. */
export const isRate = (rate: number): boolean => Math.abs(rate) <= MAX_RATE

/**
 * The rates of a page within a range, sorted, each time once. Undefined if the answer is no list, or if none of its rows
 * can be read.
 */
export const ratesIn = (page: unknown, range: Range): ReadonlyArray<FundingRate> | undefined => {
  if (!Array.isArray(page)) return undefined
  const rows = page.flatMap((row) => (isRow(row) ? rateOf(row) : []))
  if (rows.length === 0 && page.length > 0) return undefined
  return merged(
    [],
    rows.filter(({ at }) => at >= range.from && at < range.until)
  )
}

const rateOf = ({ fundingRate, timestamp }: Row): ReadonlyArray<FundingRate> => {
  const [at, rate] = [numberOf(timestamp), numberOf(fundingRate)]
  return Number.isSafeInteger(at) && at > 0 && isRate(rate) ? [{ at, rate }] : []
}

/** A number, which may be a text. */
const numberOf = (value: unknown): number => {
  if (typeof value === "number") return value
  return typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN
}

/** Both by time, each time once; of two rates of one time that of `newer`. */
export const merged = (
  older: ReadonlyArray<FundingRate>,
  newer: ReadonlyArray<FundingRate>
): ReadonlyArray<FundingRate> =>
  [...new Map([...older, ...newer].map((one) => [one.at, one])).values()].sort(
    (one, other) => one.at - other.at
  )
