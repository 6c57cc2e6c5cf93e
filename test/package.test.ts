// The package's exports: each leads somewhere, and only two need Bun.
import { expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { imports, source } from "./lib/source.ts"

const root = resolve(import.meta.dir, "..")
const read = (path: string) => readFileSync(join(root, path), "utf8")
const { engines, exports, sideEffects } = JSON.parse(read("package.json"))
const doors: ReadonlyArray<readonly [door: string, file: string | null]> = Object.entries(exports)

/** The exports that need Bun; all others also run on Node and in browsers. */
const BUN_ONLY = ["./server", "./sqlite"]

const filesOf = (file: string) =>
  file.includes("*") ? [...new Bun.Glob(file).scanSync(root)].map((found) => join(found)) : [join(file)]

/** Everything that a file imports, directly or not, and from where. */
const behind = (entries: ReadonlyArray<string>) => {
  const wanted = new Map<string, string>()
  const known = new Set(entries)
  for (const file of known) {
    for (const { specifier } of imports(source({ path: file, text: read(file) }))) {
      if (specifier.startsWith(".")) known.add(join(file, "..", specifier))
      else wanted.set(specifier, file)
    }
  }
  return wanted
}

test("every exported path leads to a file, and every closed one closes something", () => {
  for (const [door, file] of doors) {
    const target = file ?? `./src/${door.slice(2)}.ts`
    expect([
      door,
      filesOf(target).length > 0 && filesOf(target).every((it) => existsSync(join(root, it)))
    ]).toEqual([door, true])
  }
})

test("exports for every runtime import nothing of a single runtime", () => {
  const seen = doors.flatMap(([door, file]) => {
    if (file === null || BUN_ONLY.includes(door)) return []
    return [...behind(filesOf(file))].filter(
      ([specifier]) => !/^(?:effect|@effect\/platform)(?:\/|$)/.test(specifier)
    )
  })
  expect(seen).toEqual([])
  // Proves that the walk finds Bun where it is used.
  expect([...behind(["src/sqlite/Sqlite.ts"]).keys()]).toContain("bun:sqlite")
})

test("an app can drop unused modules, and the package names the runtimes it needs", () => {
  expect(sideEffects).toBe(false)
  expect(engines).toEqual({ node: ">=20", bun: ">=1.4" })
})

test("an adapter to an exchange takes less than 80 lines", () => {
  expect(read("test/examples/own-exchange.ts").split("\n").length).toBeLessThan(80)
})
