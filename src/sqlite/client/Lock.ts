// The lock that allows one server for each database. Commands may still use the database, and the kernel releases the
// lock however the process ends.
import { Database } from "bun:sqlite"
import { existsSync, realpathSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { DatabaseServed, DatabaseUnavailable } from "../../sql/client/DatabaseErrors.ts"
import { codeOf, isBusyCode, reasonOf } from "../../sql/client/SqlErrors.ts"
import { MEMORY, prepare } from "./Client.ts"

/** The lock's file, named after the database's real path: two links to a database share one lock. */
export const lockOf = (filename: string): string =>
  `${existsSync(filename) ? realpathSync(filename) : filename}.lock`

/** Holds the lock for as long as the layer lives; fails with `DatabaseServed` where another process holds it. */
export const layer = (filename: string): Layer.Layer<never, DatabaseServed | DatabaseUnavailable> =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      if (filename === MEMORY) return
      yield* prepare(filename)
      const path = lockOf(filename)
      yield* prepare(path)
      const refused = (cause: unknown) =>
        isBusyCode(codeOf(cause))
          ? new DatabaseServed({ filename })
          : new DatabaseUnavailable({ filename, reason: `${path}: ${reasonOf(cause)}` })
      const file = yield* Effect.acquireRelease(
        Effect.try({ try: () => new Database(path), catch: refused }),
        (file) => Effect.sync(() => file.close())
      )
      yield* Effect.try({
        try: () => {
          // Nothing is ever written to the lock's file: a server must be able to start on a full disk.
          file.run("PRAGMA journal_mode = MEMORY")
          file.run("BEGIN EXCLUSIVE")
        },
        catch: refused
      })
    })
  )
