import { Database } from "bun:sqlite"
import { existsSync, linkSync, realpathSync, renameSync, rmdirSync, rmSync, statSync } from "node:fs"
import { basename, dirname, resolve } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Lock from "../client/Lock.ts"
import * as ReadOnly from "../client/ReadOnly.ts"
import { inRealTime } from "../client/RealTime.ts"
import * as LedgerChain from "../rows/LedgerChain.ts"
import * as Sqlite from "../Sqlite.ts"
import * as Verify from "../Verify.ts"
import * as Backup from "./Backup.ts"
import * as Disarmed from "./Disarmed.ts"
import { partOf, place, stamp } from "./Durable.ts"
import * as Restores from "./Restores.ts"

export interface Restore {
  readonly verdict: Verify.Verdict
  /** Where the database is now that was there before. */
  readonly aside: string | undefined
}

/**
 * Puts a backup in place of a database that nobody serves: copied, brought to our version, marked as restored and
 * verified under another name first. With faults in the verdict nothing was changed. The database that was there
 * before is kept beside it, under a dated name.
 */
export const restore = Effect.fn("Restore.restore")(function* (
  from: string,
  file: string,
  options: { readonly force: boolean }
) {
  const failed = (reason: string) => new Backup.BackupFailed({ file, reason })
  yield* Effect.scoped(ReadOnly.open(from))
  if (existsSync(file) && realpathSync(file) === realpathSync(from))
    return yield* failed("it is the backup itself")
  const isNew = !existsSync(file)
  const folders = missing(dirname(resolve(file)))
  const hadLock = existsSync(Lock.lockOf(file))
  let isPlaced = false
  // The lock needs a file by this name, in a folder: should nothing come of it, they were never there.
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      if (isNew && isEmpty(file)) rmSync(file)
      remove(folders)
    })
  )
  // For as long as this takes, no server may start on it.
  yield* Layer.build(Lock.layer(file))
  // While it is still ours: nobody else can have it by then.
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      if (!isPlaced && !hadLock) rmSync(Lock.lockOf(file), { force: true })
    })
  )
  if (!isNew && !options.force)
    return yield* failed(
      "there is a database already; --force puts the backup in its place, and keeps it aside"
    )
  const part = yield* partOf(file)
  yield* Effect.mapError(Backup.here(from, part), (error) => failed(Backup.wordsOf(error, file)))
  yield* mark(part, basename(from))
  const verdict = yield* Verify.verify(part)
  if (verdict.faults.length > 0) return { verdict, aside: undefined } satisfies Restore
  const aside = isNew ? undefined : `${file}.replaced-${yield* stamp}`
  yield* Backup.attempt(file, () => {
    if (aside !== undefined) setAside(file, aside)
    clear(file)
    place(part, file)
    isPlaced = true
  })
  return { verdict, aside } satisfies Restore
}, Effect.scoped)

/**
 * Brought to our version, and known to be a restored one ever after; in one file again when done. Nobody is signed in:
 * who signed out since the backup was written would be so again. Nothing is entered, and nobody is armed.
 */
const mark = (part: string, file: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const at = yield* inRealTime(Clock.currentTimeMillis)
    const head = yield* LedgerChain.present
    yield* sql`DELETE FROM sessions`
    yield* Restores.record({ at: Math.floor(at / 1000), file, head })
    yield* Disarmed.mark(file, at)
    yield* sql`PRAGMA journal_mode = DELETE`
  }).pipe(Effect.provide(Sqlite.layer({ filename: part, keep: false })))

/** Of a sound database all is in its one file then; of a broken one the log goes with it as it is. */
const setAside = (file: string, aside: string): void => {
  tidy(file)
  if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${aside}-wal`)
  try {
    // So that there is a database of this name at all times.
    linkSync(file, aside)
  } catch {
    renameSync(file, aside)
  }
}

const tidy = (file: string): void => {
  try {
    const database = new Database(file, { readwrite: true, create: false })
    try {
      database.run("PRAGMA journal_mode = DELETE")
    } finally {
      database.close(true)
    }
  } catch {
    // Too broken to be opened, or in use by a command: its log is kept as it stands.
  }
}

/** The folders of a path that are not there, the innermost first. */
const missing = (folder: string): ReadonlyArray<string> =>
  existsSync(folder) ? [] : [folder, ...missing(dirname(folder))]

const remove = (folders: ReadonlyArray<string>): void => {
  try {
    for (const folder of folders) rmdirSync(folder)
  } catch {
    // Not empty: they are in use.
  }
}

const isEmpty = (file: string): boolean => existsSync(file) && statSync(file).size === 0

/** Left over from the database before, these would be taken for the new one's. */
const clear = (file: string): void => {
  for (const end of ["-wal", "-shm", "-journal"]) rmSync(file + end, { force: true })
}
