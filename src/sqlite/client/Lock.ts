import { Database } from "bun:sqlite"
import { existsSync, realpathSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { DatabaseUnavailable, MEMORY, prepare } from "./Client.ts"
import { codeOf, isBusyCode, reasonOf } from "./Failure.ts"

export class DatabaseServed extends Schema.TaggedError<DatabaseServed>()("DatabaseServed", {
  filename: Schema.String
}) {
  override get message() {
    return `another process serves the database ${this.filename}: stop it first, or take another with --db`
  }
}

/** The lock's file. By the database's one true name: two links to it must not make two servers. */
export const lockOf = (filename: string): string =>
  `${existsSync(filename) ? realpathSync(filename) : filename}.lock`

/**
 * Makes us the one server of a database, for as long as the layer lives. A lock on a file of its own, so that
 * commands may go on using the database itself; the kernel frees it however we end.
 */
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
          // Nothing is ever written to the file: a server must be able to start on a full disk.
          file.run("PRAGMA journal_mode = MEMORY")
          file.run("BEGIN EXCLUSIVE")
        },
        catch: refused
      })
    })
  )
