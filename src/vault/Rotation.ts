import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { VaultLocked } from "../services/money/Vault.ts"
import * as KeyFile from "./KeyFile.ts"
import * as MasterKey from "./MasterKey.ts"
import type { Sources } from "./Sources.ts"

/**
 * A master key file is changed in steps between which the machine may stop, and any server may read: the new key is
 * written beside it; all is sealed anew; the new one takes its place, while the old one is kept beside it; when nothing
 * needs that any more it goes. All three are read until then.
 */
const NEXT = ".new"
const LAST = ".old"

/** Keys beside the master key, while it is being changed. */
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

/** The key that is to come: one that was left over where a change was cut short, else a new one. */
export const begin = Effect.fn("Rotation.begin")(function* (path: string) {
  const next = path + NEXT
  const { existsSync } = yield* MasterKey.files
  if (!existsSync(next)) yield* KeyFile.write(next, yield* MasterKey.draw)
  return yield* MasterKey.readFrom({ _tag: "File", path: next })
})

/** Puts the key to come in its place, once all is sealed with it. */
export const swap = (path: string) =>
  change(path, ({ linkSync, renameSync, rmSync }) => {
    rmSync(path + LAST, { force: true })
    linkSync(path, path + LAST)
    renameSync(path + NEXT, path)
  })

/** Lets go of the old key, once nothing is sealed with it. */
export const end = (path: string) => change(path, ({ rmSync }) => rmSync(path + LAST, { force: true }))

/** On disk when this ends. */
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
