// The library on one line of Effect 3: exactly these versions, its declarations compiled against them, the examples
// run.
import { basename, join } from "node:path"
import nodeTypes from "../../../node_modules/@types/node/package.json" with { type: "json" }
import * as Manifest from "../../../scripts/package/manifest.ts"
import type { Line as Versions } from "../../../scripts/package/peers.ts"
import { begin, compile, lay, layFew } from "./folder.ts"
import { print, step } from "./line.ts"
import { EXAMPLES, FEW, run } from "./programs.ts"
import { installIn, isOffline, wordsOf } from "./shell.ts"

/** The drivers, which every line shares, with their types. Their peers are others than those that they work with. */
const DRIVERS = ["@effect/sql-sqlite-bun", "@effect/sql-pg", "pg", "@types/pg"]
const NPM = ["npm", "install", "--legacy-peer-deps", "--ignore-scripts", "--prefer-offline"]

/** Installs exactly these versions in a new folder; nothing to run if that cannot be done. */
const installed = async (folder: string, versions: Versions): Promise<boolean> => {
  begin(folder)
  const drivers = DRIVERS.map((name) => [name, Manifest.dependency(name)] as const)
  // `@types/pg` takes any version of Node's types: another one than this repository's would declare everything twice.
  const types = ["@types/node", nodeTypes.version] as const
  const wanted = [...Object.entries(versions), ...drivers, types]
  const packages = wanted.map(([name, version]) => `${name}@${version}`)
  const text = `effect ${versions["effect"]}, @effect/platform ${versions["@effect/platform"]}`
  return step("install", "npm", async () => {
    const ran = await installIn(folder, [...NPM, `./${basename(Manifest.tarball())}`, ...packages])
    if (isOffline(ran)) return { skipped: `${text}: no network` }
    return ran.code === 0 ? { text } : { failed: wordsOf(ran) }
  })
}

/** All examples on Node and on Bun. Gives whether the programs are compiled there. */
export const whole = async (folder: string, versions: Versions): Promise<boolean> => {
  if (!(await installed(folder, versions))) return false
  lay(folder)
  if (!(await step("compile", "", async () => ({ failed: await compile(folder) })))) return false
  for (const { name, runtimes } of EXAMPLES) {
    for (const runtime of runtimes) print(await run(folder, name, runtime))
  }
  return true
}

/** The few examples, on Node alone: what CI has time for. */
export const part = async (folder: string, versions: Versions): Promise<boolean> => {
  if (!(await installed(folder, versions))) return false
  layFew(folder, FEW)
  if (!(await step("compile", "", async () => ({ failed: await compile(folder) })))) return false
  for (const name of FEW) print(await run(folder, name, "Node"))
  return true
}

export const nameOf = (versions: Versions): string => `effect-${versions["effect"]}`
export const below = (folder: string, versions: Versions): string => join(folder, nameOf(versions))
