// The public modules of the package, read from its exports as Node reads them: the one list of what users may import.
import { readdirSync, readFileSync } from "node:fs"
import { path } from "../command.ts"

/** A public module: its import name and its source file. */
export interface Door {
  readonly name: string
  readonly file: string
}

interface Manifest {
  readonly name: string
  /** Sources by import name; null if the name is closed. A star stands for any files and folders. */
  readonly exports: Readonly<Record<string, string | null>>
}

/** All public modules, sorted by name. */
export const doors = (): ReadonlyArray<Door> => {
  const manifest: Manifest = JSON.parse(readFileSync(path("package.json"), "utf8"))
  const sources = readdirSync(path("src"), { recursive: true, encoding: "utf8" }).map(
    (file) => `./src/${file}`
  )
  return open(
    manifest,
    sources.filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
  )
}

export const open = ({ exports, name }: Manifest, sources: ReadonlyArray<string>): ReadonlyArray<Door> =>
  Object.entries(exports)
    .flatMap(([door, target]) =>
      sources.flatMap((source) => {
        const at = target === null ? undefined : entered(door, target, source)
        return at === undefined || !isOpen(exports, door, at)
          ? []
          : [{ name: name + at.slice(1), file: source.slice("./".length) }]
      })
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1))

/** The import name of a source through a pattern, if it matches. */
const entered = (door: string, target: string, source: string): string | undefined => {
  const [before = "", after] = target.split("*")
  if (after === undefined) return source === target ? door : undefined
  if (!source.startsWith(before) || !source.endsWith(after)) return undefined
  return door.replace("*", source.slice(before.length, source.length - after.length))
}

/** A closed name wins if it matches more closely: without a star, or with a longer prefix. */
const isOpen = (exports: Manifest["exports"], door: string, at: string): boolean =>
  !Object.entries(exports).some(([other, target]) => {
    if (target !== null) return false
    const star = other.indexOf("*")
    return star < 0 ? other === at : star > door.indexOf("*") && at.startsWith(other.slice(0, star))
  })
