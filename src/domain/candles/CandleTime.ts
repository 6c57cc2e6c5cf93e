import { read as readDate } from "../tradeList/TradeListTime.ts"

/**
 * Which times a file may bear. Real ones lie from 2009 on, when there was the first bitcoin, to a year after `now` (ms).
 * Made-up ones are milliseconds of any size.
 */
export type FileTimes = { readonly _tag: "Real"; readonly now: number } | { readonly _tag: "MadeUp" }

/** Times that have to be real, `now` in ms since the epoch. */
export const real = (now: number): FileTimes => ({ _tag: "Real", now })

/** Times that somebody made up: whatever they are, they are right. */
export const MADE_UP: FileTimes = { _tag: "MadeUp" }

const DAY_MS = 86_400_000
const EARLIEST = Date.UTC(2009, 0, 1)

/** The first time (ms) that is too late for a file. */
export const endOf = (times: FileTimes): number =>
  times._tag === "Real" ? times.now + 366 * DAY_MS : Number.MAX_SAFE_INTEGER

/** What is wrong with a time (ms) in a file; nothing where it may stand there. */
export const errorOf = (at: number, times: FileTimes): string | undefined => {
  if (times._tag === "MadeUp" || (at >= EARLIEST && at < endOf(times))) return undefined
  return `its time is in the year ${yearOf(at)}, and not from 2009 to a year from now: say --any-time (any_time in a request) if times are made up`
}

/** The last day that a date can tell. */
const LAST_DATE = 8.64e15

const yearOf = (at: number): number | string =>
  Math.abs(at) <= LAST_DATE ? new Date(at).getUTCFullYear() : "275760 or later"

/** How the times of a file are written: as numbers since 1970, or as dates. One unit to a file. */
export type Unit = "seconds" | "milliseconds" | "microseconds" | "nanoseconds" | "dates"

/** The unit of a number, told by its size: any of these times lies between 1973 and 5138 in one of them alone. */
export const unitOf = (value: number, times: FileTimes): Exclude<Unit, "dates"> => {
  if (times._tag === "MadeUp" || value < 1e8) return "milliseconds"
  if (value < 1e11) return "seconds"
  if (value < 1e14) return "milliseconds"
  return value < 1e17 ? "microseconds" : "nanoseconds"
}

/** What makes a written number milliseconds: it is multiplied, then divided, and one of the two is 1 to stay exact. */
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

/** More than a double is off by that holds today in nanoseconds, or a fraction of a second (ms). */
const ROUNDING_MS = 0.001

/** The millisecond of a number in a unit; none where it lies between two of them. */
export const millisOf = (value: number, unit: Unit): number | undefined => {
  const { factor, per } = SCALES[unit]
  const exact = (value * factor) / per
  const whole = Math.round(exact)
  const tolerance = unit === "seconds" || unit === "nanoseconds" ? ROUNDING_MS : 0
  return whole >= 0 && Number.isSafeInteger(whole) && Math.abs(exact - whole) <= tolerance ? whole : undefined
}

/** The millisecond of a date as ISO 8601 writes it, UTC where it names no zone; not a number where it is none. */
export const dateOf = (text: string): number => readDate(text) ?? Number.NaN
