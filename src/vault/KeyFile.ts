// Makes the master key's file, readable by its owner only. Two processes that make one at the same moment both get
// the same key.
import { dirname } from "node:path"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { VaultLocked } from "../services/money/Vault.ts"
import * as MasterKey from "./MasterKey.ts"
import { type Sources, VARIABLE } from "./Sources.ts"

/**
 * Returns the master key's place, and makes a key where there is none: in the first of the folders that can be
 * written to.
 */
export const ensure = Effect.fn("KeyFile.ensure")(function* (sources: Sources) {
  const known = yield* MasterKey.find(sources)
  if (Option.isSome(known)) return { origin: known.value, isNew: false }
  const paths = MasterKey.filesOf(sources)
  if (!Arr.isNonEmptyReadonlyArray(paths)) {
    const reason = `there is no folder for a master key here: set HOME, or ${VARIABLE}`
    return yield* new VaultLocked({ reason })
  }
  const key = yield* MasterKey.draw
  // A service can often not write to its configuration folder, but to its home.
  return yield* Effect.firstSuccessOf(
    paths.map((path) =>
      Effect.map(write(path, key), (isNew) => {
        const origin: MasterKey.Origin = { _tag: "File", path }
        return { origin, isNew }
      })
    )
  )
})

/** Writes a key to a file that does not exist yet, and fsyncs it. Returns false if the file exists by then. */
export const write = Effect.fn("KeyFile.write")(function* (path: string, key: MasterKey.MasterKey) {
  const { closeSync, fsyncSync, linkSync, mkdirSync, openSync, rmSync, writeSync } = yield* MasterKey.files
  const temporary = `${path}.${Encoding.encodeHex(crypto.getRandomValues(new Uint8Array(6)))}`
  const toDisk = (path: string, flags: string, text?: string) => {
    const file = openSync(path, flags, 0o600)
    try {
      if (text !== undefined) writeSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  }
  return yield* Effect.try({
    try: () => {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      try {
        toDisk(temporary, "wx", `${Encoding.encodeHex(Redacted.value(key.bytes))}\n`)
        // A link, unlike a rename, fails if the file exists.
        linkSync(temporary, path)
      } catch (cause) {
        if (MasterKey.codeOf(cause) === "EEXIST") return false
        throw cause
      } finally {
        rmSync(temporary, { force: true })
      }
      toDisk(dirname(path), "r")
      return true
    },
    catch: (cause) =>
      new VaultLocked({ reason: `the master key ${path} cannot be written (${MasterKey.codeOf(cause)})` })
  })
})
