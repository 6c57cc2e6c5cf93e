// Suggests known names for a misspelled one: names that contain it first, then by Levenshtein distance.

const SHOWN = 3
const LOOKED_AT = 60

/** The names most like a word, best first. */
export const nearest = (word: string, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const sought = word.slice(0, LOOKED_AT).toLowerCase()
  const holds = (name: string) => sought.length > 2 && name.includes(sought)
  return names
    .map((name) => ({ name, far: holds(name) ? 0 : 1, edits: distance(sought, name) }))
    .sort((left, right) => left.far - right.far || left.edits - right.edits)
    .slice(0, SHOWN)
    .map(({ name }) => name)
}

/** V. Levenshtein's edit distance, computed row by row. */
const distance = (left: string, right: string): number => {
  let above = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 0; row < left.length; row++) {
    const line = [row + 1]
    for (let column = 0; column < right.length; column++) {
      const change = (above[column] ?? 0) + (left[row] === right[column] ? 0 : 1)
      line.push(Math.min(change, (above[column + 1] ?? 0) + 1, (line[column] ?? 0) + 1))
    }
    above = line
  }
  return above.at(-1) ?? 0
}
