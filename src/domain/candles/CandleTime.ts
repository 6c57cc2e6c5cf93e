// The times in candle and alert files: real ones lie between 2009 and a year from now. The size of a number shows its
// unit, seconds to nanoseconds; dates are read by domain/internal/DateFormat.ts.
import { read as readDate } from "../internal/DateFormat.ts"

/**
 * The times that a file may have. Real ones lie from 2009, the year of the first bitcoin, to a year after `now` (ms).
 * Made-up ones are milliseconds of any size.
 */
export type FileTimes = { readonly _tag: "Real"; readonly now: number } | { readonly _tag: "MadeUp" }

/** Real times; `now` in ms since the epoch. */
export const real = (now: number): FileTimes => ({ _tag: "Real", now })

/** Made-up times: any is valid. */
export const MADE_UP: FileTimes = { _tag: "MadeUp" }

const DAY_MS = 86_400_000
const EARLIEST = Date.UTC(2009, 0, 1)

/** The first time (ms) that is too late for a file. */
export const endOf = (times: FileTimes): number =>
  times._tag === "Real" ? times.now + 366 * DAY_MS : Number.MAX_SAFE_INTEGER

/** The error of a time (ms) in a file; undefined if it is valid. */
export const errorOf = (at: number, times: FileTimes): string | undefined => {
  if (times._tag === "MadeUp" || (at >= EARLIEST && at < endOf(times))) return undefined
  return `its time is in the year ${yearOf(at)}, and not from 2009 to a year from now: say --any-time (any_time in a request) if times are made up`
}

/** The last millisecond of a Date. */
const LAST_DATE = 8.64e15

const yearOf = (at: number): number | string =>
  Math.abs(at) <= LAST_DATE ? new Date(at).getUTCFullYear() : "275760 or later"

/** How the times of a file are written: as numbers since 1970, or as dates. One unit per file. */
export type Unit = "seconds" | "milliseconds" | "microseconds" | "nanoseconds" | "dates"

/** The unit of a number, by its size: a time between 1973 and 5138 fits one unit only. */
export const unitOf = (value: number, times: FileTimes): Exclude<Unit, "dates"> => {
  if (times._tag === "MadeUp" || value < 1e8) return "milliseconds"
  if (value < 1e11) return "seconds"
  if (value < 1e14) return "milliseconds"
  return value < 1e17 ? "microseconds" : "nanoseconds"
}

/**
 * Converts a written number to ms: multiply by `factor`, divide by `per`. One of the two is 1, which keeps it exact.
 */
export interface Scale {
  readonly factor: number
  readonly per: number
}

/** The scale of each unit. */
export const SCALES: Readonly<Record<Unit, Scale>> = {
  seconds: { factor: 1_000, per: 1 },
  milliseconds: { factor: 1, per: 1 },
  microseconds: { factor: 1, per: 1_000 },
  nanoseconds: { factor: 1, per: 1_000_000 },
  dates: { factor: 1, per: 1 }
}

/** More than the error (ms) of a double that holds today in nanoseconds, or fractions of a second. */
const ROUNDING_MS = 0.001

/** The millisecond of a number in a unit; undefined if it lies between two. */
export const millisOf = (value: number, unit: Unit): number | undefined => {
  const { factor, per } = SCALES[unit]
  const exact = (value * factor) / per
  const whole = Math.round(exact)
  const tolerance = unit === "seconds" || unit === "nanoseconds" ? ROUNDING_MS : 0
  return whole >= 0 && Number.isSafeInteger(whole) && Math.abs(exact - whole) <= tolerance ? whole : undefined
}

/** The millisecond of an ISO 8601 date, UTC without a zone; NaN if it is no date. */
export const dateOf = (text: string): number => readDate(text) ?? Number.NaN
