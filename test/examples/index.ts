// `examples`: the library as its users get it. The packed tarball is installed in folders of its own, the programs of
// this folder are compiled against its declarations, and run. Ends with `N passed, M failed`; with
// `--table` the times and sizes come before it as Markdown.
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { path, since } from "../../scripts/command.ts"
import * as Manifest from "../../scripts/package/manifest.ts"
import { LINES } from "../../scripts/package/peers.ts"
import { pack } from "../../scripts/package.ts"
import { everywhere, onEachRuntime, onThoseHere } from "./lib/everywhere.ts"
import { inExistingProjects } from "./lib/existing.ts"
import { close, print, printed, step } from "./lib/line.ts"
import { NAMES } from "./lib/managers.ts"
import * as Matrix from "./lib/matrix.ts"
import { inNewProject } from "./lib/projects.ts"
import { sizes } from "./lib/sizes.ts"
import { table } from "./lib/table.ts"

const args = process.argv.slice(2)
/** The managers that are named, or all. */
const managers = NAMES.filter((name) => args.includes(name) || !NAMES.some((other) => args.includes(other)))
const [oldest = {}] = LINES
const newest = LINES.at(-1) ?? {}

/** What CI runs: all on the newest line, a part on the oldest, and the guide's lines in new projects. */
const usual = async (root: string) => {
  const main = Matrix.below(root, newest)
  if (!(await Matrix.whole(main, newest))) return
  for (const line of await sizes(main)) print(line)
  await onThoseHere(main)
  await Matrix.part(Matrix.below(root, oldest), oldest)
  for (const name of managers) await inNewProject(name, root, main)
}

/** All examples on every line of Effect 3 that the package takes. */
const matrix = async (root: string) => {
  for (const line of LINES) await Matrix.whole(Matrix.below(root, line), line)
}

/** The guide's lines in projects that have Effect already. */
const existing = async (root: string) => {
  const main = Matrix.below(root, newest)
  if (!(await Matrix.part(main, newest))) return
  for (const name of managers) await inExistingProjects(name, root, main)
}

/** Every example on every runtime that can run it, and a part in a project of each manager on each of them. */
const runtimes = async (root: string) => {
  const main = Matrix.below(root, newest)
  if (!(await Matrix.whole(main, newest))) return
  for (const line of await sizes(main)) print(line)
  await everywhere(main)
  for (const name of managers) await onEachRuntime(name, root, main)
}

/** What is downloaded. */
const weight = () => `tarball, ${(statSync(path(Manifest.tarball())).size / 1024).toFixed(0)} KB`

const suite = args.includes("--matrix")
  ? matrix
  : args.includes("--existing")
    ? existing
    : args.includes("--everywhere")
      ? runtimes
      : usual

const started = performance.now()
const root = mkdtempSync(join(tmpdir(), "signalbox-examples-"))
try {
  const packed = await step("package", "", async () =>
    (await pack(args)) === 0 ? { text: weight() } : { failed: "see above" }
  )
  if (packed) await suite(root)
} finally {
  if (args.includes("--keep")) console.log(`kept: ${root}`)
  else rmSync(root, { recursive: true, force: true })
}
if (args.includes("--table")) console.log(`\n${table(printed())}\n`)
console.log(`examples ${since(started)}`)
process.exit(close())
