// One line of the table that `examples` prints, and the count of them.

export interface Line {
  readonly name: string
  /** Where it ran: a runtime, a package manager, or nothing. */
  readonly runtime: string
  readonly milliseconds: number | undefined
  readonly text: string
  readonly outcome: "passed" | "failed" | "skipped"
}

const MARKS = { passed: " ", failed: "!", skipped: "-" } as const

const lines: Array<Line> = []

export const print = (line: Line): void => {
  lines.push(line)
  const { milliseconds, name, outcome, runtime, text } = line
  const time = milliseconds === undefined ? "" : `${Math.round(milliseconds)} ms`
  console.log(
    `${MARKS[outcome]} ${name.padEnd(18)} ${runtime.padEnd(13)} ${time.padStart(8)}  ${text.replaceAll("\n", "\n    ")}`
  )
}

/** What a piece of work found: nothing wrong, what is wrong, or why it could not be done here. */
export interface Finding {
  readonly text?: string | undefined
  readonly failed?: string | undefined
  readonly skipped?: string | undefined
}

/** Does a piece of work, prints its line, and tells whether it passed. */
export const step = async (name: string, runtime: string, work: () => Promise<Finding>): Promise<boolean> => {
  const started = performance.now()
  const { failed, skipped, text = "done" } = await work()
  const milliseconds = performance.now() - started
  const outcome = failed !== undefined ? "failed" : skipped !== undefined ? "skipped" : "passed"
  print({ name, runtime, milliseconds, text: failed ?? skipped ?? text, outcome })
  return outcome === "passed"
}

/** What was printed so far. */
export const printed = (): ReadonlyArray<Line> => lines

/** The closing line that CI reads, and the exit code. */
export const close = (): number => {
  const count = (outcome: Line["outcome"]) => lines.filter((line) => line.outcome === outcome).length
  const skipped = count("skipped")
  console.log(
    `${count("passed")} passed, ${count("failed")} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`
  )
  return count("failed") === 0 ? 0 : 1
}
