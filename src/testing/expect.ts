// The expectations of contract cases. A failure is an error that every test runner shows.
import { difference, ObjectContaining, shown } from "./Difference.ts"

/** Thrown where something is not as it has to be: an error like any other to every test runner. */
export class Unexpected extends Error {
  override readonly name = "Unexpected"
}

const demand = (holds: boolean, text: () => string): void => {
  if (!holds) throw new Unexpected(text())
}

const isWithin = (part: unknown, whole: unknown): boolean =>
  typeof whole === "string"
    ? whole.includes(String(part))
    : Array.isArray(whole) && whole.some((one) => Object.is(one, part))

/**
 * The matchers of the contract suites: the few that they need, under the names that test runners give
 * them, but of no runner. `toEqual` compares by content, a field that is undefined being as good as none.
 */
export const expect = <A>(actual: A) => ({
  toBe: (expected: A) =>
    demand(Object.is(actual, expected), () => `expected ${shown(expected)}, found ${shown(actual)}`),
  toBeUndefined: () => demand(actual === undefined, () => `expected nothing, found ${shown(actual)}`),
  toEqual: (expected: unknown) => {
    const found = difference(actual, expected)
    demand(found === undefined, () => `${found}`)
  },
  toMatchObject: (expected: object) => {
    const found = difference(actual, expected, false)
    demand(found === undefined, () => `${found}`)
  },
  toBeGreaterThan: (limit: number) =>
    demand(Number(actual) > limit, () => `expected more than ${limit}, found ${shown(actual)}`),
  toBeLessThanOrEqual: (limit: number) =>
    demand(Number(actual) <= limit, () => `expected at most ${limit}, found ${shown(actual)}`),
  toMatch: (pattern: RegExp) =>
    demand(pattern.test(String(actual)), () => `expected ${pattern}, found ${shown(actual)}`),
  toContain: (part: unknown) =>
    demand(isWithin(part, actual), () => `expected ${shown(part)} within ${shown(actual)}`),
  not: {
    toBe: (other: A) => demand(!Object.is(actual, other), () => `expected anything but ${shown(other)}`),
    toContain: (part: unknown) =>
      demand(!isWithin(part, actual), () => `expected no ${shown(part)} within ${shown(actual)}`)
  }
})

expect.objectContaining = (fields: object): ObjectContaining => new ObjectContaining(fields)
