// Writes long output in batches, to a file or to standard output.
import { accessSync, closeSync, constants, openSync, writeSync } from "node:fs"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import { FileError } from "../backtest/files.ts"

/** Characters of one write. */
const BATCH = 2 ** 20

/** Fails if the file's folder cannot be written to: better before hours of work than after. */
export const writable = (file: string) =>
  Effect.try({ try: () => accessSync(dirname(file), constants.W_OK), catch: () => refused(file) })

export const toFile = (file: string, pieces: Iterable<string>) =>
  Effect.try({
    try: () => {
      const target = openSync(file, "w")
      try {
        for (const batch of batches(pieces)) writeSync(target, batch)
      } finally {
        closeSync(target)
      }
    },
    catch: () => refused(file)
  })

/** A reader that closes the pipe (`| head`) is not an error. */
export const toStandardOutput = (pieces: Iterable<string>) =>
  Effect.ignore(
    Effect.tryPromise(async () => {
      for (const batch of batches(pieces)) await Bun.write(Bun.stdout, batch)
    })
  )

const refused = (file: string) => new FileError({ file, text: "cannot be written" })

function* batches(pieces: Iterable<string>): Generator<string> {
  let batch = ""
  for (const piece of pieces) {
    batch += piece
    if (batch.length < BATCH) continue
    yield batch
    batch = ""
  }
  if (batch !== "") yield batch
}
