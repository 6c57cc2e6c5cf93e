// The build accepts only a runtime whose hash is in the lock file.
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { lockOf, TARGETS } from "../scripts/runtime.ts"

const lock = readFileSync(resolve(import.meta.dir, "../bun.lock"), "utf8")

test.each(Object.values(TARGETS))(
  "%s is installed in the version and with the hash of our lock file",
  (name) => {
    const files = lockOf(name, lock)
    const line = lock.split("\n").find((line) => line.includes(`"${name}": [`)) ?? ""
    const [, version = "", hash = ""] = /@([\d.]+)".*"(sha512-[^"]+)"/.exec(line) ?? []
    expect(version).toBe(Bun.version)
    expect(JSON.parse(files["package.json"]).dependencies).toEqual({ [name]: version })
    expect(files["bun.lock"]).toContain(hash)
  }
)

test("a runtime that the lock file does not hold is refused", () =>
  expect(() => lockOf("@oven/bun-plan9", lock)).toThrow("bun.lock does not hold @oven/bun-plan9"))
