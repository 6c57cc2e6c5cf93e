// Arrays as parameters, in the text that Postgres reads. The driver would look at each element of each array by itself.

/** Whole numbers and numbers. */
export const numbers = (values: ReadonlyArray<number | null>): string => {
  let text = "{"
  for (const value of values) text += text.length > 1 ? `,${value ?? "NULL"}` : (value ?? "NULL")
  return `${text}}`
}

/** What JSON writes otherwise than Postgres reads it, and NUL, which Postgres stores in no text. */
const UNLIKE_JSON = /[\u0000-\u001f\ud800-\udfff]/
const EACH = /["\\]/g
/** What stands for NUL, as in parameters that are no arrays. */
const NO_NUL = "\uFFFD"

/** Texts. */
export const texts = (values: ReadonlyArray<string | null>): string => {
  let text = "{"
  for (const value of values) {
    if (text.length > 1) text += ","
    text += value === null ? "NULL" : quoted(value)
  }
  return `${text}}`
}

/** The engine's own JSON is several times as fast as a replacement, of which a body of an alert needs many. */
const quoted = (value: string): string =>
  UNLIKE_JSON.test(value)
    ? `"${value.replace(EACH, "\\$&").replaceAll("\0", NO_NUL)}"`
    : JSON.stringify(value)
