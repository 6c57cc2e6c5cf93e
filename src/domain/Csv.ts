/** One row of a table; `line` is the line that it begins in (from 1). */
export interface Row {
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

/**
 * The rows of a table, at most `limit` of them: cells may stand in quotes and hold anything there, a quote twice. A
 * byte order mark is passed over; what separates the cells is what stands in the first lines most often.
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

const SEPARATORS = [",", ";", "\t"] as const

/** Characters that the separator is told by. */
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
    const cell = text[at] === '"' ? readQuoted(text, at + 1) : { text: "", end: at }
    lines += cell.text.split("\n").length - 1
    let end = cell.end
    while (end < text.length && text[end] !== separator && text[end] !== "\n" && text[end] !== "\r") end++
    cells.push(cell.text + text.slice(cell.end, end))
    at = end + 1
    if (text[end] === separator) continue
    if (text[end] === "\r" && text[at] === "\n") at++
    return { cells, end: at, lines }
  }
}

/** What stands between quotes; to the end of the text where they are not closed. */
const readQuoted = (text: string, from: number) => {
  let cell = ""
  let at = from
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return { text: cell + text.slice(at), end: text.length }
    cell += text.slice(at, quote)
    if (text[quote + 1] !== '"') return { text: cell, end: quote + 1 }
    cell += '"'
    at = quote + 2
  }
}
