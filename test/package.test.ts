// The package's exports: each leads somewhere, and only three need Bun.
import { expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { homeOf, version } from "../scripts/package/manifest.ts"
import { compatible, LINES, range } from "../scripts/package/peers.ts"
import { readme } from "../scripts/package/readme.ts"
import { command } from "./examples/lib/guide.ts"
import { NAMES } from "./examples/lib/managers.ts"
import { imports, source } from "./lib/source.ts"

const root = resolve(import.meta.dir, "..")
const read = (path: string) => readFileSync(join(root, path), "utf8")
const { dependencies, engines, exports, sideEffects } = JSON.parse(read("package.json"))
const doors: ReadonlyArray<readonly [door: string, file: string | null]> = Object.entries(exports)

/** The exports that need Bun; all others also run on Node and in browsers. */
const BUN_ONLY = ["./postgres", "./server", "./sqlite"]

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

const PAGE = read("src/guide/embedding.md")
const newest = LINES.at(-1) ?? {}
/** Where a project has an older version of the same major, Bun and pnpm keep it unless the minor is named. */
const minorOf = (version: string) => version.split(".").slice(0, 2).join(".")

test("the newest line of Effect is what the program is built with, and the guide's table has them all", () => {
  expect(dependencies).toMatchObject(newest)
  const rows = LINES.map((line) => `| ${Object.values(line).join(" | ")} |\n`).join("")
  expect(PAGE).toContain(`| ${Object.keys(newest).join(" | ")} |\n|---|---|---|---|\n${rows}\n`)
})

test("the guide says which @effect/platform belongs to each minor version of Effect", () => {
  const rows = LINES.map(({ effect = "", "@effect/platform": platform = "" }) => {
    return `| ${minorOf(effect)} | \`@effect/platform@${compatible(platform)}\` |\n`
  })
  expect(PAGE).toContain(`| effect | add |\n|---|---|\n${[...new Set(rows)].join("")}\n`)
})

test("a peer's range begins at the oldest version of each line that was tried", () => {
  expect(range("effect")).toBe("^3.20.0")
  expect(range("@effect/platform")).toBe("^0.95.0 || ^0.96.0 || ^0.97.0")
  expect(range("ccxt")).toBeUndefined()
  expect(range("a", [{ a: "1.2.3" }, { a: "1.4.0" }, { b: "1.0.0" }, { a: "2.0.1" }])).toBe(
    "^1.2.3 || ^2.0.1"
  )
})

test("the guide's lines name this tarball, and for each package the newest line's minor version", () => {
  for (const manager of NAMES) {
    const verb = {
      npm: "npm install",
      bun: "bun add",
      pnpm: "pnpm add --allow-build='!msgpackr-extract'",
      yarn: "yarn add"
    }[manager]
    const kept = command("In a project that has Effect 3", manager)
    expect(kept).toBe(`${verb} ./signalbox-${version()}.tgz`)
    const wanted = ["effect", "@effect/platform"].map((name) => `${name}@${minorOf(newest[name] ?? "")}`)
    expect(command("In a new project", manager)).toBe(`${kept} ${wanted.join(" ")}`)
  }
  const [, , , ...real] = command("The real server", "bun").split(" ")
  for (const wanted of real) {
    const [, name = "", given] = /^(.+)@([^@]+)$/.exec(wanted) ?? []
    expect(wanted).toBe(`${name}@${minorOf(dependencies[name])}`)
    expect(given).toBeDefined()
  }
  expect(PAGE).toContain(`\`ccxt@${minorOf(dependencies.ccxt)}\``)
})

test("the package's README is the guide's page without what is about the repository alone", () => {
  const text = readme(PAGE, "Described.")
  expect(text).toStartWith("# Signalbox\n\nDescribed.\n\nThe same bots")
  expect(text).toContain("\n### In a new project\n")
  expect(text).not.toMatch(/^## (?:Source|Reference)$|\]\((?!https:)/m)
  expect(() => readme("# Embedding\n\n## Install\n", "")).toThrow(/Source/)
})

test("all addresses of the package follow from the one in package.json", () => {
  const home = homeOf("https://git.example/a/b.git")
  expect(home).toEqual(homeOf("https://git.example/a/b"))
  expect(home).toEqual({
    homepage: "https://git.example/a/b#readme",
    bugs: { url: "https://git.example/a/b/issues" },
    repository: { type: "git", url: "git+https://git.example/a/b.git" }
  })
})
