// A file as the source of a move: nobody serves it, and nobody writes to it until it is marked as moved.
import { Database } from "bun:sqlite"
import { existsSync, realpathSync, statSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ChangeWatch } from "../../sql/client/ChangeWatch.ts"
import { DatabaseUnavailable } from "../../sql/client/DatabaseErrors.ts"
import { codeOf, isBusyCode, reasonOf } from "../../sql/client/SqlErrors.ts"
import type { Origin } from "../../sql/moves/Move.ts"
import * as MoveRows from "../../sql/moves/MoveRows.ts"
import * as Client from "../client/Client.ts"
import * as Lock from "../client/Lock.ts"
import * as Migrations from "../Migrations.ts"
import * as Verify from "../Verify.ts"
import * as FileEnd from "./FileEnd.ts"

/** How long another process may still write (ms). */
const BUSY_MILLIS = 5_000

/** Opens a file as the source of a move, under its lock; an older one is brought to this program's version. */
export const open = Effect.fn("FileOrigin.open")(function* (path: string) {
  if (!existsSync(path) || statSync(path).size === 0)
    return yield* new DatabaseUnavailable({ filename: path, reason: "there is no such database" })
  const filename = realpathSync(path)
  yield* Layer.build(Lock.layer(filename))
  const standing = yield* Effect.provide(MoveRows.standing, migrated(filename))
  const database = yield* Effect.acquireRelease(begin(filename), (it) => Effect.sync(() => it.close()))
  return {
    ...FileEnd.make(database, filename),
    standing,
    verify: Verify.verify(filename),
    leave: ({ at, id }, to) =>
      FileEnd.attempt(filename, () => {
        database.run("DELETE FROM moves WHERE role = 'source'")
        database.run("INSERT INTO moves (id, at, role, other, finished) VALUES (?, ?, 'source', ?, 1)", [
          id,
          at,
          to
        ])
        database.run("COMMIT")
      })
  } satisfies Origin
})

/** A file that is open for a moment, brought to this program's version; its moves do not matter. */
export const migrated = (filename: string, options: Migrations.Options = {}) =>
  Migrations.layer(filename, options).pipe(
    Layer.provideMerge(Client.layer(filename)),
    Layer.provide(ChangeWatch.layer)
  )

/** A transaction that keeps others from writing; it is undone with the connection. */
const begin = (filename: string) =>
  Effect.try({
    try: () => {
      const database = new Database(filename)
      database.run(`PRAGMA busy_timeout = ${BUSY_MILLIS}`)
      database.run("PRAGMA synchronous = FULL")
      database.run("BEGIN IMMEDIATE")
      return database
    },
    catch: (cause) =>
      new DatabaseUnavailable({
        filename,
        reason: isBusyCode(codeOf(cause))
          ? "another process writes to it: let that one end first"
          : reasonOf(cause)
      })
  })
