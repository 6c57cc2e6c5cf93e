// The other runtimes: all that can run on Deno and in Chromium, and the few examples in a new project of each manager on
// every runtime.
import { join } from "node:path"
import { bun } from "../../../scripts/command.ts"
import { IN_BROWSER, inChromium } from "./chromium.ts"
import { fetched, found, ON_DENO } from "./deno.ts"
import { begin } from "./folder.ts"
import { command } from "./guide.ts"
import { print, step } from "./line.ts"
import type { Name } from "./managers.ts"
import { type By, FEW, runBy } from "./programs.ts"
import { compileFew, inNewProject, install, NEW, paste, ready } from "./projects.ts"
import { wordsOf } from "./shell.ts"

/** The heading of the line by which Yarn lays packages out as all others do. */
const MODULES = "Yarn and other runtimes"

/** All that can run there, in a project that is installed and compiled. */
export const everywhere = async (folder: string): Promise<void> => {
  const deno = await fetched(folder)
  if (deno !== undefined) await runAll(folder, ON_DENO, deno)
  await inChromium(folder, IN_BROWSER)
}

/** The few examples on the runtimes beside Node and Bun that this machine has. */
export const onThoseHere = async (folder: string): Promise<void> => {
  const deno = await found(folder)
  if (deno !== undefined) await runAll(folder, FEW, deno)
  await inChromium(folder, FEW)
}

/** The few examples in a new project on Node, Bun, Deno and in Chromium. */
export const onEachRuntime = async (name: Name, root: string, compiled: string): Promise<void> => {
  const tool = await ready(name, root)
  if (tool === undefined) return
  // What Yarn does by itself, only Node can read.
  if (name === "yarn") await inNewProject(name, root, compiled)
  const folder = join(root, name, "everywhere")
  begin(folder)
  if (name === "yarn") {
    const line = command(MODULES, name)
    const isSet = await step("set", name, async () => {
      const ran = await paste(folder, tool, line)
      return ran.code === 0 ? { text: line } : { failed: wordsOf(ran) }
    })
    if (!isSet) return
  }
  if (!(await install(folder, tool, command(NEW, name)))) return
  if (!(await step("compile", name, () => compileFew(folder)))) return
  await runAll(folder, FEW, { runtime: `${name} Node`, command: ["node"] })
  await runAll(folder, FEW, { runtime: `${name} Bun`, command: [bun()] })
  const deno = await fetched(folder)
  if (deno !== undefined) await runAll(folder, FEW, { ...deno, runtime: `${name} Deno` })
  await inChromium(folder, FEW, `${name} Chromium`)
}

const runAll = async (folder: string, names: ReadonlyArray<string>, by: By): Promise<void> => {
  for (const name of names) print(await runBy(folder, name, by))
}
