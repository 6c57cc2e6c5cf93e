// Compiles the program with marks: at the beginning and the end of each module's evaluation, and at the steps of `serve`.
import { resolve } from "node:path"
import { WORKERS } from "../../../src/WorkerAddress.ts"

/** A moment of a start (ms since the process began). */
export interface Mark {
  readonly kind: "begin" | "end" | "step"
  readonly name: string
  readonly time: number
}

/** The variable that names the file into which a marked program writes its marks, a moment after it listens. */
export const MARKS = "BENCH_MARKS"

const root = resolve(import.meta.dir, "../../..")

/** Where steps begin: before a text that occurs once in its file. */
export const STEPS: ReadonlyArray<{ readonly file: string; readonly before: string; readonly step: string }> =
  [
    {
      file: "src/cli/program/signalbox.ts",
      before: "const words = args.slice(2)\n    const commands",
      step: "command line"
    },
    { file: "src/Server.ts", before: "const error = Config.errorOf(options)", step: "settings and layers" },
    {
      file: "src/sqlite/client/Lock.ts",
      before: "if (filename === MEMORY) return",
      step: "lock and opening"
    },
    {
      file: "src/sqlite/Migrations.ts",
      before: "const version = latest(migrations)\n  //",
      step: "migrations"
    },
    { file: "src/sql/Accounts.ts", before: "const known = yield* Cache.make(MAX_KNOWN", step: "ports" },
    {
      file: "src/services/engine/EngineLayer.ts",
      before: "const desk = yield* EngineState",
      step: "engine: first reads"
    },
    { file: "src/services/engine/EngineLayer.ts", before: "const bots = Bots.of(", step: "use cases" },
    { file: "src/http/edge/Edge.ts", before: "const context = yield* Layer.build(doorways)", step: "doors" },
    { file: "src/http/edge/Listener.ts", before: "const scope = yield* Effect.scope\n", step: "listening" }
  ]

/** Writes the marks to the file of the environment, whole from the first moment, once the program has listened for a while. */
const EPILOGUE = `
if (process.env.${MARKS}) setTimeout(() => {
  const [fs, file] = [require("node:fs"), process.env.${MARKS}]
  fs.writeFileSync(file + ".part", JSON.stringify(globalThis.__marks))
  fs.renameSync(file + ".part", file)
}, 300)`

const mark = (kind: Mark["kind"], name: string) =>
  `;(globalThis.__marks ??= []).push({ kind: "${kind}", name: "${name}", time: performance.now() });`

/** A module's text with its marks. */
const marked = (file: string, text: string): string => {
  let inside = text
  for (const { before, step } of STEPS.filter((it) => it.file === file)) {
    if (inside.split(before).length !== 2) throw new Error(`${file} does not hold once: ${before}`)
    inside = inside.replace(before, () => `${mark("step", step)} ${before}`)
  }
  const end = file === "src/main.ts" ? EPILOGUE : ""
  return `${mark("begin", file)}\n${inside}\n${mark("end", file)}${end}`
}

/** Compiles the marked program as `bun run build` does, but for the sequence of its code and the lazy compiler. */
export const compileMarked = async (outfile: string): Promise<void> => {
  const built = await Bun.build({
    entrypoints: [
      ...["main.ts", ...WORKERS].map((file) => `${root}/src/${file}`),
      `${root}/dist/dashboard.page`
    ],
    root: `${root}/src`,
    target: "bun",
    format: "esm",
    minify: true,
    bytecode: true,
    splitting: true,
    compile: { outfile, autoloadDotenv: false, autoloadBunfig: false },
    plugins: [
      {
        name: "marks",
        setup: (build) => {
          build.onLoad({ filter: /\.(?:ts|js|mjs)$/ }, async ({ path }) => {
            const text = await Bun.file(path).text()
            const loader = path.endsWith(".ts") ? "ts" : "js"
            // Only modules of ECMAScript may begin with a statement.
            const isModule = /^\s*(?:import|export)\b/m.test(text)
            return { contents: isModule ? marked(path.slice(root.length + 1), text) : text, loader }
          })
        }
      }
    ]
  })
  if (!built.success) throw new Error(built.logs.join("\n"))
}
