// Days as a date field has them, `2026-11-23`, in the reader's own time.

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The first second of a local day; undefined where the text is no day. */
export const dayBegins = (day: string): number | undefined => secondsOf(day, 0)

/** The last second of a local day; undefined where the text is no day. */
export const dayEnds = (day: string): number | undefined => {
  const next = secondsOf(day, 1)
  return next === undefined ? undefined : next - 1
}

/** Local midnight so many days later: a day may have 23 or 25 hours. */
const secondsOf = (day: string, later: number): number | undefined => {
  if (!DAY.test(day)) return undefined
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number)
  const seconds = new Date(year, month - 1, date + later).getTime() / 1000
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}
