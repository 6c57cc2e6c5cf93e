// The sources as they are published: without the program around the library, and with what only works in the
// repository changed into what works in somebody's node_modules.
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { path } from "../command.ts"
import { description, version } from "./manifest.ts"
import { readme } from "./readme.ts"

export const EMIT = "tsconfig.emit.json"
export const PORTABLE = "tsconfig.portable.json"

/** Files that only the program needs: its commands, and the page, which is shipped as a bundle. */
const LEFT_OUT = /^(?:main\.ts|cli\/|web\/page\/)/

interface Change {
  readonly file: string
  readonly from: RegExp
  readonly to: string
}

/** Each change must match something, or else the sources have changed. */
const changes: ReadonlyArray<Change> = [
  {
    file: "Server.ts",
    from: /^import manifest from .*$/gm,
    to: `const manifest = { version: ${JSON.stringify(version())} }`
  },
  { file: "backtests/Program.ts", from: /"\.\/main\.ts"/g, to: `"./main.js"` },
  { file: "WorkerAddress.ts", from: /(?<=`\.\/)\$\{file(?=\}`)/g, to: "$${file.replace(/ts$/, 'js')" },
  // ccxt exports only all exchanges at once: its other files are found beside its entry.
  ...["binance", "bitget", "bybit", "coinbase", "kraken", "kucoin", "okx"].map((name) => ({
    file: `ccxt/descriptors/${name}.ts`,
    from: /await import\("\.\.\/\.\.\/\.\.\/node_modules\/ccxt\/js\/([^"]+)"\)/g,
    to: `await import(new URL("$1", import.meta.resolve("ccxt")).href)`
  })),
  {
    file: "ccxt/tap.ts",
    from: /^import \{ BaseError \} from "\.\.\/\.\.\/node_modules\/ccxt\/js\/([^"]+)"$/gm,
    to: `const { BaseError } = await import(new URL("$1", import.meta.resolve("ccxt")).href)`
  }
]

/** Copies what is published to `folder`, and says there how it is to be emitted. */
export const stage = (folder: string): void => {
  const from = path("src")
  const to = path(join(folder, "src"))
  for (const file of filesOf(from)) {
    if (LEFT_OUT.test(file) || !file.endsWith(".ts")) continue
    const text = readFileSync(join(from, file), "utf8")
    mkdirSync(dirname(join(to, file)), { recursive: true })
    writeFileSync(join(to, file), changed(file, text))
  }
  const root = relative(path(folder), path("."))
  const extended = { extends: `${root}/tsconfig.json`, include: ["src"] }
  const emitted = {
    ...{ noEmit: false, noCheck: true, rewriteRelativeImportExtensions: true },
    ...{ target: "ES2022", rootDir: "src", outDir: "dist" },
    ...{ declaration: true, declarationMap: true, sourceMap: true }
  }
  // Node 20's library, without Bun's.
  const portable = { lib: ["ES2023", "ES2024.String", "DOM", "DOM.Iterable"], types: [] }
  const write = (name: string, compilerOptions: object, include: ReadonlyArray<string>) =>
    writeFileSync(
      path(join(folder, name)),
      JSON.stringify({ ...extended, compilerOptions: { ...compilerOptions, plugins: [] }, include })
    )
  write(EMIT, emitted, ["src"])
  write(PORTABLE, portable, [
    ...[
      "src/index.ts",
      "src/Memory.ts",
      "src/api",
      "src/domain",
      "src/services",
      "src/testing",
      "src/testing.ts",
      "src/trading"
    ],
    "src/http/Mount.ts"
  ])
  texts(folder)
}

/** What is read beside the code: a README of its own, the changes, the licence, and the examples. */
const texts = (folder: string): void => {
  const put = (name: string, text: string) => writeFileSync(path(join(folder, name)), text)
  put("README.md", readme(readFileSync(path("src/guide/embedding.md"), "utf8"), description()))
  put("LICENSE", licence())
  cpSync(path("scripts/CHANGELOG.md"), path(join(folder, "CHANGELOG.md")))
  const examples = path("test/examples")
  for (const file of filesOf(examples)) {
    // Of its folder lib the examples import these; the rest runs them here.
    if (file === "index.ts" || (file.startsWith("lib/") && !SHARED.has(file))) continue
    cpSync(join(examples, file), path(join(folder, "examples", file)))
  }
}

/** What the examples import of their own folder. */
const SHARED: ReadonlySet<string> = new Set(["lib/nodeServer.ts", "lib/trader.ts", "lib/venue.ts"])

export const page = (folder: string): string => path(join(folder, "dist/web/dashboard.page"))

/** Replaces source names in declarations by emitted ones. */
export const settle = (folder: string): void => {
  const dist = path(join(folder, "dist"))
  for (const file of filesOf(dist)) {
    if (!file.endsWith(".d.ts")) continue
    const text = readFileSync(join(dist, file), "utf8")
    writeFileSync(join(dist, file), text.replace(/((?:from |import\(|import )"\.[^"\n]*)\.ts"/g, '$1.js"'))
  }
}

/** Source maps that lead out of our sources: the code of others has its maps elsewhere, if at all. */
export const foreignMaps = (folder: string): ReadonlyArray<string> => {
  const [dist, ours] = [path(join(folder, "dist")), path(join(folder, "src"))]
  return filesOf(dist)
    .filter((file) => file.endsWith(".map"))
    .flatMap((file) => {
      const { sources }: { readonly sources: ReadonlyArray<string> } = JSON.parse(
        readFileSync(join(dist, file), "utf8")
      )
      const away = sources.filter((source) => relative(ours, join(dist, file, "..", source)).startsWith(".."))
      return away.map((source) => `${file} maps ${source}, which is not ours`)
    })
}

export const filesOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => statSync(join(folder, file)).isFile())
    .sort()

const changed = (file: string, text: string): string =>
  changes
    .filter((change) => change.file === file)
    .reduce((before, { from, to }) => {
      const after = before.replace(from, to)
      if (after === before) throw new Error(`src/${file} holds nothing like ${from} any more`)
      return after
    }, text)

/** The licence's text from the README. */
const licence = (): string => {
  const [, text = ""] = /^(MIT License\n[\s\S]*)/m.exec(readFileSync(path("README.md"), "utf8")) ?? []
  if (text === "") throw new Error("the README holds no licence any more")
  return text
}
