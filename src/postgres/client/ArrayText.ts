// Arrays as parameters, in the text that Postgres reads. The driver would look at each element of each array by itself.

/** Whole numbers and numbers. */
export const numbers = (values: ReadonlyArray<number | null>): string => {
  let text = "{"
  for (const value of values) text += text.length > 1 ? `,${value ?? "NULL"}` : (value ?? "NULL")
  return `${text}}`
}

const QUOTED = /["\\]/
const EACH = /["\\]/g

/** Texts. */
export const texts = (values: ReadonlyArray<string | null>): string => {
  let text = "{"
  for (const value of values) {
    if (text.length > 1) text += ","
    if (value === null) text += "NULL"
    else text += `"${QUOTED.test(value) ? value.replace(EACH, "\\$&") : value}"`
  }
  return `${text}}`
}
