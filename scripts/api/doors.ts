// What the package lets users import, read from its exports: the one list of what is public.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { path } from "../command.ts"

/** A module that users can import: by this name, from this file of the repo. */
export interface Door {
  readonly name: string
  readonly file: string
}

/** Every door, in the order of their names; a pattern opens all files of its folder, but none of the folders in it. */
export const doors = (): ReadonlyArray<Door> => {
  const manifest: { name: string; exports: Record<string, unknown> } = JSON.parse(
    readFileSync(path("package.json"), "utf8")
  )
  const found = Object.entries(manifest.exports).flatMap(([door, target]) => {
    const file = sourceOf(target)
    if (file === undefined) return []
    const name = door.replace(/^\./, manifest.name)
    if (!file.includes("*")) return [{ name, file }]
    const folder = file.slice(0, file.indexOf("*"))
    return readdirSync(path(folder))
      .filter((entry) => /\.ts$/.test(entry) && !/\.d\.ts$/.test(entry))
      .map((entry) => ({ name: name.replace("*", entry.slice(0, -".ts".length)), file: folder + entry }))
  })
  const shut = new Set(
    Object.entries(manifest.exports).flatMap(([door, target]) =>
      target === null ? [door.replace(/^\./, manifest.name)] : []
    )
  )
  return found.filter(({ name }) => !shut.has(name)).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The source of a target: itself, or what it was emitted from; none for what is no module of ours. */
const sourceOf = (target: unknown): string | undefined => {
  if (typeof target === "object" && target !== null) {
    return Object.values(target).map(sourceOf).find((file) => file !== undefined)
  }
  if (typeof target !== "string") return undefined
  const source = target
    .replace(/^\.\//, "")
    .replace(/^dist\/(?:package\/|lib\/)?(?:src\/)?/, "src/")
    .replace(/(?:\.d\.ts|\.js)$/, ".ts")
  return source.startsWith("src/") && (source.includes("*") || existsSync(path(source))) ? source : undefined
}
