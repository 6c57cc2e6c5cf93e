// The separators within a typed number: which they are, and whether they group its digits as people do.

/** How a reader writes digits, the decimal point, and groups of digits. */
interface Marks {
  readonly digits: ReadonlyArray<string>
  readonly point: string
  readonly group: string
}

/** Marks of writing direction, which come along with what is copied from a page. */
const UNSEEN = /[\u061c\u200e\u200f]/g
/** Signs that only ever group digits: spaces, apostrophes, and the Arabic separator. */
const GROUPING = /(?<=\d)[\s'\u2019\u066c](?=\d)/g

/** A typed number in ASCII: digits, `.` and `,` as typed, and `_` for separators that can only group. */
export const plainOf = (typed: string, { digits, point }: Marks): string => {
  const latin = [...typed.trim().replace(UNSEEN, "")].map((sign) => {
    const digit = digits.indexOf(sign)
    if (digit >= 0) return String(digit)
    if (sign === "\u2212") return "-"
    // The sign that stands for a group below is none that people type.
    if (sign === "_") return "?"
    return sign === point && sign !== "," ? "." : sign
  })
  return latin.join("").replace(GROUPING, "_")
}

/** The separators of a plain number in their sequence. */
export const separatorsOf = (plain: string): ReadonlyArray<string> =>
  [...plain].filter((sign) => sign === "." || sign === "," || sign === "_")

/** Whether the whole part of a number has one kind of separator, before each three digits, or as in `12,34,567`. */
export const isWellGrouped = (whole: string): boolean => {
  const separators = separatorsOf(whole)
  const [first, ...others] = separators
  if (first === undefined) return true
  if (others.some((it) => it !== first)) return false
  const [head = "", ...groups] = whole.replace(/^[+-]/, "").split(first)
  const lengths = groups.map((it) => it.length)
  const isInThrees = lengths.every((it) => it === 3)
  const isInTwos =
    head.length < 3 && lengths.every((it, place) => it === (place === lengths.length - 1 ? 3 : 2))
  return /^[1-9]\d{0,2}$/.test(head) && (isInThrees || isInTwos)
}
