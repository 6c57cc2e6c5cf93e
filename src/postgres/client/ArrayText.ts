// Arrays as parameters, in the text that Postgres reads. The driver would look at each element of each array by itself.
import { withoutNul } from "./Connection.ts"

/** Numbers and texts, without NUL. */
export const values = (all: ReadonlyArray<string | number | null>): string => {
  let text = "{"
  for (const value of all) {
    if (text.length > 1) text += ","
    text += value === null ? "NULL" : typeof value === "string" ? quoted(value) : value
  }
  return `${text}}`
}

/** Whole numbers and numbers. */
export const numbers: (all: ReadonlyArray<number | null>) => string = values

/** Texts, without NUL. */
export const texts: (all: ReadonlyArray<string | null>) => string = values

/**
 * The values without the NULLs at their end, such as the targets that most alerts do not have: `unnest` fills each array up
 * with NULLs to the longest. At least one array beside it must be whole.
 */
export const shortened = <A>(all: ReadonlyArray<A | null>): ReadonlyArray<A | null> =>
  all.slice(0, 1 + all.findLastIndex((value) => value !== null))

/** Characters that JSON escapes and an array of Postgres does not, NUL among them, which Postgres stores in no text. */
const UNLIKE_JSON = /[\u0000-\u001f\ud800-\udfff]/
const EACH = /["\\]/g

/** `JSON.stringify` quotes several times as fast as a regular expression, and an alert's body is full of quotes. */
const quoted = (value: string): string =>
  UNLIKE_JSON.test(value) ? `"${withoutNul(value).replace(EACH, "\\$&")}"` : JSON.stringify(value)
