// package.json as it is published, made from the repository's: the same doors, to what was emitted.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { path } from "../command.ts"
import { FILE as GUARD_FILE } from "./guard.ts"
import { range } from "./peers.ts"

interface Repository {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly keywords: ReadonlyArray<string>
  readonly engines: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string | null>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  /** Where the sources are, as an address of https: the one place that says so. */
  readonly repository: string
  readonly publishConfig: Readonly<Record<string, string>>
}

const read = (): Repository => JSON.parse(readFileSync(path("package.json"), "utf8"))

export const version = (): string => read().version
export const description = (): string => read().description
export const tarball = (): string => `dist/${read().name}-${read().version}.tgz`

/** The version of a package that the program is built with, or that its types come from. */
export const dependency = (name: string): string | undefined => {
  const { dependencies, devDependencies } = read()
  return dependencies[name] ?? devDependencies[name]
}

/** The host of package.json's `repository` until its owner fills it in: a name that nobody can own. */
const PLACEHOLDER = /^https:\/\/[^/]+\.example\//

/** Whether package.json does not say yet where the sources are. */
export const isHomeless = (): boolean => PLACEHOLDER.test(read().repository)

/** All that follows from the address of the sources. */
export const homeOf = (repository: string) => {
  const address = repository.replace(/(?:\.git)?\/?$/, "")
  return {
    homepage: `${address}#readme`,
    bugs: { url: `${address}/issues` },
    repository: { type: "git", url: `git+${address}.git` }
  }
}

/** The repository's exports, null if closed. */
export const doors = (): Readonly<Record<string, string | null>> => read().exports

/** What the doors need, by package: whether it is needed by all or only by those that want Bun. */
export type Packages = ReadonlyMap<string, "required" | "optional">

/**
 * Peers are packages that an app must have only once, in any version that fits, so that types and services are the
 * same.
 */
export const write = (folder: string, packages: Packages): void => {
  const { dependencies, description, engines, exports, keywords, license, name, version, ...rest } = read()
  const names = [...packages.keys()].sort()
  const peers = names.map((peer) => [peer, range(peer) ?? `^${dependencies[peer]}`])
  const optional = names.filter((peer) => packages.get(peer) === "optional")
  const manifest = {
    ...{ name, version, description, keywords, license },
    ...homeOf(rest.repository),
    publishConfig: rest.publishConfig,
    type: "module",
    // A bundler keeps the guard, which nothing imports a name from.
    sideEffects: [`./dist/${GUARD_FILE}`],
    engines,
    files: ["dist", "src", "examples", "CHANGELOG.md"],
    exports: Object.fromEntries(
      Object.entries(exports).map(([door, file]) => [door, file === null ? null : emittedOf(file)])
    ),
    peerDependencies: Object.fromEntries(peers),
    peerDependenciesMeta: Object.fromEntries(optional.map((peer) => [peer, { optional: true }]))
  }
  writeFileSync(path(join(folder, "package.json")), `${JSON.stringify(manifest, null, 2)}\n`)
}

const emittedOf = (source: string) => {
  const emitted = source.replace("./src/", "./dist/").replace(/\.ts$/, "")
  return { types: `${emitted}.d.ts`, default: `${emitted}.js` }
}
