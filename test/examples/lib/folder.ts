// Somebody's app: a folder with a package.json, the tarball, and examples as its sources.
import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { bun, path } from "../../../scripts/command.ts"
import { entries } from "../../../scripts/package/doors.ts"
import * as Manifest from "../../../scripts/package/manifest.ts"
import { programs } from "./guide.ts"
import { runIn } from "./shell.ts"

/** A new project: what `npm init` makes, and the tarball beside it. */
export const begin = (folder: string): void => {
  mkdirSync(folder, { recursive: true })
  const manifest = { name: "app", version: "1.0.0", private: true, type: "module" }
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`)
  place(folder)
}

/** Puts the tarball there, under the name that the guide has for it. */
export const place = (folder: string): void => {
  const tarball = Manifest.tarball()
  cpSync(path(tarball), join(folder, basename(tarball)))
}

/** The examples, those of the guide, and one that goes through every door. */
export const lay = (folder: string): void => {
  const from = path("test/examples")
  layShared(folder)
  for (const file of readdirSync(from)) {
    if (file.endsWith(".ts") && file !== "index.ts") cpSync(join(from, file), join(folder, file))
  }
  layGuide(folder, programs().length)
  const doors = entries("dist/package").map(([door]) => door.replace(/^\./, "signalbox"))
  const portable = doors.filter((door) => !/\/(?:postgres|server|sqlite)$/.test(door))
  writeFileSync(join(folder, "every-door.ts"), throughAll(portable))
  writeFileSync(join(folder, "every-door-bun.ts"), throughAll(doors))
}

/** Some of the examples by name, and the README's program. */
export const layFew = (folder: string, names: ReadonlyArray<string>): void => {
  layShared(folder)
  layGuide(folder, 1)
  for (const name of names) {
    if (name !== "guide-1") cpSync(path(`test/examples/${name}.ts`), join(folder, `${name}.ts`))
  }
}

const layGuide = (folder: string, most: number) => {
  for (const [index, program] of programs().slice(0, most).entries())
    writeFileSync(join(folder, `guide-${index + 1}.ts`), program)
}

const layShared = (folder: string) => {
  mkdirSync(join(folder, "lib"), { recursive: true })
  for (const file of SHARED) cpSync(path(`test/examples/lib/${file}`), join(folder, "lib", file))
}

/** What the examples share, which belongs to them; all else in this folder runs them. */
export const SHARED = ["nodeServer.ts", "trader.ts", "venue.ts"]

const throughAll = (doors: ReadonlyArray<string>): string =>
  [
    ...doors.map((door, index) => `import * as door${index} from ${JSON.stringify(door)}`),
    `const doors: ReadonlyArray<object> = [${doors.map((_, index) => `door${index}`).join(", ")}]`,
    `const names = doors.reduce((sum: number, door) => sum + Object.keys(door).length, 0)`,
    'console.log(doors.length + " doors open, " + names + " names behind them")'
  ].join("\n")

/** As strictly as Node resolves. The types of Node and Bun are this repository's, so that an app needs none. */
const OPTIONS = {
  ...{ module: "NodeNext", target: "ES2022", lib: ["ES2023"], types: ["bun-types"] },
  ...{ typeRoots: [path("node_modules")], rewriteRelativeImportExtensions: true },
  ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  ...{ outDir: "out", rootDir: "." }
}

/** Errors in declarations of others are theirs; those in ours are what an app would see. */
const OURS = /^(?:(?!node_modules\/)|node_modules\/signalbox\/|node_modules\/\.(?:pnpm|bun)\/signalbox@)/

/** Compiles the sources, and with them the declarations that they lead to; gives the errors. */
export const compile = async (folder: string): Promise<string | undefined> => {
  const config = { compilerOptions: { ...OPTIONS, skipLibCheck: false }, include: ["*.ts", "lib/*.ts"] }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config))
  const tsc = [bun(), path("node_modules/.bin/tsc"), "-p", ".", "--pretty", "false"]
  const { code, err, out } = await runIn(folder, tsc)
  const errors = out.split("\n").filter((line) => /\berror TS\d+:/.test(line))
  const ours = errors.filter((line) => OURS.test(line))
  if (code !== 0 && errors.length === 0) return `${out}\n${err}`
  return ours.length === 0 ? undefined : ours.join("\n")
}
