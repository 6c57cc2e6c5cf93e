// Suggests known names for a misspelled one: names that contain it first, then by Levenshtein distance.
import * as EditDistance from "../../domain/internal/EditDistance.ts"

const SHOWN = 3
const LOOKED_AT = 60

/** The names most like a word, best first. */
export const nearest = (word: string, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const sought = word.slice(0, LOOKED_AT).toLowerCase()
  const holds = (name: string) => sought.length > 2 && name.includes(sought)
  return names
    .map((name) => ({ name, far: holds(name) ? 0 : 1, edits: EditDistance.between(sought, name) }))
    .sort((left, right) => left.far - right.far || left.edits - right.edits)
    .slice(0, SHOWN)
    .map(({ name }) => name)
}
