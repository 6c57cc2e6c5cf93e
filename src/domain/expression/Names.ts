// The names that an expression may use, and what a misspelt one was meant to be.
import * as EditDistance from "../internal/EditDistance.ts"
import { FUNCTION_NAMES } from "./Functions.ts"
import { PRICES } from "./Prices.ts"

/** The words of the language. */
export const KEYWORDS = ["and", "or", "not", "true", "false", "ta", "math"] as const

/** Names that no parameter may have. */
export const RESERVED: ReadonlySet<string> = new Set([...KEYWORDS, ...FUNCTION_NAMES, ...Object.keys(PRICES)])

/** All names that have a meaning, with those of the parameters. */
export const known = (params: Iterable<string>): ReadonlyArray<string> => [
  ...Object.keys(PRICES),
  ...FUNCTION_NAMES,
  ...params
]

const MOST_LETTERS = 40
/** Letters that may differ between a misspelt name and the one that was meant. */
const MOST_DIFFERENT = 2

/** What is expected in place of an unknown name. */
export const EXPECTED_NAME = "expected a price, a parameter or a function"

/** What to say of an unknown name besides that. */
export const unknownName = (name: string, names: ReadonlyArray<string>): string => {
  const shown = name.length > MOST_LETTERS ? `${name.slice(0, MOST_LETTERS)}...` : name
  const meant = name.length > MOST_LETTERS ? undefined : nearest(name, names)
  const hint = meant === undefined ? "" : `; did you mean ${meant}?`
  return `; there is no ${shown}${hint}`
}

const nearest = (name: string, names: ReadonlyArray<string>): string | undefined => {
  const distances = names.map((it) => [EditDistance.between(name.toLowerCase(), it), it] as const)
  const [best] = distances.sort(([one], [other]) => one - other)
  if (best === undefined || best[0] > Math.min(MOST_DIFFERENT, name.length - 1)) return undefined
  return best[1]
}
