// The tests of `check`. A file that fails is run once more, alone, when all else has ended: on a machine that others use
// a wait may have been too short. What passes then counts as passed, and is told of loudly.
import type { Result } from "../command.ts"
import { AGAIN, MOST_LINES } from "./closing.ts"
import { type Failure, read } from "./failures.ts"

/** Where more files fail than these, no wait was too short: none is run again. */
const MOST_AGAIN = 12

/** Runs these files of tests; without any, all. */
export type Run = (files: ReadonlyArray<string>) => Promise<Result>

export interface Tested {
  readonly passed: number
  readonly skipped: number
  /** What failed for good, and what passed at last: in rows with what was said of each the first time. */
  readonly failed: ReadonlyArray<string>
  readonly second: ReadonlyArray<string>
}

export const test = async (run: Run, tell: (row: string) => void): Promise<Tested> => {
  const first = await run([])
  const [passed, failed, errors] = [count(first, "pass"), count(first, "fail"), count(first, "error")]
  const skipped = count(first, "skip") + count(first, "todo")
  const failures = first.code === 0 ? [] : read(first.errors)
  if (first.code === 0 && passed > 0) return { passed, skipped, failed: [], second: [] }
  // A run that broke off, or that has failed by something that was not read.
  if (failures.length === 0 || failures.length < Math.max(failed, errors)) {
    const what = row(`FAILED tests (exit ${first.code})`, linesOf(first.output).slice(-MOST_LINES))
    return { passed, skipped, failed: [...failures.map(failedRow), what], second: [] }
  }
  const mended = await again(failures, run, tell)
  const [second, lost] = [
    failures.filter(({ file }) => mended.has(file)),
    failures.filter(({ file }) => !mended.has(file))
  ]
  return {
    passed: passed + second.length,
    skipped,
    failed: lost.map(failedRow),
    second: second.map((failure) => rowOf(AGAIN, failure))
  }
}

/** The files that pass when they are run alone. */
const again = async (
  failures: ReadonlyArray<Failure>,
  run: Run,
  tell: (row: string) => void
): Promise<ReadonlySet<string>> => {
  const files = [...new Set(failures.map(({ file }) => file))]
  const passed = new Set<string>()
  if (files.length > MOST_AGAIN) return passed
  for (const failure of failures) tell(rowOf("failed at first", failure))
  for (const file of files) {
    const { code } = await run([file])
    if (code === 0) passed.add(file)
  }
  return passed
}

/** A row of the closing lines: what failed, and below it what was said of it. */
export const row = (title: string, text: ReadonlyArray<string>): string =>
  [title, ...text.slice(0, MOST_LINES - 1).map((line) => `    ${line}`)].join("\n")

const rowOf = (word: string, { file, text, title }: Failure) => row(`${word}: ${file}: ${title}`, text)
const failedRow = ({ file, text, title }: Failure) => row(`FAILED ${file}: ${title}`, text)

const linesOf = (text: string) => Bun.stripANSI(text).trimEnd().split("\n")

/** The last such count, because a test may print one too. */
const count = ({ output }: Result, word: string): number =>
  Number(
    linesOf(output)
      .flatMap((line) => new RegExp(`^ *(\\d+) ${word}s?$`).exec(line)?.[1] ?? [])
      .at(-1) ?? 0
  )
