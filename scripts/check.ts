// `check`: all that must hold before a commit. Every step runs, so that one failure does not hide another.
import { availableParallelism } from "node:os"
import { programs } from "../test/lib/postgres/Server.ts"
import { MOST_LINES } from "./check/closing.ts"
import * as Tests from "./check/tests.ts"
import { bun, capture, path, type Result, report, since } from "./command.ts"

interface Step {
  readonly name: string
  readonly command: ReadonlyArray<string>
  /** The summary of a successful run, or null if it checked nothing. */
  readonly verdict: (output: string) => string | null
}

/** The tools are JavaScript and run on our Bun, without Node. */
const tool = (name: string, ...args: ReadonlyArray<string>) => [
  bun(),
  path(`node_modules/.bin/${name}`),
  ...args
]
const biome = tool("biome", "check", "--config-path=scripts/lint.json", "--error-on-warnings")

/** A program that was built before. */
const built = process.env["TESTED_PROGRAM"]

const steps: ReadonlyArray<Step> = [
  {
    name: "lint",
    command: [...biome, "."],
    verdict: (output) => atLeastOne(output, /Checked (\d+) files?/, "files formatted and free of findings")
  },
  {
    name: "types",
    command: tool("tsc", "--noEmit", "--project", "tsconfig.json"),
    verdict: () => "sound"
  },
  {
    // The page has a configuration of its own, because it runs in a browser.
    name: "page",
    command: tool("tsc", "--noEmit", "--project", "scripts/tsconfig.page.json"),
    verdict: () => "sound"
  },
  {
    // Without the plugin in tsconfig.json the tool checks 0 files and succeeds: treat that as a failure.
    name: "effects",
    command: tool("effect-tsgo", "diagnostics", "--project", "tsconfig.json", "--strict", "--format=text"),
    verdict: (output) => atLeastOne(output, /Checked (\d+) files out of/, "files, no floating effect")
  },
  {
    name: "api",
    command: [bun(), path("scripts/api/index.ts"), "--check"],
    verdict: (output) =>
      atLeastOne(output, /^(\d+) exports of/m, "exports documented, as scripts/api.txt lists them")
  },
  {
    // Test the built commands: they start three times as fast as from sources.
    name: "build",
    command: built === undefined ? [bun(), path("scripts/run.ts"), "build"] : [built, "--version"],
    verdict: () => built ?? "dist/signalbox"
  }
]

/** The last line is `N passed, N failed`, which CI parses. What failed is said once more right above it. */
export const check = async (): Promise<number> => {
  const failed: Array<string> = []
  const judge = (step: Step, result: Result) => {
    const words = result.code === 0 ? step.verdict(result.output) : null
    if (words === null) {
      console.log(result.output.trimEnd())
      failed.push(Tests.row(`FAILED ${step.name}`, result.output.trimEnd().split("\n").slice(-MOST_LINES)))
    }
    report(
      step.name,
      words ?? (result.code === 0 ? "FAILED: it looked at nothing" : `FAILED (exit ${result.code})`),
      result.seconds
    )
  }
  // Two steps at a time: none uses two processors.
  const waiting = steps.map((step) => ({ step, ended: Promise.withResolvers<Result>() }))
  const queue = waiting.values()
  const work = async () => {
    for (const { ended, step } of queue) ended.resolve(await capture(step.command))
  }
  const workers = [work(), work()]
  for (const { ended, step } of waiting) judge(step, await ended.promise)
  await Promise.all(workers)
  const started = performance.now()
  const { passed, second, skipped, ...tested } = await Tests.test(run, console.log)
  failed.push(...tested.failed)
  const words = tested.failed.length === 0 ? `${passed} passed` : `FAILED: ${tested.failed.length}`
  report("tests", words, since(started))
  for (const row of [...second, ...failed, ...leftOut()]) console.log(row)
  console.log(`${passed} passed, ${failed.length} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`)
  return failed.length === 0 ? 0 : 1
}

/** The suites that need a server which this machine does not have. */
const leftOut = (): ReadonlyArray<string> => {
  if (programs() !== undefined) return []
  const suites = [...new Bun.Glob("test/postgres/*.test.ts").scanSync(path("."))].sort()
  return [
    `skipped without Postgres (apt-get install postgresql): ${suites.join(", ")}, and what is named "on Postgres" in test/flow`
  ]
}

/** Processes that run tests beside each other. More would make the times wrong that some tests measure. */
const PROCESSES = Math.min(availableParallelism(), 2)

/** Files are given as paths, or else each would be a part of a name. A few that failed run one after the other. */
const run: Tests.Run = (files) =>
  capture(
    [
      ...[bun(), "test", "--only-failures", "--timeout=60000"],
      ...(files.length === 0 ? [`--parallel=${PROCESSES}`, "--no-isolate"] : []),
      ...files.map((file) => `./${file}`)
    ],
    true,
    { TESTED_PROGRAM: built ?? path("dist/signalbox") }
  )

export const format = async (): Promise<number> => {
  const result = await capture([...biome, "--write", "."], true)
  return result.code
}

const atLeastOne = (output: string, pattern: RegExp, words: string): string | null => {
  const count = lastCount(output, pattern)
  return count > 0 ? `${count} ${words}` : null
}

/** The last match, because a file that is checked may be printed too. */
const lastCount = (output: string, { source }: RegExp) =>
  Number([...Bun.stripANSI(output).matchAll(new RegExp(source, "gm"))].at(-1)?.[1] ?? 0)
