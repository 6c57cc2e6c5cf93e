// `examples`: the library as its users get it. The packed tarball is installed in a folder of its own, the programs of
// this folder are compiled against its declarations, and each runs on Node and on Bun. Ends with `N passed, M failed`.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { root, since } from "../../scripts/command.ts"
import * as Manifest from "../../scripts/package/manifest.ts"
import { pack } from "../../scripts/package.ts"
import { compile, install, lay } from "./lib/folder.ts"
import { EXAMPLES, run } from "./lib/programs.ts"
import { sizes } from "./lib/sizes.ts"

/** What one line of the table says. */
export interface Line {
  readonly name: string
  readonly runtime: string
  readonly milliseconds: number | undefined
  readonly text: string
  readonly isGood: boolean
}

const args = process.argv.slice(2)
const lines: Array<Line> = []

const print = (line: Line) => {
  lines.push(line)
  const { isGood, milliseconds, name, runtime, text } = line
  const time = milliseconds === undefined ? "" : `${Math.round(milliseconds)} ms`
  console.log(`${isGood ? " " : "!"} ${name.padEnd(18)} ${runtime.padEnd(8)} ${time.padStart(8)}  ${text}`)
}

const step = async (name: string, work: () => Promise<string | undefined>): Promise<boolean> => {
  const started = performance.now()
  const flaw = await work()
  const milliseconds = performance.now() - started
  print({ name, runtime: "", milliseconds, text: flaw ?? "done", isGood: flaw === undefined })
  return flaw === undefined
}

const started = performance.now()
const folder = mkdtempSync(join(tmpdir(), "signalbox-examples-"))
try {
  const isReady =
    (await step("package", async () => ((await pack(args)) === 0 ? undefined : "see above"))) &&
    (await step("install", () => install(folder, join(root, Manifest.tarball())))) &&
    (await step("compile", async () => {
      await lay(folder)
      return compile(folder)
    }))
  if (isReady) {
    for (const example of EXAMPLES) {
      for (const runtime of example.runtimes) print(await run(folder, example, runtime))
    }
    for (const line of await sizes(folder)) print(line)
  }
} finally {
  if (args.includes("--keep")) console.log(`kept: ${folder}`)
  else rmSync(folder, { recursive: true, force: true })
}

const passed = lines.filter(({ isGood }) => isGood).length
console.log(`examples ${since(started)}`)
console.log(`${passed} passed, ${lines.length - passed} failed`)
process.exit(passed === lines.length ? 0 : 1)
