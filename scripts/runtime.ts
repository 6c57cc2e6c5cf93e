// The Bun that a program for another machine is built upon: the package that bun.lock names, from the npm registry.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { bun, capture, path } from "./command.ts"

/** The machines that we build for, and the package of each one's runtime. */
export const TARGETS: Readonly<Record<string, string>> = {
  "linux-x64": "@oven/bun-linux-x64",
  "linux-arm64": "@oven/bun-linux-aarch64"
}

/** A manifest and a lock file of the one package, with the version and the hash that our own lock file has for it. */
export const lockOf = (name: string, lock: string) => {
  const line = lock.split("\n").find((line) => line.trimStart().startsWith(`"${name}": [`))
  const version = line?.match(/"@oven\/[^@"]+@([^"]+)"/)?.[1]
  if (line === undefined || version === undefined) throw new Error(`bun.lock does not hold ${name}`)
  const dependencies = { [name]: version }
  return {
    "package.json": JSON.stringify({ name: "runtime", private: true, dependencies }),
    "bun.lock": `{
  "lockfileVersion": 1,
  "workspaces": { "": { "name": "runtime", "dependencies": ${JSON.stringify(dependencies)} } },
  "packages": {
${line}
  }
}
`
  }
}

/** The runtime's file, installed first if it is not there; the words of what went wrong, if it cannot be. */
export const runtime = async (target: string): Promise<{ readonly file: string; readonly flaw?: string }> => {
  const name = TARGETS[target] ?? ""
  const installed = path(`node_modules/${name}/bin/bun`)
  if (existsSync(installed)) return { file: installed }
  const files = Object.entries(lockOf(name, readFileSync(path("bun.lock"), "utf8")))
  const folder = path(`dist/runtime-${target}`)
  const file = `${folder}/node_modules/${name}/bin/bun`
  const isStale = files.some(
    ([name, text]) => !existsSync(`${folder}/${name}`) || readFileSync(`${folder}/${name}`, "utf8") !== text
  )
  if (existsSync(file) && !isStale) return { file }
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of files) writeFileSync(`${folder}/${name}`, text)
  const [os = "", cpu = ""] = target.split("-")
  const flags = [
    "--frozen-lockfile",
    "--no-progress",
    "--ignore-scripts",
    "--os",
    os,
    "--cpu",
    cpu,
    "--libc",
    "glibc"
  ]
  const result = await capture([bun(), "install", "--cwd", folder, ...flags])
  return existsSync(file) ? { file } : { file, flaw: result.output.trimEnd() }
}
