// `build`: one program with everything in it, dist/signalbox.
import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from "node:fs"
import { bun, capture, path, report } from "./command.ts"

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
  "src/prices/live/worker.ts"
]

export const build = async (): Promise<number> => {
  const binary = path("dist/signalbox")
  mkdirSync(path("dist"), { recursive: true })
  const result = await capture([bun(), "build", ...flags, ...entries, "--outfile", binary])
  for (const name of readdirSync(path("."))) {
    if (name.endsWith(".map")) renameSync(path(name), path(`dist/${name}`))
  }
  if (result.code !== 0 || !existsSync(binary)) {
    console.log(result.output.trimEnd())
    report("build", `FAILED (exit ${result.code})`, result.seconds)
    return result.code || 1
  }
  report("build", `dist/signalbox, ${(statSync(binary).size / 2 ** 20).toFixed(1)} MiB`, result.seconds)
  return 0
}
