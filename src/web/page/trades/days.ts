// Days as a date field has them, `2026-11-23`, in the reader's own time.

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The first second of a local day; undefined where the text is no day. */
export const dayBegins = (day: string): number | undefined => secondsOf(day, 0)

/** The last second of a local day; undefined where the text is no day. */
export const dayEnds = (day: string): number | undefined => {
  const next = secondsOf(day, 1)
  return next === undefined ? undefined : next - 1
}

/** The local day of a time, as a date field has it. */
export const dayOf = (seconds: number): string => {
  const at = new Date(seconds * 1000)
  const digits = (value: number, length: number) => String(value).padStart(length, "0")
  return `${digits(at.getFullYear(), 4)}-${digits(at.getMonth() + 1, 2)}-${digits(at.getDate(), 2)}`
}

/** Local midnight so many days later: a day may have 23 or 25 hours. */
const secondsOf = (day: string, later: number): number | undefined => {
  if (!DAY.test(day)) return undefined
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number)
  const seconds = new Date(year, month - 1, date + later).getTime() / 1000
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}
