// The list of bundled packages.
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { describe } from "../scripts/sbom.ts"

const root = resolve(import.meta.dir, "..")
const read = (name: string) => readFileSync(join(root, name), "utf8")
const made = describe(read("bun.lock"), read("package.json"), (name) =>
  name === "effect" ? "MIT" : undefined
)

test("the list has every package of the lock file with name, version, purl and hash", () => {
  // By other means than the script's: a package is a line of the lock file.
  const locked = [
    ...read("bun.lock").matchAll(/^ {4}"[^"]+": \["((?:@[^@"]+|[^@"]+))@([^"]+)".*"sha512-([^"]+)"\],$/gm)
  ]
  expect(locked.length).toBeGreaterThan(80)
  expect(made.components.length).toBe(locked.length)
  for (const [, name = "", version = "", hash = ""] of locked) {
    const found = made.components.filter((one) => one.name === name && one.version === version)
    expect(found).toMatchObject([
      {
        type: "library",
        purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
        hashes: [{ alg: "SHA-512", content: Buffer.from(hash, "base64").toString("hex") }]
      }
    ])
    expect(found[0]?.hashes[0]?.content).toMatch(/^[0-9a-f]{128}$/)
  }
})

test("the list has the shape of CycloneDX 1.6", () => {
  expect(made).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1 })
  expect(made.metadata.component).toMatchObject({ type: "application", name: "signalbox" })
  const refs = new Set<string>([
    made.metadata.component["bom-ref"],
    ...made.components.map((one) => one["bom-ref"])
  ])
  expect(refs.size).toBe(made.components.length + 1)
  expect(made.dependencies.length).toBe(refs.size)
  for (const { dependsOn, ref } of made.dependencies) {
    for (const name of [ref, ...dependsOn]) expect(refs.has(name)).toBe(true)
    expect(new Set(dependsOn).size).toBe(dependsOn.length)
  }
})

test("the list separates shipped packages from those that only build and test", () => {
  const scopes = new Map(made.components.map(({ name, scope }) => [name, scope]))
  for (const name of ["effect", "@effect/platform-bun", "fast-check", "bun"])
    expect([name, scopes.get(name)]).toEqual([name, "required"])
  for (const name of ["@biomejs/biome", "typescript", "@effect/tsgo"])
    expect([name, scopes.get(name)]).toEqual([name, "excluded"])
})

test("a licence is named if it is known, and the list is the same every time", () => {
  const licences = made.components.filter(({ licenses }) => licenses !== undefined)
  expect(licences).toMatchObject([{ name: "effect", licenses: [{ license: { id: "MIT" } }] }])
  expect(
    describe(read("bun.lock"), read("package.json"), (name) => (name === "effect" ? "MIT" : undefined))
  ).toEqual(made)
})
