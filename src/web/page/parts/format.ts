// Formats numbers and times as text. Value.tsx makes components of them.

const MISSING = "–"
type Maybe = number | null | undefined

const formats = new Map<string, Intl.NumberFormat>()
const formatOf = (least: number, most: number): Intl.NumberFormat => {
  const key = `${least} ${most}`
  const found = formats.get(key)
  if (found !== undefined) return found
  const made = new Intl.NumberFormat("en", { minimumFractionDigits: least, maximumFractionDigits: most })
  formats.set(key, made)
  return made
}

/** The minus sign U+2212 is as wide as a plus, so figures line up. */
const minus = (text: string): string => text.replace("-", "−")
const isNumber = (value: Maybe): value is number => typeof value === "number" && Number.isFinite(value)
/** A value that rounds to zero has no sign. */
const signOf = (text: string): string => (/[1-9]/.test(text) && !text.startsWith("−") ? "+" : "")
const unsignedZero = (text: string): string => (/[1-9]/.test(text) ? text : text.replace("−", ""))

/** The decimal places of a currency. */
const CURRENCY_DIGITS: Readonly<Record<string, number>> = { BTC: 6, ETH: 5 }

/** An amount of money, `1,234.50 USDT`; with `sign` a gain gets a plus. */
export const money = (value: Maybe, currency = "", sign = false): string => {
  if (!isNumber(value)) return MISSING
  const digits = CURRENCY_DIGITS[currency] ?? 2
  const text = unsignedZero(minus(formatOf(digits, digits).format(value)))
  return `${sign ? signOf(text) : ""}${text}${currency === "" ? "" : ` ${currency}`}`
}

/** A percentage, `2.10 %`; with `sign` a gain gets a plus. */
export const percent = (value: Maybe, sign = false, digits = 2): string => {
  if (!isNumber(value)) return MISSING
  const text = unsignedZero(minus(formatOf(digits, digits).format(value)))
  return `${sign ? signOf(text) : ""}${text} %`
}

/** A price, with more decimal places the smaller it is: 61,240.50 and 0.00001234. */
export const price = (value: Maybe): string => {
  if (!isNumber(value)) return MISSING
  const size = Math.abs(value)
  const digits =
    size === 0 || size >= 100 ? 2 : size >= 1 ? 4 : Math.min(12, 4 - Math.floor(Math.log10(size)))
  return minus(formatOf(Math.min(2, digits), digits).format(value))
}

/** An amount of a coin, with up to eight decimal places. */
export const amount = (value: Maybe): string =>
  isNumber(value) ? minus(formatOf(0, 8).format(value)) : MISSING

/** A count, `12,345`. */
export const count = (value: Maybe): string =>
  isNumber(value) ? minus(formatOf(0, 0).format(value)) : MISSING

/** A count with its noun: `1 trade`, `12,345 trades`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`

/** The local time of seconds since the epoch: `22 Nov 2026, 03:11:05`. */
export const time = (seconds: Maybe): string =>
  isNumber(seconds) ? local.format(new Date(seconds * 1000)).replace(" at ", ", ") : MISSING

/** The local day: `22 Nov 2026`. */
export const day = (seconds: Maybe): string =>
  isNumber(seconds) ? days.format(new Date(seconds * 1000)) : MISSING

/** A UTC day given as `2026-11-22`, formatted like any other day but without conversion to local time. */
export const utcDay = (name: string): string => {
  const at = new Date(`${name}T00:00:00Z`)
  return Number.isNaN(at.getTime()) ? name : utcDays.format(at)
}

/** A moment in UTC, `2026-11-22 03:11:05 UTC`. */
export const utc = (seconds: Maybe): string =>
  isNumber(seconds) ? `${new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ")} UTC` : MISSING

const local = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" })
const days = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" })
const utcDays = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" })

/** Whole numbers of four digits and more, and negative numbers; not digits within a name, time or pair. */
const FIGURE = /(?<![\w.:/#−-]|alert |order |signal |strategy )(-?)(\d+)((?:\.\d+)?)(?![\w:/-]|\.\d)/gi

/** Formats the numbers within a sentence: `17,674.65` and `−0.9 %`. */
export const figured = (sentence: string): string =>
  sentence.replace(
    FIGURE,
    (_, sign: string, whole: string, rest: string) =>
      `${sign === "" ? "" : "−"}${whole.replace(/\B(?=(?:\d{3})+$)/g, ",")}${rest}`
  )

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
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return joined(hours, "h", minutes % 60, "min")
  return joined(Math.floor(hours / 24), "d", hours % 24, "h")
}

const joined = (large: number, unit: string, small: number, lesser: string): string =>
  small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${lesser}`

/** A size in bytes, `1.4 MB`. */
export const bytes = (value: Maybe): string => {
  if (!isNumber(value)) return MISSING
  if (value < 1000) return `${value} B`
  const power = Math.min(4, Math.floor(Math.log10(value) / 3))
  return `${formatOf(0, 1).format(value / 1000 ** power)} ${["B", "kB", "MB", "GB", "TB"][power] ?? ""}`
}

/** Snake case as words: `take_profit` is `Take profit`. */
export const words = (name: string): string => {
  const text = name.replaceAll("_", " ")
  return text.charAt(0).toUpperCase() + text.slice(1)
}
