// Dependencies as the lock file says, installed when they are missing or stale. No script of a package is run.
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { path, report, since } from "./command.ts"

/** Left in node_modules after an install: the hash of what was installed. */
const stamp = path("node_modules/.signalbox-lock")

const wanted = () => {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}\n`)
  for (const name of ["package.json", "bun.lock"]) hash.update(readFileSync(path(name)))
  return hash.digest("hex")
}

export const setup = (): number => {
  const hash = wanted()
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return 0
  report("setup", "installing dependencies as in bun.lock")
  const started = performance.now()
  const installed = install(path("."))
  if (installed.exitCode !== 0) {
    console.error(`${installed.stdout}${installed.stderr}`)
    return installed.exitCode
  }
  placeRuntime(path("."))
  writeFileSync(stamp, hash)
  report("setup", "done", since(started))
  return 0
}

/** Installs a lock file's packages without running any of their scripts, so that a hijacked package cannot act. */
export const install = (folder: string) =>
  Bun.spawnSync([process.execPath, "install", "--frozen-lockfile", "--ignore-scripts", "--no-progress"], {
    cwd: folder,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe"
  })

/**
 * Puts the pinned Bun where the package `bun` has a placeholder, as that package's own script would: `bun run` looks
 * there first, from the second time on. Where there is no such Bun, the script has moved it to that place already.
 */
export const placeRuntime = (folder: string): void => {
  const packages = join(folder, "node_modules/@oven")
  const runtime = (existsSync(packages) ? readdirSync(packages) : [])
    .map((name) => join(packages, name, "bin/bun"))
    .find((file) => existsSync(file))
  if (runtime === undefined) return
  const bin = join(folder, "node_modules/bun/bin")
  for (const name of ["bun.exe", "bunx.exe"]) {
    // Remove before writing: the file may be linked to the package cache.
    rmSync(join(bin, name), { force: true })
    symlinkSync(relative(bin, runtime), join(bin, name))
  }
}
