// Installing dependencies runs no script of any package, and puts the pinned Bun in place.
import { afterAll, beforeAll, expect, test } from "bun:test"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { install, placeRuntime } from "../scripts/setup.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-setup-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const write = (file: string, text: string) => {
  mkdirSync(join(folder, file, ".."), { recursive: true })
  writeFileSync(join(folder, file), text)
}

test("an install runs no script of any package, trusted or not", () => {
  const scripts = (name: string) => ({ postinstall: `echo ran > ${join(folder, `ran-${name}`)}` })
  write(
    "package.json",
    JSON.stringify({
      name: "root",
      scripts: scripts("root"),
      dependencies: { scripted: "file:./scripted" },
      trustedDependencies: ["scripted"]
    })
  )
  write(
    "scripted/package.json",
    JSON.stringify({ name: "scripted", version: "1.0.0", scripts: scripts("it") })
  )
  const locked = Bun.spawnSync([process.execPath, "install", "--lockfile-only"], { cwd: folder })
  expect(locked.exitCode).toBe(0)
  expect(install(folder).exitCode).toBe(0)
  expect(existsSync(join(folder, "node_modules/scripted/package.json"))).toBe(true)
  expect(readdirSync(folder).filter((name) => name.startsWith("ran-"))).toEqual([])
})

test("the pinned runtime replaces its placeholder, which only a script would have done", () => {
  const runtime = "node_modules/@oven/bun-some-machine/bin/bun"
  write(runtime, "#!/bin/sh\necho pinned\n")
  chmodSync(join(folder, runtime), 0o755)
  for (const name of ["bun.exe", "bunx.exe"])
    write(`node_modules/bun/bin/${name}`, "#!/bin/sh\necho placeholder\n")
  for (let time = 0; time < 2; time++) {
    placeRuntime(folder)
    const { stdout } = Bun.spawnSync([join(folder, "node_modules/bun/bin/bun.exe")])
    expect(stdout.toString()).toBe("pinned\n")
    expect(realpathSync(join(folder, "node_modules/bun/bin/bunx.exe"))).toBe(
      realpathSync(join(folder, runtime))
    )
  }
})

test("a runtime that a script has put in its place already stays there", () => {
  rmSync(join(folder, "node_modules/@oven/bun-some-machine/bin/bun"))
  const place = "node_modules/bun/bin/bun.exe"
  rmSync(join(folder, place))
  write(place, "the runtime itself")
  placeRuntime(folder)
  rmSync(join(folder, "node_modules/@oven"), { recursive: true })
  placeRuntime(folder)
  expect(Bun.file(join(folder, place)).size).toBe("the runtime itself".length)
})
