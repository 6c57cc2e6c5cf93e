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

/** How long a reader that is behind is waited for before the next try (ms). */
const WAIT_MS = 5
/** Bytes of one write to standard output: a pipe takes no more at a time. */
const PIPED = 2 ** 16

/**
 * A reader that closes the pipe (`| head`) is not an error. The bytes are written here, since Bun.write writes a part of a
 * long text twice where a pipe takes it in portions.
 */
export const toStandardOutput = (pieces: Iterable<string>) =>
  Effect.ignore(
    Effect.gen(function* () {
      const encoder = new TextEncoder()
      for (const batch of batches(pieces)) {
        const bytes = encoder.encode(batch)
        for (let at = 0; at < bytes.length; ) {
          const taken = yield* Effect.try(() => portion(bytes.subarray(at, at + PIPED)))
          at += taken
          if (taken === 0) yield* Effect.sleep(WAIT_MS)
        }
      }
    })
  )

/** The bytes that standard output takes now; 0 where it is full. */
const portion = (bytes: Uint8Array): number => {
  try {
    return writeSync(1, bytes)
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EAGAIN") return 0
    throw error
  }
}

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
