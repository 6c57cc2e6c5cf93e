// Has the compiler emit the declarations of all that is public, into dist/api/types.
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { bun, capture, path } from "../command.ts"
import type { Door } from "./doors.ts"
import { type Example, nameOf, padded } from "./examples.ts"

const FOLDER = "dist/api"

/** Where the declarations of a source are. */
export const declarationsOf = (file: string) => `${FOLDER}/types/${file.replace(/\.ts$/, ".d.ts")}`

/**
 * Emits the declarations, and type-checks the examples in the same run of the compiler. Returns the compiler's
 * errors; empty if there are none.
 */
export const emit = async (all: ReadonlyArray<Door>, shown: ReadonlyArray<Example>): Promise<string> => {
  rmSync(path(FOLDER), { recursive: true, force: true })
  mkdirSync(path(`${FOLDER}/examples`), { recursive: true })
  for (const example of shown) writeFileSync(path(`${FOLDER}/examples/${nameOf(example)}`), padded(example))
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    noUnusedLocals: false,
    rootDir: "../..",
    outDir: "types",
    typeRoots: ["../../node_modules"],
    paths: Object.fromEntries(all.map(({ file, name }) => [name, [`../../${file}`]]))
  }
  const files = all.map(({ file }) => `../../${file}`)
  const include = ["examples"]
  writeFileSync(
    path(`${FOLDER}/tsconfig.json`),
    JSON.stringify({ extends: "../../tsconfig.json", compilerOptions, files, include, exclude: [] })
  )
  const tsc = await capture([bun(), path("node_modules/.bin/tsc"), "--project", `${FOLDER}/tsconfig.json`])
  return tsc.code === 0 ? "" : tsc.output.trimEnd()
}
