// Compares two values and says where they first differ, for error messages of contract cases.
import * as Equal from "effect/Equal"

/** Matches any object with at least these fields; may stand anywhere in an expected value. */
export class ObjectContaining {
  readonly fields: object

  constructor(fields: object) {
    this.fields = fields
  }
}

/** The first difference: `at [2].name: expected "a", found "b"`. Undefined if there is none. */
export const difference = (
  actual: unknown,
  expected: unknown,
  isWhole = true,
  at = ""
): string | undefined => {
  if (expected instanceof ObjectContaining) return difference(actual, expected.fields, false, at)
  if (Object.is(actual, expected)) return undefined
  if (!isObject(actual) || !isObject(expected)) return describe(actual, expected, at)
  if (Equal.isEqual(actual) && Equal.isEqual(expected) && Equal.equals(actual, expected)) return undefined
  if (kindOf(actual, isWhole) !== kindOf(expected, isWhole)) return describe(actual, expected, at)
  if (actual instanceof Map && expected instanceof Map)
    return difference([...actual], [...expected], isWhole, `${at}.entries`)
  if (actual instanceof Set && expected instanceof Set)
    return difference([...actual], [...expected], isWhole, `${at}.values`)
  if (actual instanceof Date && expected instanceof Date)
    return difference(actual.getTime(), expected.getTime(), isWhole, at)
  if (Array.isArray(actual) && Array.isArray(expected) && actual.length !== expected.length)
    return describe(actual, expected, at)
  return fieldsOf(actual, expected, isWhole, at)
}

const fieldsOf = (actual: object, expected: object, isWhole: boolean, at: string): string | undefined => {
  const keys = new Set([...Object.keys(expected), ...(isWhole ? Object.keys(actual) : [])])
  for (const key of keys) {
    const place = Array.isArray(expected) ? `${at}[${key}]` : `${at}.${key}`
    const found = difference(Reflect.get(actual, key), Reflect.get(expected, key), isWhole, place)
    if (found !== undefined) return found
  }
  return undefined
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** The kinds that two objects must share: Some and None have the same fields. */
const kindOf = (value: object, isWhole: boolean): string =>
  isWhole
    ? `${Object.prototype.toString.call(value)} ${Reflect.get(value, "_tag")}`
    : Array.isArray(value)
      ? "list"
      : "object"

const describe = (actual: unknown, expected: unknown, at: string): string =>
  `${at === "" ? "" : `at ${at.replace(/^\./, "")}: `}expected ${shown(expected)}, found ${shown(actual)}`

const MOST_SHOWN = 2000

/** A value as text, as JSON if possible. */
export const shown = (value: unknown): string => {
  if (value instanceof Map) return `Map ${shown([...value])}`
  if (value instanceof Set) return `Set ${shown([...value])}`
  const text = JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? `${inner}n` : inner), 2)
  const whole = text ?? String(value)
  return whole.length > MOST_SHOWN ? `${whole.slice(0, MOST_SHOWN)}...` : whole
}
