// Reads CSV tables with a guessed separator and quoted cells. Rows, cells and quoted text are bounded, so that a table
// never takes many times the memory of its text.

/** One row; `line` is the line in which it begins (from 1). */
export interface Row {
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

/**
 * The rows of a table, at most `limit` of them. The separator is the most frequent one in the first lines; a byte order
 * mark is skipped. At most `MAX_CELLS` cells of a row and about `MAX_QUOTED` characters of a quoted cell are read.
 */
export const rows = (text: string, limit = Number.POSITIVE_INFINITY): ReadonlyArray<Row> => {
  const separator = separatorOf(text)
  const found: Array<Row> = []
  let at = text.startsWith("\ufeff") ? 1 : 0
  let line = 1
  while (at < text.length && found.length < limit) {
    const row = readRow(text, at, separator)
    if (row.cells.length > 1 || row.cells[0] !== "") found.push({ line, cells: row.cells })
    line += row.lines
    at = row.end
  }
  return found
}

/** The most cells of a row, and about the most characters of a quoted cell. */
const MAX_CELLS = 256
const MAX_QUOTED = 10_000

const SEPARATORS = [",", ";", "\t"] as const

/** The number of characters in which separators are counted. */
const LOOKED_AT = 2_000

const separatorOf = (text: string): string => {
  const start = text.slice(0, LOOKED_AT).replaceAll(/"[^"]*"/g, "")
  const counted = SEPARATORS.map((separator) => ({ separator, count: start.split(separator).length }))
  return counted.reduce((best, one) => (one.count > best.count ? one : best)).separator
}

const readRow = (text: string, from: number, separator: string) => {
  const cells: Array<string> = []
  let at = from
  let lines = 1
  for (;;) {
    const cell = text[at] === '"' ? readQuoted(text, at + 1) : { text: "", lines: 0, end: at }
    lines += cell.lines
    let end = cell.end
    while (end < text.length && text[end] !== separator && text[end] !== "\n" && text[end] !== "\r") end++
    if (cells.length < MAX_CELLS) cells.push(cell.text + text.slice(cell.end, end))
    at = end + 1
    if (text[end] === separator) continue
    if (text[end] === "\r" && text[at] === "\n") at++
    return { cells, end: at, lines }
  }
}

/** The text between quotes and its line ends; up to the end of the file if the quotes are not closed. */
const readQuoted = (text: string, from: number) => {
  const pieces: Array<string> = []
  let length = 0
  let at = from
  const take = (to: number): void => {
    if (length < MAX_QUOTED) pieces.push(text.slice(at, Math.min(to, at + MAX_QUOTED)))
    length += to - at
  }
  const quotedTo = (end: number) => ({ text: pieces.join(""), lines: lineEnds(text, from, end), end })
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote < 0) {
      take(text.length)
      return quotedTo(text.length)
    }
    const isEnd = text[quote + 1] !== '"'
    take(isEnd ? quote : quote + 1)
    if (isEnd) return quotedTo(quote + 1)
    at = quote + 2
  }
}

/** Looks at the stretch alone: a search for the next line end would go on beyond it, from each cell to the text's end. */
const lineEnds = (text: string, from: number, to: number): number => {
  let count = 0
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === NEWLINE) count++
  return count
}

const NEWLINE = 10
