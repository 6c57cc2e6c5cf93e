// Reads which tests failed from what `bun test` prints to standard error, because its JUnit report lacks what fails
// outside of tests, such as a file that cannot be loaded.

/** A test that failed, or that a file of tests ended early. */
export interface Failure {
  readonly file: string
  readonly title: string
  /** What was said of it, a line each. */
  readonly text: ReadonlyArray<string>
}

const FILE = /^(?:::group::)?(\S+\.test\.tsx?):$/
/** What GitHub makes notes of, which says nothing more. */
const NOTE = /^::(?:error|endgroup)/
const ENDED = /^\((pass|fail|skip|todo)\) (.*?)(?: \[[\d.]+m?s\])?$/
const OUTSIDE = "# Unhandled error between tests"
/** How the end of a process is printed in which tests ran beside others. */
const CRASHED = /^✗ (\S+\.test\.tsx?) \((worker crashed.*)\)$/
const RULE = /^-{10,}$/
/** What is said of a test below its title: that it took too long. */
const REMARK = /^ {2}\^ /
const SOURCE = /^ *\d+ \| /
/** All failures are listed once more at the end. */
const LISTED = /^\d+ tests? (?:failed|skipped|todo):$/

/** The failures in the sequence of the report. */
export const read = (report: string): ReadonlyArray<Failure> => {
  const found: Array<{ file: string; title: string; text: Array<string> }> = []
  let file = ""
  let text: Array<string> = []
  let isOutside = false
  for (const line of Bun.stripANSI(report).split("\n")) {
    if (LISTED.test(line)) break
    const [, ended, title = ""] = ENDED.exec(line) ?? []
    const last = found.at(-1)
    const [, crashed, reason = ""] = CRASHED.exec(line) ?? []
    if (crashed !== undefined) found.push({ file: crashed, title: "outside of its tests", text: [reason] })
    else if (FILE.test(line)) file = FILE.exec(line)?.[1] ?? ""
    else if (line === OUTSIDE) isOutside = true
    else if (isOutside && RULE.test(line)) {
      // A rule is above the error, and one below it.
      if (text.length === 0) continue
      found.push({ file, title: "an error outside of its tests", text })
      isOutside = false
    } else if (ended === "fail") found.push({ file, title, text })
    else if (last !== undefined && REMARK.test(line)) last.text.push(line.trim())
    else if (ended === undefined) {
      // Of the source that is shown the last line is the one at fault.
      if (SOURCE.test(line) && SOURCE.test(text.at(-1) ?? "")) text.pop()
      if (line.trim() !== "" && !NOTE.test(line)) text.push(line)
      continue
    }
    text = []
  }
  return found
}
