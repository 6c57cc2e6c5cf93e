// Everything that can be imported: the doors, and what they hand on of files that are no doors themselves.
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { path } from "../command.ts"
import { type Declaration, declarations } from "./declarations.ts"
import type { Door } from "./doors.ts"
import { declarationsOf } from "./emit.ts"
import type { Module } from "./report.ts"

/** A file that a public module re-exports, as a namespace or by names. */
export interface Handed {
  readonly door: string
  readonly file: string
  /** The namespace, or the names in braces. */
  readonly as: string
  readonly names: ReadonlySet<string> | "all"
}

/** Each public module, followed by its re-exports. The declarations must exist. */
export const modules = (doors: ReadonlyArray<Door>): ReadonlyArray<Module> => {
  const behind = handed(doors, emitted)
  return doors.flatMap((door) => [
    { name: door.name, declarations: emitted(door.file) },
    ...behind
      .filter((it) => it.door === door.name)
      .map(({ as, file, names }) => ({
        name: `${door.name}: ${as}`,
        declarations: emitted(file).map((one) =>
          names === "all" || names.has(one.name) ? one : { ...one, exported: false }
        )
      }))
  ])
}

/** The re-exports of other files' declarations. */
export const handed = (
  doors: ReadonlyArray<Door>,
  declared: (file: string) => ReadonlyArray<Declaration>
): ReadonlyArray<Handed> => {
  const open = new Set(doors.map(({ file }) => file))
  return doors.flatMap((door) => {
    const found = new Map<string, Handed>()
    for (const { kind, name, text } of declared(door.file)) {
      const [, from] = /from ["'](\.[^"']*)["']/.exec(text) ?? []
      if (from === undefined || (kind !== "from" && kind !== "namespace")) continue
      const file = join(dirname(door.file), from)
      if (open.has(file)) continue
      if (kind === "namespace") found.set(name, { door: door.name, file, as: name, names: "all" })
      else {
        const others = found.get(file)?.names ?? new Set<string>()
        const names = new Set(others === "all" ? [] : [...others, name])
        found.set(file, { door: door.name, file, as: `{ ${[...names].join(", ")} }`, names })
      }
    }
    return [...found.values()]
  })
}

/** The sources with public comments: public modules and their re-exports. */
export const filesOf = (doors: ReadonlyArray<Door>): ReadonlyArray<string> => {
  const files = doors.flatMap(({ file }) => [
    file,
    ...[...readFileSync(path(file), "utf8").matchAll(HANDED)].map(([, from = ""]) =>
      join(dirname(file), from)
    )
  ])
  return [...new Set(files)]
}

const HANDED = /^export (?:\* as \w+|(?:type )?\{[^}]*\}) from "(\.[^"]+)"/gm

const emitted = (file: string): ReadonlyArray<Declaration> => {
  const name = path(declarationsOf(file))
  return existsSync(name) ? declarations(readFileSync(name, "utf8")) : []
}
