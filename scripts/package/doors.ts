// Walks the doors of the package over what was emitted: where each leads, and what stands behind it.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { path } from "../command.ts"
import { doors, type Packages } from "./manifest.ts"
import { filesOf } from "./staging.ts"

/** The exports that need Bun; all others also run on Node and in browsers. */
const BUN_ONLY = new Set(["./postgres", "./server", "./sqlite"])

export interface Walked {
  readonly packages: Packages
  readonly flaws: ReadonlyArray<string>
}

/** What a door, or each file behind one with a star, can be entered by: `./domain/Order` and its emitted file. */
export const entries = (folder: string): ReadonlyArray<readonly [door: string, file: string]> => {
  const files = filesOf(path(join(folder, "dist"))).filter((file) => file.endsWith(".js"))
  const shut = Object.entries(doors()).flatMap(([door, target]) => (target === null ? [matching(door)] : []))
  return Object.entries(doors()).flatMap(([door, target]) => {
    if (target === null) return []
    const pattern = matching(target.replace("./src/", "").replace(/\.ts$/, ".js"))
    return files.flatMap((file): ReadonlyArray<readonly [string, string]> => {
      const [, name = ""] = pattern.exec(file) ?? []
      const at = door.replace("*", name)
      return pattern.test(file) && !shut.some((it) => it.test(at)) ? [[at, file]] : []
    })
  })
}

export const walk = (folder: string): Walked => {
  const packages = new Map<string, "required" | "optional">()
  const flaws: Array<string> = []
  const all = entries(folder)
  for (const door of Object.keys(doors())) {
    const isOpen = doors()[door] !== null
    if (isOpen && !all.some(([at]) => matching(door).test(at))) flaws.push(`${door} leads nowhere`)
  }
  for (const [door, file] of all) {
    for (const { from, specifier } of behind(folder, file)) {
      const name = /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier
      const isRuntime = /^(?:bun|node)(?::|$)/.test(specifier)
      if (isRuntime && !BUN_ONLY.has(door)) flaws.push(`${door} has ${specifier} behind it: see ${from}`)
      if (specifier === "") flaws.push(`${door} has something behind it that is not there: see ${from}`)
      if (isRuntime || specifier === "") continue
      if (!BUN_ONLY.has(door)) packages.set(name, "required")
      else if (!packages.has(name)) packages.set(name, "optional")
    }
  }
  return { packages, flaws: [...new Set(flaws)] }
}

const matching = (pattern: string) => new RegExp(`^${pattern.replaceAll(".", "\\.").replace("*", "(.+)")}$`)

interface Seen {
  readonly from: string
  /** A package, or undefined if a file is missing. */
  readonly specifier: string
}

/** Every package that a file imports, directly or not, including dynamic imports. */
const behind = (folder: string, entry: string): ReadonlyArray<Seen> => {
  const dist = path(join(folder, "dist"))
  const seen: Array<Seen> = []
  const known = new Set([entry])
  for (const file of known) {
    for (const specifier of importsOf(join(dist, file))) {
      if (!specifier.startsWith(".")) seen.push({ from: file, specifier })
      else if (existsSync(join(dist, file, "..", specifier))) known.add(join(file, "..", specifier))
      else seen.push({ from: file, specifier: "" })
    }
  }
  return seen
}

const scanner = new Bun.Transpiler({ loader: "js" })
const scanned = new Map<string, ReadonlyArray<string>>()

const importsOf = (file: string): ReadonlyArray<string> => {
  const text = () => readFileSync(file, "utf8")
  const found = scanned.get(file) ?? read(text())
  scanned.set(file, found)
  return found
}

/** Worker threads are files behind a door too, and ccxt is found by asking where it is. */
const read = (text: string): ReadonlyArray<string> => [
  ...scanner.scanImports(text).map(({ path }) => path),
  ...[...text.matchAll(/new URL\("(\.[^"]+\.js)", import\.meta\.url\)/g)].map(([, file = ""]) => file),
  ...[...text.matchAll(/import\.meta\.resolve\("([^"]+)"\)/g)].map(([, name = ""]) => name)
]
