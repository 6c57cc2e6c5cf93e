// `build`: one program with everything in it, dist/signalbox; for other machines with --target NAME, or --all.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs"
import { basename } from "node:path"
import { WORKERS } from "../src/WorkerAddress.ts"
import { withOrder } from "./bytecodeOrder.ts"
import { bun, capture, path, report } from "./command.ts"
import { runtime, TARGETS } from "./runtime.ts"

const flags = [
  ...["--compile", "--minify", "--bytecode", "--format=esm", "--sourcemap"],
  // Code that a command does not use is not loaded, and start-up code is not compiled (src/cli/program/compiler.ts).
  ...["--splitting", "--min-chunk-size=16384", "--compile-jit-policy=64"],
  // Without these the program would run the .env and bunfig.toml of its working folder.
  ...["--no-compile-autoload-dotenv", "--no-compile-autoload-bunfig"],
  // Worker threads are found by their path below this root.
  "--root=src"
]

/** The program and its worker threads, each an entry of its own. */
const entries = ["src/main.ts", ...WORKERS.map((file) => `src/${file}`)]

/** The dashboard, bundled, in one file that is put into the program as it is (see src/web/Assets.ts). */
const PAGE = path("dist/dashboard.page")

export const build = async (args: ReadonlyArray<string>): Promise<number> => {
  const targets = targetsOf(args)
  if (targets === undefined) {
    console.error(`usage: bun run build [--all | --target ${Object.keys(TARGETS).join(" | --target ")}]`)
    return 2
  }
  const page = await capture([bun(), "scripts/page.ts", PAGE])
  if (page.code !== 0) {
    console.log(page.output.trimEnd())
    report("build", `FAILED: the dashboard cannot be bundled (exit ${page.code})`, page.seconds)
    return page.code
  }
  if (targets.length === 0) return ordered("signalbox")
  let code = 0
  for (const target of targets) code ||= await cross(target)
  return code
}

/** Undefined for invalid arguments; no target means this machine. */
const targetsOf = (args: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
  if (args.length === 0) return []
  if (args.length === 1 && args[0] === "--all") return Object.keys(TARGETS)
  const names = args
    .join(" ")
    .replaceAll("--target=", "--target ")
    .split(/(?:^| )--target /)
    .slice(1)
  return names.length > 0 && names.every((name) => name in TARGETS) ? names : undefined
}

/** Compiles the program for this machine twice: the second time in the sequence in which its start runs it. */
const ordered = async (name: string): Promise<number> =>
  (await compile(name, [])) ||
  withOrder(path(`dist/${name}`), async (order) =>
    order === undefined ? 0 : compile(name, [`--bytecode-order=${order}`])
  )

const cross = async (target: string): Promise<number> => {
  const { file, flaw } = await runtime(target)
  if (flaw !== undefined) {
    console.log(flaw)
    report("build", `FAILED: the runtime ${TARGETS[target]} cannot be installed`)
    return 1
  }
  return compile(`signalbox-${target}`, [`--target=bun-${target}`, `--compile-executable-path=${file}`])
}

/** The folder for source maps. */
const MAPS = "dist/maps"

/** Source maps beside the program or in the working folder, depending on the bundler's version. */
const maps = (): ReadonlyArray<string> =>
  [".", "dist"].flatMap((folder) =>
    readdirSync(path(folder))
      .filter((name) => name.endsWith(".map"))
      .map((name) => `${folder}/${name}`)
  )

const compile = async (name: string, more: ReadonlyArray<string>): Promise<number> => {
  const binary = path(`dist/${name}`)
  // Maps of an older build have other names: remove them first.
  for (const map of [...maps(), MAPS]) rmSync(path(map), { recursive: true, force: true })
  mkdirSync(path(MAPS), { recursive: true })
  const result = await capture([bun(), "build", ...flags, ...more, ...entries, PAGE, "--outfile", binary])
  for (const map of maps()) renameSync(path(map), path(`${MAPS}/${basename(map)}`))
  if (result.code !== 0 || !existsSync(binary)) {
    console.log(result.output.trimEnd())
    report("build", `FAILED (exit ${result.code})`, result.seconds)
    return result.code || 1
  }
  report("build", `dist/${name}, ${(statSync(binary).size / 2 ** 20).toFixed(1)} MiB`, result.seconds)
  return 0
}
