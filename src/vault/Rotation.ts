// Replaces the master key's file in steps. The machine may stop between any two of them, and every running server can
// read at each:
// 1. write the new key beside the current one (`.new`)
// 2. seal every secret with the new key
// 3. put the new key in the place of the current one, which stays beside it as `.old`
// 4. remove `.old` once nothing is sealed with it
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { VaultLocked } from "../services/money/Vault.ts"
import * as KeyFile from "./KeyFile.ts"
import * as MasterKey from "./MasterKey.ts"
import type { Sources } from "./Sources.ts"

const NEXT = ".new"
const LAST = ".old"

/** The readable keys beside the master key while it is being replaced. */
export const besides = (sources: Sources) =>
  Effect.flatMap(MasterKey.find(sources), (origin) =>
    Option.isSome(origin) && origin.value._tag === "File" ? beside(origin.value.path) : Effect.succeed([])
  )

const beside = Effect.fnUntraced(function* (path: string) {
  const { existsSync } = yield* MasterKey.files
  const paths = [NEXT, LAST].map((end) => path + end).filter((path) => existsSync(path))
  const keys = yield* Effect.forEach(paths, (path) =>
    Effect.option(MasterKey.readFrom({ _tag: "File", path }))
  )
  return keys.flatMap(Option.toArray)
})

/** Step 1: returns the new key. A rotation that was cut short left one, which is used again. */
export const begin = Effect.fn("Rotation.begin")(function* (path: string) {
  const next = path + NEXT
  const { existsSync } = yield* MasterKey.files
  if (!existsSync(next)) yield* KeyFile.write(next, yield* MasterKey.draw)
  return yield* MasterKey.readFrom({ _tag: "File", path: next })
})

/** Step 3: the new key takes the place of the current one. */
export const swap = (path: string) =>
  change(path, ({ linkSync, renameSync, rmSync }) => {
    rmSync(path + LAST, { force: true })
    linkSync(path, path + LAST)
    renameSync(path + NEXT, path)
  })

/** Step 4: removes the old key. */
export const end = (path: string) => change(path, ({ rmSync }) => rmSync(path + LAST, { force: true }))

/** Changes the files and fsyncs their folder. */
const change = Effect.fnUntraced(function* (path: string, work: (files: typeof import("node:fs")) => void) {
  const files = yield* MasterKey.files
  yield* Effect.try({
    try: () => {
      work(files)
      const folder = files.openSync(dirname(path), "r")
      files.fsyncSync(folder)
      files.closeSync(folder)
    },
    catch: (cause) =>
      new VaultLocked({ reason: `the master key ${path} cannot be changed (${MasterKey.codeOf(cause)})` })
  })
})
