// V. Levenshtein's edit distance between two words, for suggestions of known names.

/** The fewest letters to insert, delete or replace, computed row by row; its work is the product of both lengths. */
export const between = (left: string, right: string): number => {
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
