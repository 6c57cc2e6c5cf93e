// Arrays as parameters, in the text that Postgres reads. The driver would look at each element of each array by itself.
import { withoutNul } from "./Connection.ts"

/** Whole numbers and numbers. */
export const numbers = (values: ReadonlyArray<number | null>): string => {
  let text = "{"
  for (const value of values) text += text.length > 1 ? `,${value ?? "NULL"}` : (value ?? "NULL")
  return `${text}}`
}

/** Characters that JSON escapes and an array of Postgres does not, NUL among them, which Postgres stores in no text. */
const UNLIKE_JSON = /[\u0000-\u001f\ud800-\udfff]/
const EACH = /["\\]/g

/** Texts, without NUL. */
export const texts = (values: ReadonlyArray<string | null>): string => {
  let text = "{"
  for (const value of values) {
    if (text.length > 1) text += ","
    text += value === null ? "NULL" : quoted(value)
  }
  return `${text}}`
}

/** `JSON.stringify` quotes several times as fast as a regular expression, and an alert's body is full of quotes. */
const quoted = (value: string): string =>
  UNLIKE_JSON.test(value) ? `"${withoutNul(value).replace(EACH, "\\$&")}"` : JSON.stringify(value)
