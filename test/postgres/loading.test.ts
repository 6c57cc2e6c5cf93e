// Who keeps records in a file never loads the driver of Postgres: it costs a start and memory.
import { expect, test } from "bun:test"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { imports, source } from "../lib/source.ts"

const root = resolve(import.meta.dir, "../..")
const DRIVER = /^(?:pg|@effect\/sql-pg)(?:\/|$)/
/** Commands that are of no use without Postgres, each loaded only when it is called. */
const OF_POSTGRES = ["cli/move.ts"]

/** What a file loads with itself, directly or not: imports of types and those within functions are left out. */
const loadedWith = (entry: string): ReadonlySet<string> => {
  const packages = new Set<string>()
  const files = new Set([entry])
  for (const file of files) {
    const text = readFileSync(join(root, "src", file), "utf8")
      .replace(/\bimport type\b[^"]*"[^"]+"/g, "")
      .replace(/\bimport\(\s*"[^"]+"\s*\)/g, "")
    for (const { specifier } of imports(source({ path: file, text })))
      if (!specifier.startsWith(".")) packages.add(specifier)
      else if (existsSync(join(root, "src", file, "..", specifier))) files.add(join(file, "..", specifier))
  }
  return packages
}

test("no command but those of Postgres loads its driver, nor does the server or a back-test", () => {
  const commands = [...new Bun.Glob("cli/*.ts").scanSync(join(root, "src"))]
  expect(commands.length).toBeGreaterThan(20)
  const loading = [...commands, "Server.ts", "backtests/main.ts", "cli/program/signalbox.ts", "main.ts"]
    .filter((file) => [...loadedWith(file)].some((name) => DRIVER.test(name)))
    .sort()
  expect(loading).toEqual(OF_POSTGRES)
  // Proves that the walk finds the driver.
  expect([...loadedWith("postgres/Postgres.ts")]).toContain("pg")
})

test("a server on a file runs without the driver of Postgres", async () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-loading-"))
  const seen = join(folder, "seen")
  const preload = join(folder, "preload.ts")
  writeFileSync(seen, "")
  writeFileSync(
    preload,
    `import { appendFileSync, readFileSync } from "node:fs"
     import { plugin } from "bun"
     plugin({ name: "seen", setup: (build) => {
       build.onLoad({ filter: /node_modules\\/(pg|@effect\\/sql-(pg|sqlite-bun))\\/.*\\.js$/ }, ({ path }) => {
         appendFileSync(${JSON.stringify(seen)}, path + "\\n")
         return { contents: readFileSync(path, "utf8"), loader: "js" }
       })
     } })`
  )
  const words = ["serve", "--port", "0", "--prices", "none", "--db", join(folder, "signalbox.db")]
  const child = Bun.spawn([process.execPath, "--preload", preload, join(root, "src/main.ts"), ...words], {
    cwd: folder,
    stdout: "ignore",
    stderr: "pipe"
  })
  try {
    const reader = child.stderr.getReader()
    let said = ""
    while (!said.includes("http://")) {
      const { done, value } = await reader.read()
      if (done) throw new Error(`the server ended: ${said}`)
      said += new TextDecoder().decode(value)
    }
    const files = readFileSync(seen, "utf8")
    expect(files).toContain("sql-sqlite-bun")
    expect(files).not.toMatch(/node_modules\/(?:pg|@effect\/sql-pg)\//)
  } finally {
    child.kill()
    await child.exited
    rmSync(folder, { recursive: true, force: true })
  }
})
