// The date formats that files of candles, alerts and trades may use, and the one that texts show. Only unambiguous ones
// are read: `01/02/2024` may be January or February and is refused.

/** A day as year, month, day, or day first if separated by points; then a time of day, then a zone. */
const DAY = /^(?:(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})|(\d{1,2})\.(\d{1,2})\.(\d{4}))/
const CLOCK = /^(?:T|,? +)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)? ?(am|pm)?/i
const ZONE = /^ ?(?:(Z|UTC|GMT)|([+-])(\d{2}):?(\d{2})?)$/i

/**
 * The time (ms since the epoch) of a date such as `2024-01-31 13:00` or ISO 8601, with or without a time, seconds and a
 * zone; UTC without a zone. Undefined for other notations and impossible days.
 */
export const read = (text: string): number | undefined => {
  if (/^\d{10}$/.test(text)) return Number(text) * 1000
  if (/^\d{13}$/.test(text)) return Number(text)
  const day = DAY.exec(text)
  if (day === null) return undefined
  const [whole, year = day[6], month = day[5], date = day[4]] = day
  const rest = text.slice(whole.length)
  const clock = rest === "" ? null : CLOCK.exec(rest)
  if (rest !== "" && clock === null) return undefined
  const zone = rest.slice(clock?.[0].length ?? 0)
  const offset = zone === "" ? 0 : offsetOf(zone)
  const time = clock === null ? 0 : timeOf(clock)
  const midnight = midnightOf(Number(year), Number(month), Number(date))
  return offset === undefined || time === undefined || midnight === undefined
    ? undefined
    : midnight + time - offset
}

const MINUTE = 60_000
const HOUR = 3_600_000

const midnightOf = (year: number, month: number, date: number): number | undefined => {
  const at = Date.UTC(year, month - 1, date)
  const found = new Date(at)
  // Date.UTC rolls an impossible day over into the next month.
  return at >= 0 && found.getUTCMonth() === month - 1 && found.getUTCDate() === date ? at : undefined
}

const timeOf = ([, hours = "", minutes = "", seconds = "0", fraction = "0", half]: RegExpExecArray):
  | number
  | undefined => {
  const hour = Number(hours)
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined
  const ofDay = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === "pm" ? 12 : 0)
  if (ofDay > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  return (
    ofDay * HOUR +
    Number(minutes) * MINUTE +
    Number(seconds) * 1000 +
    Number(fraction.slice(0, 3).padEnd(3, "0"))
  )
}

const offsetOf = (text: string): number | undefined => {
  const zone = ZONE.exec(text)
  if (zone === null) return undefined
  const [, name, sign, hours = "0", minutes = "0"] = zone
  if (name !== undefined) return 0
  return (sign === "-" ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * MINUTE)
}

/** The last time that a date can have (ms). */
const LAST = 8_640_000_000_000_000

/** A time (ms) to the second, as texts show it: `2026-11-23 13:05:00 UTC`. */
export const utcText = (at: number): string =>
  `${new Date(Math.min(LAST, Math.max(0, at))).toISOString().slice(0, -5).replace("T", " ")} UTC`
