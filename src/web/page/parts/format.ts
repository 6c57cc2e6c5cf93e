// The formats of the page: which numbers have how many places, and how times are told. The folder reader knows how the
// reader writes them, Value.tsx makes components of these.

import { MISSING, numbers, type Writable } from "./reader/number.ts"
import { OWN, times, UNIVERSAL } from "./reader/time.ts"

type Maybe = number | null | undefined

const isNumber = (value: Maybe): value is number => typeof value === "number" && Number.isFinite(value)

/** The decimal places of a currency. */
const CURRENCY_DIGITS: Readonly<Record<string, number>> = { BTC: 6, ETH: 5 }

/** An amount of money, `1,234.50 USDT`; with `sign` a gain gets a plus. */
export const money = (value: Writable, currency = "", sign = false): string => {
  const places = CURRENCY_DIGITS[currency] ?? 2
  const text = numbers.write(value, { least: places, most: places, plus: sign })
  return currency === "" || text === MISSING ? text : `${text} ${currency}`
}

/** A percentage, `2.10 %`; with `sign` a gain gets a plus. */
export const percent = (value: Writable, sign = false, digits = 2): string => {
  const text = numbers.write(value, { least: digits, most: digits, plus: sign })
  return text === MISSING ? text : `${text} %`
}

/** A ratio, `1.25`. */
export const ratio = (value: Writable): string => numbers.write(value, { least: 2, most: 2 })

/** A price, with more decimal places the smaller it is: 61,240.50 and 0.00001234. */
export const price = (value: Writable): string => {
  const size = Math.abs(Number(value))
  const most =
    !(size > 0) || size >= 100 ? 2 : size >= 1 ? 4 : Math.min(100, 4 - Math.floor(Math.log10(size)))
  return numbers.write(value, { least: 2, most })
}

/** An amount of a coin, with up to eight decimal places, and more where it has no others. */
export const amount = (value: Writable): string => {
  const size = Math.abs(Number(value))
  return numbers.write(value, { most: size > 0 && size < 1e-6 ? 100 : 8 })
}

/** A number with all its digits: `0.00000001`, `1,000,000`. */
export const exact = (value: Writable): string => numbers.write(value)

/** A count, `12,345`. */
export const count = (value: Writable): string => numbers.write(value, { most: 0 })

/** A count with its noun: `1 trade`, `12,345 trades`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`

/** The time of seconds since the epoch, in the reader's zone: `22 Nov 2026, 03:11:05`. */
export const time = (seconds: Maybe): string => (isNumber(seconds) ? times().time(seconds) : MISSING)

/** The reader's day: `22 Nov 2026`. */
export const day = (seconds: Maybe): string => (isNumber(seconds) ? times().day(seconds) : MISSING)

/** The time of day: `03:11:05`. */
export const clock = (seconds: Maybe): string => (isNumber(seconds) ? times().clock(seconds) : MISSING)

/** A UTC day given as `2026-11-22`, formatted like any other day but without conversion to the reader's zone. */
export const utcDay = (name: string): string => {
  const begins = UNIVERSAL.dayBegins(name)
  return begins === undefined ? name : UNIVERSAL.day(begins)
}

/** A moment in UTC as commands and files have it, `2026-11-22 03:11:05 UTC`. */
export const utc = (seconds: Maybe): string =>
  isNumber(seconds) ? `${new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ")} UTC` : MISSING

/** The same moment for a hint: in UTC, or in the reader's zone where all times are shown in UTC. */
export const elsewhere = (seconds: Maybe): string =>
  isNumber(seconds) && times() !== OWN ? `${OWN.time(seconds)} (${OWN.zone})` : utc(seconds)

/** Numbers; not digits within a name, time or pair. */
const FIGURE = /(?<![\w.:/#−-]|alert |order |signal |strategy )-?\d+(?:\.\d+)?(?![\w/-]|[:.]\d)/gi

/** Formats the numbers within a sentence: `17,674.65` and `−0.9 %`. */
export const figured = (sentence: string): string => sentence.replace(FIGURE, (text) => exact(text))

/** The distance from now: `just now`, `5 min ago`, `in 2 h`; beyond a week, the day. */
export const relative = (seconds: Maybe, nowMs: number): string => {
  if (!isNumber(seconds)) return MISSING
  const gap = nowMs / 1000 - seconds
  if (Math.abs(gap) < 10) return "just now"
  if (Math.abs(gap) > 7 * 86_400) return day(seconds)
  const text = duration(Math.abs(gap))
  return gap > 0 ? `${text} ago` : `in ${text}`
}

/** A duration in its one or two largest units: `45 s`, `5 min`, `2 h 10 min`, `3 d 4 h`. */
export const duration = (seconds: Maybe): string => {
  if (!isNumber(seconds)) return MISSING
  const whole = Math.max(0, Math.round(seconds))
  if (whole < 60) return `${count(whole)} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `${count(minutes)} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return joined(hours, "h", minutes % 60, "min")
  return joined(Math.floor(hours / 24), "d", hours % 24, "h")
}

const joined = (large: number, unit: string, small: number, lesser: string): string =>
  small === 0 ? `${count(large)} ${unit}` : `${count(large)} ${unit} ${count(small)} ${lesser}`

/** A size in bytes, `1.4 MB`. */
export const bytes = (value: Maybe): string => {
  if (!isNumber(value)) return MISSING
  if (value < 1000) return `${count(value)} B`
  const power = Math.min(4, Math.floor(Math.log10(value) / 3))
  return `${numbers.write(value / 1000 ** power, { most: 1 })} ${["B", "kB", "MB", "GB", "TB"][power] ?? ""}`
}

/** Snake case as words: `take_profit` is `Take profit`. */
export const words = (name: string): string => {
  const text = name.replaceAll("_", " ")
  return text.charAt(0).toUpperCase() + text.slice(1)
}
