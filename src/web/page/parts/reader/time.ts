// Times in the reader's zone: their texts, and the days of date fields. The reader may have all of them in UTC. The page
// is in English, and so are the names of months; the digits are the reader's.
import { store } from "../../shared.ts"
import { numbers } from "./number.ts"

/** Texts of times in one zone. All take seconds since the epoch. */
export interface Times {
  readonly zone: string
  /** `22 Nov 2026, 03:11:05` */
  readonly time: (seconds: number) => string
  /** `22 Nov 2026, 03:11` */
  readonly minute: (seconds: number) => string
  /** `22 Nov 2026` */
  readonly day: (seconds: number) => string
  /** `03:11:05` */
  readonly clock: (seconds: number) => string
  /** A label of an axis at a year, month, day or time. */
  readonly label: (seconds: number, of: Label) => string
  /** The same clock and calendar as if they were of UTC, in seconds: what a calendar is counted from. */
  readonly shifted: (seconds: number) => number
  /** The day as a date field has it, `2026-11-22`. */
  readonly dayOf: (seconds: number) => string
  /** The first second of such a day; undefined where the text is no day. */
  readonly dayBegins: (day: string) => number | undefined
  /** The last second of such a day; undefined where the text is no day. */
  readonly dayEnds: (day: string) => number | undefined
}

/** What a label of an axis stands for. */
export type Label = keyof typeof LABELS

const LABELS = {
  year: { year: "numeric" },
  month: { month: "short" },
  day: { day: "numeric", month: "short" },
  time: { hour: "2-digit", minute: "2-digit" },
  second: { hour: "2-digit", minute: "2-digit", second: "2-digit" }
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

const DAY = 86_400
/** Offsets change at quarters of an hour only. */
const QUARTER = 900
/** The most offsets that are kept. */
const MAX_KEPT = 20_000

/** The times of a zone. */
export const timesIn = (zone: string, numberingSystem = "latn"): Times => {
  const form = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat("en-GB", { ...options, timeZone: zone, numberingSystem })
    return (seconds: number) => format.format(new Date(seconds * 1000)).replace(" at ", ", ")
  }
  const labels = {
    year: form(LABELS.year),
    month: form(LABELS.month),
    day: form(LABELS.day),
    time: form(LABELS.time),
    second: form(LABELS.second)
  }
  const shifted = shiftedIn(zone)
  const dayOf = (seconds: number) => utcDayOf(shifted(seconds))
  const beginning = (day: number) => firstOf(day * DAY, shifted)
  return {
    zone,
    time: form({ dateStyle: "medium", timeStyle: "medium" }),
    minute: form({ dateStyle: "medium", timeStyle: "short" }),
    day: form({ dateStyle: "medium" }),
    clock: form({ timeStyle: "medium" }),
    label: (seconds, of) => labels[of](seconds),
    shifted,
    dayOf,
    dayBegins: (text) => {
      const day = dayNumber(text)
      return day === undefined ? undefined : Math.max(0, beginning(day))
    },
    dayEnds: (text) => {
      const day = dayNumber(text)
      return day === undefined ? undefined : Math.max(0, beginning(day + 1) - 1)
    }
  }
}

/** A time's clock and calendar in a zone, in seconds as if they were of UTC. */
const shiftedIn = (zone: string) => {
  const clock = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    era: "short",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric"
  })
  const offsets = new Map<number, number>()
  return (seconds: number): number => {
    const quarter = Math.floor(seconds / QUARTER)
    let offset = offsets.get(quarter)
    if (offset === undefined) {
      const start = quarter * QUARTER
      const parts = new Map(clock.formatToParts(new Date(start * 1000)).map((it) => [it.type, it.value]))
      const of = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type))
      const here = Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second"))
      offset = here / 1000 - start
      if (offsets.size >= MAX_KEPT) offsets.clear()
      offsets.set(quarter, offset)
    }
    return seconds + offset
  }
}

/**
 * The first second at which the zone's clock and calendar have reached a time. A day that begins without a midnight,
 * because clocks were put forward then, begins with the first second after it.
 */
const firstOf = (there: number, shifted: (seconds: number) => number): number => {
  let low = there - 2 * DAY
  let high = there + 2 * DAY
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (shifted(middle) >= there) high = middle
    else low = middle + 1
  }
  return low
}

const utcDayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)

/** The days since the epoch of a text such as `2026-11-22`. */
const dayNumber = (text: string): number | undefined => {
  const seconds = Date.parse(`${text}T00:00:00Z`) / 1000
  const isDay = Number.isFinite(seconds) && seconds >= 0 && utcDayOf(seconds) === text
  return isDay ? seconds / DAY : undefined
}

const UTC = "UTC"
const KEY = "signalbox.times"

/** Times in the zone of the reader's browser. */
export const OWN = timesIn(new Intl.DateTimeFormat().resolvedOptions().timeZone ?? UTC, numbers.numbering)
/** Times in UTC. */
export const UNIVERSAL = timesIn(UTC, numbers.numbering)
/** Whether the reader's zone is another than UTC, so that there is a choice. */
export const HAS_CHOICE = OWN.zone !== UTC && OWN.zone !== "Etc/UTC"

const kept = (): boolean => {
  try {
    return localStorage.getItem(KEY) === UTC
  } catch {
    return false
  }
}

/** Whether all times are shown in UTC, by the reader's choice. It is kept in the browser. */
export const inUtc = store(kept())

/** Shows all times in UTC, or in the reader's zone. */
export const showUtc = (choice: boolean): void => {
  inUtc.set(choice)
  try {
    if (choice) localStorage.setItem(KEY, UTC)
    else localStorage.removeItem(KEY)
  } catch {
    // Local storage is not available: the choice lasts as long as the page.
  }
}

/** The times as the reader has them. */
export const times = (): Times => (HAS_CHOICE && inUtc.get() ? UNIVERSAL : OWN)
