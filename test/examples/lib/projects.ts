// New projects: the guide's line of each package manager as it stands there, then a few of the examples.
import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { begin, compile, layFew } from "./folder.ts"
import { command } from "./guide.ts"
import { print, step } from "./line.ts"
import { type Manager, manager, type Name } from "./managers.ts"
import { FEW, runBy } from "./programs.ts"
import { installIn, isOffline, type Ran, wordsOf } from "./shell.ts"

/** Headings of the guide's page, with a line for each manager below. */
export const NEW = "In a new project"
export const REAL = "The real server"

/** Runs the commands of a page in a project, as a shell does for whoever pastes them. */
export const paste = async (folder: string, { environment }: Manager, line: string): Promise<Ran> => {
  const command = ["bash", "-ec", line]
  const ran = await installIn(folder, command, environment)
  if (ran.code === 0 || !INCOMPLETE.test(ran.out)) return ran
  hold(folder)
  return installIn(folder, command, environment)
}

/**
 * Yarn looks up the packages of all systems, also those it will not install, and some mirrors of the registry lack a few
 * of the newest of them: then an older version, which they have whole, is held in the project.
 */
const INCOMPLETE = /@msgpackr-extract\/\S+: No candidates found/
const WHOLE = { "msgpackr-extract": "3.0.4" }

const hold = (folder: string): void => {
  const file = join(folder, "package.json")
  const manifest: object = JSON.parse(readFileSync(file, "utf8"))
  writeFileSync(file, `${JSON.stringify({ ...manifest, resolutions: WHOLE }, null, 2)}\n`)
}

/** A manager that is ready, or a line that says why its cases are skipped. */
export const ready = async (name: Name, root: string): Promise<Manager | undefined> => {
  const found = await manager(name, root)
  if (!("missing" in found)) return found
  await step("fetch", name, async () => ({ skipped: found.missing }))
  return undefined
}

/** `compiled` holds the programs already: for a manager whose projects the compiler cannot read. */
export const inNewProject = async (name: Name, root: string, compiled: string): Promise<void> => {
  const tool = await ready(name, root)
  if (tool === undefined) return
  const folder = join(root, name, "new")
  begin(folder)
  if (await install(folder, tool, command(NEW, name))) await runFew(folder, tool, compiled)
  if (name === "bun") await realServer(join(root, name, "real"), tool)
}

/** The guide's line, as it stands there. */
export const install = (folder: string, tool: Manager, line: string): Promise<boolean> =>
  step("install", tool.name, async () => {
    const ran = await paste(folder, tool, line)
    if (isOffline(ran)) return { skipped: "no network" }
    return ran.code === 0 ? { text: `${tool.version}: ${line}` } : { failed: `${line}\n${wordsOf(ran)}` }
  })

/** The few examples in a project that is installed. */
export const runFew = async (folder: string, tool: Manager, compiled: string): Promise<void> => {
  const sources = tool.hasModules ? compileFew : copy(compiled)
  if (await step("compile", tool.name, () => sources(folder))) {
    for (const name of FEW) print(await runBy(folder, name, by(tool)))
  }
}

export const compileFew = async (folder: string) => {
  layFew(folder, FEW)
  return { failed: await compile(folder) }
}

const copy = (compiled: string) => async (folder: string) => {
  cpSync(join(compiled, "out"), join(folder, "out"), { recursive: true })
  return { text: "the programs as they were compiled before" }
}

const by = ({ environment, name, runs }: Manager) => ({ runtime: name, command: runs, more: environment })

const realServer = async (folder: string, tool: Manager): Promise<void> => {
  begin(folder)
  if (!(await install(folder, tool, command(REAL, tool.name)))) return
  layFew(folder, ["real-server"])
  if (await step("compile", tool.name, async () => ({ failed: await compile(folder) })))
    print(await runBy(folder, "real-server", by(tool)))
}
