// Numbers as the reader's languages write them, and numbers from form fields. Decimals are written from their text, so
// that none is rounded on its way. A typed text that two readers could read differently is refused, because one of them
// would trade on the wrong number.
import { isWellGrouped, plainOf, separatorsOf } from "./separators.ts"

/** A number, or the text of a decimal, which keeps all its digits. */
export type Writable = number | string | null | undefined

/** The text in place of a number that is missing. */
export const MISSING = "–"

/** More places than any decimal has; Intl takes no more. */
const ALL_PLACES = 100
/** Longer texts are no figures. */
const MAX_TEXT = 400
const DIGITS = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"] as const

/** How many decimal places are written, and whether a gain gets a plus. */
export interface Form {
  readonly least?: number
  readonly most?: number
  readonly plus?: boolean
}

/** Numbers of one reader. */
export interface Numbers {
  /** The number by the reader's rules, with all its places unless the form says less. */
  readonly write: (value: Writable, form?: Form) => string
  /** The number that somebody typed: undefined for an empty text, NaN for one that is invalid or ambiguous. */
  readonly read: (typed: string) => number | undefined
  /** What to write in place of an ambiguous text, as the end of a sentence; empty for any other. */
  readonly hint: (typed: string) => string
  /** What stands before the decimal places. */
  readonly point: string
  /** The reader's digits, as Intl calls them: `latn`, `arab`. */
  readonly numbering: string
}

/** The numbers of a reader of these languages, the first that Intl knows; English without one. */
export const numbersFor = (languages: ReadonlyArray<string>): Numbers => {
  const known = [...languages.filter(isLanguage), "en"]
  const formatOf = formatsOf(known)
  const whole = formatOf(0, 0)
  const digits = DIGITS.map((digit) => whole.format(Number(digit)))
  const parts = formatOf(1, 1).formatToParts(1_234_567.5)
  const textOf = (type: "decimal" | "group") => parts.find((it) => it.type === type)?.value ?? ""
  const marks = { digits, point: textOf("decimal") || ".", group: textOf("group") }
  const write = (value: Writable, form: Form = {}): string => {
    const size = sizeOf(value)
    if (size === undefined) return typeof value === "string" && value !== "" ? value : MISSING
    const { least = placesOf(value), most = ALL_PLACES, plus = false } = form
    const format = formatOf(Math.min(least, most), most)
    const text = format.format(size)
    // A value that rounds to zero has no sign.
    if (text === format.format(0)) return text
    // The minus sign U+2212 is as wide as a plus, so figures line up.
    return `${String(value).startsWith("-") ? "−" : plus ? "+" : ""}${text}`
  }
  return {
    write,
    read: (typed) => {
      const plain = plainOf(typed, marks)
      if (plain === "") return undefined
      return isAmbiguous(plain, marks.group) ? Number.NaN : numberFrom(plain)
    },
    hint: (typed) => {
      const plain = plainOf(typed, marks)
      if (!isAmbiguous(plain, marks.group)) return ""
      return `; ${typed.trim()} could be ${plain.replace(/[.,]/, "")} or ${Number(plain.replace(",", "."))}: write the one that you mean`
    },
    point: marks.point,
    numbering: whole.resolvedOptions().numberingSystem
  }
}

/** Browsers of some systems name languages that Intl refuses, such as `en-US@posix`. */
const isLanguage = (name: string): boolean => {
  try {
    return Intl.NumberFormat.supportedLocalesOf(name).length > 0
  } catch {
    return false
  }
}

const formatsOf = (languages: ReadonlyArray<string>) => {
  const made = new Map<string, Intl.NumberFormat>()
  return (least: number, most: number): Intl.NumberFormat => {
    const key = `${least} ${most}`
    const found = made.get(key)
    if (found !== undefined) return found
    const format = new Intl.NumberFormat([...languages], {
      minimumFractionDigits: least,
      maximumFractionDigits: most
    })
    made.set(key, format)
    return format
  }
}

/** The size of a number without its sign, in the text that Intl reads exactly; undefined where it is no decimal. */
const sizeOf = (value: Writable): `${number}` | undefined => {
  if (typeof value === "number") return Number.isFinite(value) ? `${Math.abs(value)}` : undefined
  if (value === null || value === undefined || value.length > MAX_TEXT) return undefined
  const size = value.startsWith("-") ? value.slice(1) : value
  return isDecimal(size) ? size : undefined
}

/** Texts with leading zeros are names, not numbers. */
const isDecimal = (text: string): text is `${number}` =>
  /^(0|[1-9]\d*)(\.\d+)?$/.test(text) && placesOf(text) <= ALL_PLACES

/** The places of a text, all of which are written; a number has none of its own. */
const placesOf = (value: Writable): number =>
  typeof value === "string" ? (value.split(".")[1]?.length ?? 0) : 0

/**
 * Whether a text means two numbers: `10,000` is ten thousand to some and ten to others, and `10.000` is ten thousand
 * where the dot groups digits. A text with other last digits, such as `10.125`, has a decimal point, as fields say.
 */
const isAmbiguous = (plain: string, group: string): boolean =>
  /^[+-]?[1-9]\d{0,2},\d{3}$/.test(plain) || (group === "." && /^[+-]?[1-9]\d{0,2}\.\d\d0$/.test(plain))

/** The number of a text whose separators can mean only one. */
const numberFrom = (plain: string): number => {
  const found = separatorsOf(plain)
  const last = found.at(-1)
  if (last === undefined) return plainNumber(plain)
  const hasPlaces = last !== "_" && found.indexOf(last) === found.length - 1
  const end = hasPlaces ? plain.lastIndexOf(last) : plain.length
  const whole = plain.slice(0, end)
  if (!isWellGrouped(whole)) return Number.NaN
  return plainNumber(`${whole.replace(/[.,_]/g, "")}.${plain.slice(end + 1)}`)
}

const plainNumber = (text: string): number =>
  /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : Number.NaN

/** The reader's numbers, by the languages of the browser. */
export const numbers: Numbers = numbersFor(globalThis.navigator?.languages ?? [])

/** The number that the reader typed: undefined for an empty text, NaN for one that is invalid or ambiguous. */
export const numberOf = numbers.read

/** What to write in place of an ambiguous number, as the end of a sentence. */
export const ambiguityHint = numbers.hint
