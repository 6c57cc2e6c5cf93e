// The four package managers. npm is the machine's, Bun the pinned one; the others come from the registry, pinned too.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { bun } from "../../../scripts/command.ts"
import { installIn, isOffline, runIn, wordsOf } from "./shell.ts"

/** As they are fetched by npx. */
const PINNED = {
  pnpm: { spec: "pnpm@12.21.0", file: "pnpm" },
  yarn: { spec: "@yarnpkg/cli-dist@4.18.1", file: "yarn" }
} as const

export type Name = "npm" | "bun" | "pnpm" | "yarn"
export const NAMES: ReadonlyArray<Name> = ["npm", "bun", "pnpm", "yarn"]

export interface Manager {
  readonly name: Name
  readonly version: string
  /** What has to be in the environment of its commands: first of all where it is. */
  readonly environment: Readonly<Record<string, string>>
  /** How a program is run in its projects; Yarn alone keeps packages where Node does not look by itself. */
  readonly runs: ReadonlyArray<string>
  /** Whether it lays packages out as a compiler finds them. */
  readonly hasModules: boolean
}

/** The manager, ready to be called by its name; or why it is not here. */
export const manager = async (
  name: Name,
  folder: string
): Promise<Manager | { readonly missing: string }> => {
  const bin = join(folder, "bin", name)
  mkdirSync(bin, { recursive: true })
  const registry = (await runIn(folder, ["npm", "config", "get", "registry"])).out
  const more = { PATH: `${bin}:${process.env["PATH"]}`, YARN_NPM_REGISTRY_SERVER: registry }
  if (name === "bun") put(join(bin, name), [bun()])
  if (name === "pnpm" || name === "yarn") {
    const { file, spec } = PINNED[name]
    const found = await installIn(folder, ["npx", "-y", "-p", spec, "-c", `command -v ${file}`])
    if (isOffline(found)) return { missing: `${spec} cannot be fetched: no network` }
    if (found.code !== 0) return { missing: `${spec} cannot be fetched: ${wordsOf(found)}` }
    put(join(bin, name), [found.out.split("\n").at(-1) ?? ""])
  }
  const version = (await runIn(folder, [name, "--version"], { more })).out
  const runs = name === "yarn" ? ["yarn", "node"] : [name === "bun" ? "bun" : "node"]
  return { name, version, environment: more, runs, hasModules: name !== "yarn" }
}

const put = (file: string, command: ReadonlyArray<string>) => {
  writeFileSync(file, `#!/bin/sh\nexec ${command.map((word) => `"${word}"`).join(" ")} "$@"\n`)
  chmodSync(file, 0o755)
}
