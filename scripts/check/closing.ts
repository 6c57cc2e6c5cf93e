// `closing.ts FOLDER`: the last lines of CI. They name what failed, so that nobody has to look for it further up, and
// end with the count of all suites. FOLDER holds what `.ci/run` kept: `NAME.log` of each suite, and `ended`.
import { readFileSync } from "node:fs"
import { join } from "node:path"

/** A suite that has ended, with its exit code, and how many seconds it took where that was kept. */
export interface Ended {
  readonly name: string
  readonly code: number
  readonly seconds?: number
  readonly output: string
}

/** How many rows of a suite are shown, and how many lines of each, or of an output without such rows. */
const MOST_ROWS = 20
export const MOST_LINES = 16
/** How many lines all rows share, so that the last page of a log has each of them; a row has at least `LEAST_LINES`. */
const PAGE = 60
const LEAST_LINES = 3

/** How each suite begins the row of a failure. Indented lines below belong to it. */
const FAILURE = /^(?:FAILED |! |smoke +FAIL |FAIL |\s*\d+ {2}FAIL |.* MISSED )/
/** How `check` begins a file of tests that failed at first: to be seen after a success too. */
export const AGAIN = "passed only when tried again"
const COUNT = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/

interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** What failed, by suite, how long each took, and the count of all. */
export const closing = (suites: ReadonlyArray<Ended>): ReadonlyArray<string> => {
  const counts = suites.map(countsOf)
  const sum = (count: keyof Counts) => counts.reduce((before, { [count]: more }) => before + more, 0)
  const skipped = sum("skipped")
  const most = linesPerRow(suites)
  const timed = suites.flatMap(({ name, seconds }) => (seconds === undefined ? [] : [`${name} ${seconds} s`]))
  return [
    ...suites.flatMap((suite) => told(suite, most)),
    ...(timed.length > 0 ? [`took: ${timed.join(", ")}`] : []),
    `${sum("passed")} passed, ${sum("failed")} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`
  ]
}

/** The lines of each row, the more rows the fewer. */
const linesPerRow = (suites: ReadonlyArray<Ended>): number => {
  const rows = suites.flatMap(({ code, output }) =>
    linesOf(output).filter((line) => isAgain(line) || (code !== 0 && isFailure(line)))
  )
  return Math.min(MOST_LINES, Math.max(LEAST_LINES, Math.floor(PAGE / rows.length)))
}

const isAgain = (line: string) => line.startsWith(AGAIN)
const isFailure = (line: string) => FAILURE.test(line)

const told = ({ code, name, output }: Ended, most: number): ReadonlyArray<string> => {
  const lines = linesOf(output)
  const second = rowsOf(lines, most, isAgain)
  if (code === 0) return second.length === 0 ? [] : [`${name}:`, ...second.map(indented)]
  const rows = rowsOf(lines, most, isFailure)
  const shown = rows.length > 0 ? rows : lines.filter((line) => !COUNT.test(line)).slice(-MOST_LINES)
  return [`${name} FAILED (exit ${code}):`, ...[...second, ...shown].map(indented)]
}

/** The rows that begin so, each with the indented lines below it, together at most `most`. */
const rowsOf = (
  lines: ReadonlyArray<string>,
  most: number,
  begins: (line: string) => boolean
): ReadonlyArray<string> => {
  const starts = lines.flatMap((line, index) => (begins(line) ? [index] : []))
  const rows = starts.slice(0, MOST_ROWS).flatMap((start) => {
    const below = lines.slice(start + 1, start + most)
    const end = below.findIndex((line) => !line.startsWith("    ") || begins(line))
    return [lines[start] ?? "", ...(end < 0 ? below : below.slice(0, end))]
  })
  return starts.length > MOST_ROWS ? [...rows, `and ${starts.length - MOST_ROWS} more`] : rows
}

/** The last count that a suite printed. One that failed without a count has failed once. */
const countsOf = ({ code, output }: Ended): Counts => {
  const last = linesOf(output).findLast((line) => COUNT.test(line)) ?? ""
  const [, passed, failed, skipped] = (COUNT.exec(last) ?? []).map(Number)
  const atLeast = code === 0 ? 0 : 1
  return { passed: passed ?? 0, failed: Math.max(failed ?? 0, atLeast), skipped: skipped || 0 }
}

const linesOf = (output: string) => Bun.stripANSI(output).trimEnd().split("\n")
const indented = (line: string) => `  ${line}`

/** What `.ci/run` kept of its suites, in the sequence in which they ended. */
const kept = (folder: string): ReadonlyArray<Ended> => {
  const read = (name: string) => readFileSync(join(folder, name), "utf8")
  return linesOf(read("ended")).map((line) => {
    const [name = "", code, seconds] = line.split(" ")
    return { name, code: Number(code), seconds: Number(seconds), output: read(`${name}.log`) }
  })
}

if (import.meta.main) {
  const suites = kept(process.argv[2] ?? "")
  console.log(closing(suites).join("\n"))
  process.exit(suites.every(({ code }) => code === 0) ? 0 : 1)
}
