// `reference`: the reference for embedders as static pages, dist/reference/index.html. TypeDoc wants a compiler older
// than ours: both are in a lock of their own, and are installed here the first time.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { type Door, doors } from "../api/doors.ts"
import { declarationsOf, emit } from "../api/emit.ts"
import { filesOf } from "../api/modules.ts"
import { bun, capture, path, report } from "../command.ts"
import { plain } from "./plain.ts"
import { pageOfPorts } from "./ports.ts"

const HERE = "scripts/reference"
const WORK = "dist/reference.work"
const OUT = "dist/reference"

export const reference = async (): Promise<number> => {
  const missing = await install()
  if (missing !== 0) return missing
  const all = doors()
  // From the declarations: there every type has the name that was given to it, however it was come by.
  const errors = await emit(all, [])
  if (errors !== "") {
    console.log(errors)
    return 1
  }
  for (const file of filesOf(all)) {
    const name = path(declarationsOf(file))
    writeFileSync(name, plain(readFileSync(name, "utf8")))
  }
  rmSync(path(WORK), { recursive: true, force: true })
  rmSync(path(OUT), { recursive: true, force: true })
  mkdirSync(path(WORK), { recursive: true })
  const write = (name: string, text: string) => writeFileSync(path(`${WORK}/${name}`), text)
  write("doors.json", JSON.stringify(all.map(({ file, name }) => [titleOf(file), name])))
  write("tsconfig.json", JSON.stringify(settingsOf(all)))
  write("ports.md", pageOfPorts(all))
  write("changes.md", `---\ntitle: Changes\n---\n\n${readFileSync(path("scripts/CHANGELOG.md"), "utf8")}`)
  write("typedoc.json", JSON.stringify(optionsOf(all)))
  const typedoc = path(`${HERE}/node_modules/typedoc/bin/typedoc`)
  const made = await capture([bun(), typedoc, "--options", path(`${WORK}/typedoc.json`)])
  const warnings = made.output.match(/^\[(?:warning|error)\].*(?:\n(?!\[).*)*/gm) ?? []
  for (const warning of warnings) console.log(warning)
  const failed = made.code !== 0 || warnings.length > 0 || !existsSync(path(`${OUT}/index.html`))
  if (failed && warnings.length === 0) console.log(made.output.trimEnd())
  const words = failed ? `FAILED (exit ${made.code})` : `${all.length} modules in ${OUT}/index.html`
  report("reference", words, made.seconds)
  rmSync(path(WORK), { recursive: true, force: true })
  return failed ? 1 : 0
}

/** Only the first time: later runs ask nobody. */
const install = async (): Promise<number> => {
  if (existsSync(path(`${HERE}/node_modules/typedoc/package.json`))) return 0
  const made = await capture([
    ...[bun(), "install", "--cwd", path(HERE)],
    ...["--frozen-lockfile", "--ignore-scripts", "--no-progress"]
  ])
  if (made.code !== 0) console.log(made.output.trimEnd())
  return made.code
}

/** What TypeDoc calls a module by itself. */
const titleOf = (file: string) => file.replace(/^src\/|\.ts$/g, "")

const settingsOf = (all: ReadonlyArray<Door>) => ({
  extends: "../../tsconfig.json",
  compilerOptions: { plugins: [], rootDir: "../..", typeRoots: ["../../node_modules"] },
  files: all.map(({ file }) => `../../${declarationsOf(file)}`),
  include: [],
  exclude: []
})

const optionsOf = (all: ReadonlyArray<Door>) => ({
  ...JSON.parse(readFileSync(path(`${HERE}/typedoc.json`), "utf8")),
  plugin: [path(`${HERE}/plugin.mjs`)],
  tsconfig: path(`${WORK}/tsconfig.json`),
  basePath: path(declarationsOf("src")),
  entryPoints: all.map(({ file }) => path(declarationsOf(file))),
  readme: path(`${HERE}/front.md`),
  projectDocuments: [path(`${WORK}/ports.md`), path(`${WORK}/changes.md`)],
  out: path(OUT)
})
