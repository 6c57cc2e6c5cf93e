// The fields of a form or JSON body. A name repeated with different values becomes a list, which no field accepts, so
// contradictions are refused rather than resolved.
import * as Either from "effect/Either"

/** The fields of a request: texts of a form, or the values of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>

/** Whether a value is an object with fields: neither null nor an array. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The most fields of a form. No alert and no record has as many, and each costs more than its letters. */
export const MAX_FIELDS = 1_000

const BROKEN = "the form holds percent signs that do not make UTF-8 text"
const TOO_MANY = `the form holds more than ${MAX_FIELDS} fields`

/** Parses a URL-encoded form; on the left, what the sender must change. Never throws. */
export const read = (text: string): Either.Either<Fields, string> => {
  if (holdsMore(text)) return Either.left(TOO_MANY)
  const fields = collect(new URLSearchParams(text))
  const broken = text.includes("%") && Object.values(fields).some((value) => String(value).includes("\uFFFD"))
  return broken && !/\uFFFD|%EF%BF%BD/i.test(text) ? Either.left(BROKEN) : Either.right(fields)
}

const holdsMore = (text: string): boolean => {
  let count = 0
  for (let at = text.indexOf("&"); at >= 0; at = text.indexOf("&", at + 1))
    if (++count >= MAX_FIELDS) return true
  return false
}

/** Collects form entries as fields. A name repeated with another value becomes a list. */
export const collect = (entries: Iterable<readonly [string, unknown]>): Fields => {
  const fields: Record<string, unknown> = Object.create(null)
  // Lists grow in place; copying them with each entry would take quadratic time.
  const lists = new Map<string, Array<unknown>>()
  for (const [name, value] of entries) {
    const list = lists.get(name)
    if (list !== undefined) list.push(value)
    else if (!(name in fields)) fields[name] = value
    else if (fields[name] !== value) {
      const values = [fields[name], value]
      lists.set(name, values)
      fields[name] = values
    }
  }
  return fields
}
