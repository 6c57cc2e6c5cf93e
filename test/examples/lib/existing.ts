// Projects that have Effect already: what fits is kept and works, what does not fit is refused, or a program stops at
// its start, and beside Effect 4 the library works in a folder of its own.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { compatible, LINES } from "../../../scripts/package/peers.ts"
import { begin, place } from "./folder.ts"
import { command, commands } from "./guide.ts"
import { type Finding, step } from "./line.ts"
import type { Manager, Name } from "./managers.ts"
import { NEW, paste, ready, runFew } from "./projects.ts"
import { isOffline, runIn, wordsOf } from "./shell.ts"

/** Headings of the guide's page. */
export const KEPT = "In a project that has Effect 3"
export const BESIDE = "In a project that has Effect 4"

/** Older than any that the package takes, and a version of the next major. */
const TOO_OLD = ["effect@3.17.14", "@effect/platform@0.90.10"]
const EFFECT_4 = ["effect@4.1.0"]

/** How runtimes say that Effect 4 lacks a module. Which one they look for first, nobody decides. */
const LACKS = /(?:Cannot find module|Not found:).*\beffect\/\S+/

/** What a project of Effect 4 does of its own, and goes on doing. */
const OWN = `import { Effect } from "effect"\nconsole.log(await Effect.runPromise(Effect.succeed("mine runs")))\n`

export const inExistingProjects = async (name: Name, root: string, compiled: string): Promise<void> => {
  const tool = await ready(name, root)
  if (tool === undefined) return
  const at = (project: string) => join(root, name, project)
  if (await keeps(at("kept"), tool)) await runFew(at("kept"), tool, compiled)
  if (await completes(at("alone"), tool)) await runFew(at("alone"), tool, compiled)
  const old = { packages: TOO_OLD, says: /signalbox takes effect \^3\.20\.0, and found 3\.17/ }
  if ((await stops(at("old"), tool, old, compiled)) && (await updates(at("old"), tool)))
    await runFew(at("old"), tool, compiled)
  await stops(at("four"), tool, { packages: EFFECT_4, says: LACKS }, compiled)
  if (await standsBeside(at("beside"), tool)) await runFew(join(at("beside"), "trading"), tool, compiled)
  if (await replaces(at("replaced"), tool)) await runFew(at("replaced"), tool, compiled)
}

/** A project with these packages, installed by its manager without their scripts. */
const project = async (folder: string, tool: Manager, packages: ReadonlyArray<string>): Promise<Finding> => {
  begin(folder)
  const words = { npm: "install", bun: "add", pnpm: "add --ignore-scripts", yarn: "add" }[tool.name]
  const ran = await paste(folder, tool, `${tool.name} ${words} ${packages.join(" ")}`)
  if (isOffline(ran)) return { skipped: "no network" }
  return ran.code === 0 ? {} : { failed: wordsOf(ran) }
}

/** Does the work in such a project, unless that cannot be made. */
const inProject = (
  what: string,
  tool: Manager,
  packages: ReadonlyArray<string>,
  { folder, work }: { readonly folder: string; readonly work: () => Promise<Finding> }
): Promise<boolean> =>
  step(what, tool.name, async () => {
    const made = await project(folder, tool, packages)
    return made.failed === undefined && made.skipped === undefined ? await work() : made
  })

const [OLDEST = {}] = LINES
const { effect: EFFECT = "", "@effect/platform": PLATFORM = "" } = OLDEST

/** The oldest line that the package takes stays what it was. */
const keeps = (folder: string, tool: Manager): Promise<boolean> =>
  inProject("has Effect 3", tool, [`effect@${EFFECT}`, `@effect/platform@${PLATFORM}`], {
    folder,
    work: () => stays(folder, tool, command(KEPT, tool.name))
  })

/** A project without @effect/platform gets the one of its Effect, which stays what it was. */
const completes = (folder: string, tool: Manager): Promise<boolean> =>
  inProject("has effect alone", tool, [`effect@${EFFECT}`], {
    folder,
    work: () => stays(folder, tool, `${command(KEPT, tool.name)} @effect/platform@${compatible(PLATFORM)}`)
  })

const stays = async (folder: string, tool: Manager, line: string): Promise<Finding> => {
  const ran = await paste(folder, tool, line)
  if (isOffline(ran)) return { skipped: "no network" }
  if (ran.code !== 0) return { failed: wordsOf(ran) }
  const found = await versionOf(folder, tool)
  return found === EFFECT ? { text: `effect stays ${found}` } : { failed: `effect is ${found} now` }
}

/** What a project has that does not fit, and what a program says of it at its start. */
interface Unfit {
  readonly packages: ReadonlyArray<string>
  readonly says: RegExp
}

/** What does not fit is refused or warned of as the guide says, and a program says it at its start. */
const stops = (
  folder: string,
  tool: Manager,
  { packages, says }: Unfit,
  compiled: string
): Promise<boolean> =>
  inProject(`has ${packages[0]}`, tool, packages, {
    folder,
    work: async () => {
      const line = command(KEPT, tool.name)
      const ran = await paste(folder, tool, line)
      if (isOffline(ran)) return { skipped: "no network" }
      const words = `${ran.out}\n${ran.err}`
        .split("\n")
        .find((told) => PEER[tool.name].test(told))
        ?.trim()
      const isRefused = ran.code !== 0
      if (isRefused !== (tool.name === "npm") || (words === undefined) !== (tool.name === "bun"))
        return { failed: `not as the guide says it:\n${wordsOf(ran)}` }
      if (isRefused) return { text: `refused: ${words}` }
      cpSync(join(compiled, "out"), join(folder, "out"), { recursive: true })
      const start = await runIn(folder, [...tool.runs, "out/guide-1.js"], { more: tool.environment })
      const stop = `${start.out}\n${start.err}`
        .split("\n")
        .find((told) => says.test(told))
        ?.trim()
      if (start.code === 0 || stop === undefined)
        return { failed: `it does not stop with ${says}:\n${wordsOf(start)}` }
      return { text: `installed: ${words ?? "without a word"}\nstops: ${stop}` }
    }
  })

/** How each manager names a peer that does not fit; Bun does not. */
const PEER: Readonly<Record<Name, RegExp>> = {
  npm: /code ERESOLVE/,
  bun: /incorrect peer dependency/,
  pnpm: /Issues with peer dependencies/,
  yarn: /is listed by your project.*doesn't satisfy what signalbox requests/
}

/** The lines for new projects update an older Effect 3. */
const updates = (folder: string, tool: Manager): Promise<boolean> =>
  step("updated", tool.name, async () => {
    const ran = await paste(folder, tool, command(NEW, tool.name))
    if (isOffline(ran)) return { skipped: "no network" }
    if (ran.code !== 0) return { failed: wordsOf(ran) }
    const found = await versionOf(folder, tool)
    return found.startsWith("3.2") ? { text: `effect is ${found} now` } : { failed: `effect is ${found}` }
  })

/** The guide's way beside Effect 4: a folder of its own. The project goes on with what it has. */
const standsBeside = (folder: string, tool: Manager): Promise<boolean> =>
  inProject("beside Effect 4", tool, EFFECT_4, {
    folder,
    work: async () => {
      // The folder is made by the guide's own lines; only the tarball has to be brought there.
      const made = await paste(folder, tool, commands(BESIDE).join("\n"))
      const own = join(folder, "trading")
      if (made.code !== 0 || !existsSync(own)) return { failed: wordsOf(made) }
      place(own)
      const ran = await paste(own, tool, command(NEW, tool.name))
      if (isOffline(ran)) return { skipped: "no network" }
      if (ran.code !== 0) return { failed: wordsOf(ran) }
      mkdirSync(join(folder, "src"))
      writeFileSync(join(folder, "src/own.js"), OWN)
      const still = await runIn(folder, [...tool.runs, "src/own.js"], { more: tool.environment })
      if (still.out !== "mine runs") return { failed: `the project's own program: ${wordsOf(still)}` }
      const versions = [await versionOf(folder, tool), await versionOf(own, tool)]
      if (!versions[0]?.startsWith("4.") || !versions[1]?.startsWith("3."))
        return { failed: `effect is ${versions.join(", and in the folder ")}` }
      return { text: `effect ${versions[0]} in the project, ${versions[1]} in the folder` }
    }
  })

/** The line for new projects asks for Effect 3: package.json says so then, and the library works. */
const replaces = (folder: string, tool: Manager): Promise<boolean> =>
  inProject("in place of 4", tool, EFFECT_4, {
    folder,
    work: async () => {
      const ran = await paste(folder, tool, command(NEW, tool.name))
      if (isOffline(ran)) return { skipped: "no network" }
      if (ran.code !== 0) return { failed: wordsOf(ran) }
      const { dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
      const wanted = String(dependencies.effect)
      return /^[~^]?3\b/.test(wanted)
        ? { text: `package.json has effect ${wanted}` }
        : { failed: `effect ${wanted}` }
    }
  })

/** The version that a program of the project gets. */
const versionOf = async (folder: string, { environment, runs }: Manager): Promise<string> => {
  const file = join(folder, "version.mjs")
  writeFileSync(
    file,
    'import { createRequire } from "node:module"\nconsole.log(createRequire(import.meta.url)("effect/package.json").version)\n'
  )
  return (await runIn(folder, [...runs, file], { more: environment })).out
}
