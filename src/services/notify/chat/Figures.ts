// Numbers, times and names as a chat shows them: short, plain, and without anything that could begin a line of its own.

/** An amount with at most eight significant digits. */
export const amount = (value: number): string => String(Number(value.toPrecision(8)))

/** A result with its sign. */
export const signed = (value: number): string => `${value > 0 ? "+" : ""}${amount(value)}`

/** A percentage with its sign and two decimals. */
export const percent = (value: number): string => `${value > 0 ? "+" : ""}${Number(value.toFixed(2))} %`

/** A time (ms) as `11-23 17:04 UTC`. */
export const moment = (at: number): string =>
  `${new Date(at).toISOString().slice(5, 16).replace("T", " ")} UTC`

/** The longest name that is shown, in UTF-16 units. */
const MAX_NAME = 60

/** A name or text from outside in one line. */
export const plain = (text: string, most = MAX_NAME): string => {
  const line = text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, " ")
  return line.length <= most ? line : `${line.slice(0, most).replace(/[\ud800-\udbff]$/, "")}...`
}

/** `1 strategy`, `2 strategies`. */
export const count = (number: number, one: string, many: string): string =>
  `${number} ${number === 1 ? one : many}`
