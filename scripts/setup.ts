// Dependencies as the lock file says, installed when they are missing or stale.
import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
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
  const install = Bun.spawnSync([process.execPath, "install", "--frozen-lockfile", "--no-progress"], {
    cwd: path("."),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe"
  })
  if (install.exitCode !== 0) {
    console.error(`${install.stdout}${install.stderr}`)
    return install.exitCode
  }
  writeFileSync(stamp, hash)
  report("setup", "done", since(started))
  return 0
}
