// `package`: the library as it is published, dist/signalbox-VERSION.tgz: emitted JavaScript with declarations and maps,
// the dashboard's page, and a package.json whose doors were walked from end to end. Checked as strangers would.
import { mkdirSync, rmSync, statSync } from "node:fs"
import { bun, capture, path, type Result, report } from "./command.ts"
import * as Doors from "./package/doors.ts"
import * as Guard from "./package/guard.ts"
import * as Manifest from "./package/manifest.ts"
import * as Staging from "./package/staging.ts"

/** The folder that is packed. */
const STAGED = "dist/package"

type Step = readonly [what: string, run: () => Promise<Result>]

/** With `--quick` all but the checks of strangers. */
export const pack = async (args: ReadonlyArray<string>): Promise<number> => {
  const started = performance.now()
  const flaw = await make(args.includes("--quick"))
  const seconds = `${((performance.now() - started) / 1000).toFixed(1)} s`
  if (flaw !== undefined) {
    report("package", `FAILED: ${flaw}`, seconds)
    return 1
  }
  if (Manifest.isHomeless())
    console.log("repository in package.json is a placeholder: fill it in before you publish the package")
  const size = statSync(path(Manifest.tarball())).size
  report("package", `${Manifest.tarball()}, ${(size / 2 ** 10).toFixed(0)} KiB`, seconds)
  return 0
}

const make = async (isQuick: boolean): Promise<string | undefined> => {
  rmSync(path(STAGED), { recursive: true, force: true })
  mkdirSync(path(STAGED), { recursive: true })
  Staging.stage(STAGED)
  const tsc = (file: string) => capture([bun(), path("node_modules/.bin/tsc"), "-p", `${STAGED}/${file}`])
  const emitted = await each([
    ["it cannot be emitted", () => tsc(Staging.EMIT)],
    ["it uses what Node 20 or a browser lacks", () => tsc(Staging.PORTABLE)],
    ["the dashboard cannot be bundled", () => capture([bun(), "scripts/page.ts", Staging.page(STAGED)])]
  ])
  if (emitted !== undefined) return emitted
  Staging.settle(STAGED)
  const doors = Doors.walk(STAGED)
  const flaws = [...doors.flaws, ...Staging.foreignMaps(STAGED)]
  if (flaws.length > 0) return flaws.join("\n")
  Manifest.write(STAGED, doors.packages)
  Guard.guard(STAGED, new Set(Doors.entries(STAGED).map(([, file]) => file)))
  const packed = await capture([
    ...[bun(), "pm", "pack", "--quiet", "--cwd", path(STAGED)],
    ...["--filename", path(Manifest.tarball())]
  ])
  if (packed.code !== 0) return `it cannot be packed\n${packed.output}`
  return isQuick ? undefined : await judged()
}

/** Runs publint and "Are the types wrong?", which have a lock file of their own. */
const judged = async (): Promise<string | undefined> => {
  const tool = (name: string, ...args: ReadonlyArray<string>) =>
    capture([bun(), path(`scripts/package/node_modules/.bin/${name}`), path(Manifest.tarball()), ...args])
  const installed = await capture([
    ...[bun(), "install", "--frozen-lockfile", "--ignore-scripts"],
    ...["--cwd", path("scripts/package")]
  ])
  if (installed.code !== 0) return `its checks cannot be installed\n${installed.output}`
  return await each([
    ["publint finds fault with it", () => tool("publint", "--strict")],
    ["its types are wrong", () => tool("attw", "--profile", "esm-only")]
  ])
}

/** Runs all steps at once; returns the output of those that failed. */
const each = async (steps: ReadonlyArray<Step>): Promise<string | undefined> => {
  const results = await Promise.all(steps.map(([, run]) => run()))
  const failed = steps.flatMap(([what], index) => {
    const { code = 1, output = "" } = results[index] ?? {}
    return code === 0 ? [] : [`${what}\n${output.trimEnd()}`]
  })
  return failed.length === 0 ? undefined : failed.join("\n")
}
