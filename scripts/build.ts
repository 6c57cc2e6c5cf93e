// `build`: one program with everything in it, dist/signalbox; for other machines with --target NAME, or --all.
import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from "node:fs"
import { bun, capture, path, report } from "./command.ts"
import { runtime, TARGETS } from "./runtime.ts"

const flags = [
  ...["--compile", "--minify", "--bytecode", "--format=esm", "--sourcemap"],
  // Otherwise the program runs the .env and bunfig.toml of whatever folder it stands in.
  ...["--no-compile-autoload-dotenv", "--no-compile-autoload-bunfig"]
]

/** The program, then its worker threads, each an entry of its own in the built file. */
const entries = [
  "src/main.ts",
  "src/cli/sweep/worker.ts",
  "src/cli/backup/worker.ts",
  "src/prices/live/worker.ts",
  "src/backtests/worker.ts"
]

export const build = async (args: ReadonlyArray<string>): Promise<number> => {
  const targets = targetsOf(args)
  if (targets === undefined) {
    console.error(`usage: bun run build [--all | --target ${Object.keys(TARGETS).join(" | --target ")}]`)
    return 2
  }
  if (targets.length === 0) return compile("signalbox", [])
  let code = 0
  for (const target of targets) code ||= await cross(target)
  return code
}

/** None for this very machine; undefined where the words are not understood. */
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

const cross = async (target: string): Promise<number> => {
  const { file, flaw } = await runtime(target)
  if (flaw !== undefined) {
    console.log(flaw)
    report("build", `FAILED: the runtime ${TARGETS[target]} cannot be installed`)
    return 1
  }
  return compile(`signalbox-${target}`, [`--target=bun-${target}`, `--compile-executable-path=${file}`])
}

const compile = async (name: string, more: ReadonlyArray<string>): Promise<number> => {
  const binary = path(`dist/${name}`)
  mkdirSync(path("dist"), { recursive: true })
  const result = await capture([bun(), "build", ...flags, ...more, ...entries, "--outfile", binary])
  for (const name of readdirSync(path("."))) {
    if (name.endsWith(".map")) renameSync(path(name), path(`dist/${name}`))
  }
  if (result.code !== 0 || !existsSync(binary)) {
    console.log(result.output.trimEnd())
    report("build", `FAILED (exit ${result.code})`, result.seconds)
    return result.code || 1
  }
  report("build", `dist/${name}, ${(statSync(binary).size / 2 ** 20).toFixed(1)} MiB`, result.seconds)
  return 0
}
