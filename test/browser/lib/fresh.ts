// Builds the program before browser tests if it is missing or older than its sources.
import { existsSync, readdirSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { PROGRAM } from "../../reliability/Program.ts"

const ROOT = resolve(import.meta.dir, "../../..")
const SOURCES = ["src", "scripts/build.ts", "package.json", "bun.lock"]

export const fresh = async (): Promise<void> => {
  const built = existsSync(PROGRAM) ? statSync(PROGRAM).mtimeMs : 0
  if (built > Math.max(...SOURCES.map((name) => newest(join(ROOT, name))))) return
  const build = Bun.spawn([process.execPath, "scripts/run.ts", "build"], {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit"]
  })
  if ((await build.exited) !== 0) throw new Error("the program could not be built")
}

const newest = (path: string): number => {
  const { mtimeMs } = statSync(path)
  if (!statSync(path).isDirectory()) return mtimeMs
  return Math.max(mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}
