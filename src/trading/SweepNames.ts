const SHOWN = 3

/** The names most like a word, best first: by the fewest letters to add, drop or change (V. Levenshtein). */
export const nearest = (word: string, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names
    .map((name) => ({ name, edits: distance(word.slice(0, 60).toLowerCase(), name) }))
    .sort((left, right) => left.edits - right.edits)
    .slice(0, SHOWN)
    .map(({ name }) => name)

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
