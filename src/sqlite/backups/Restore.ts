// Puts a backup in place of a database. Everything is prepared and verified under a partial name; the earlier database
// is kept under a dated one.
import { Database } from "bun:sqlite"
import { existsSync, linkSync, realpathSync, renameSync, rmdirSync, rmSync, statSync } from "node:fs"
import { basename, dirname, resolve } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { inRealTime } from "../../services/internal/RealTime.ts"
import * as RestoreMark from "../../sql/restores/RestoreMark.ts"
import * as LedgerChain from "../../sql/rows/LedgerChain.ts"
import type { Verdict } from "../../sql/verify/Verify.ts"
import * as Lock from "../client/Lock.ts"
import * as ReadOnly from "../client/ReadOnly.ts"
import * as Sqlite from "../Sqlite.ts"
import * as Verify from "../Verify.ts"
import * as Backup from "./Backup.ts"
import { partOf, place, stamp } from "./Durable.ts"

export interface Restore {
  readonly verdict: Verdict
  /** The new name of the earlier database, if there was one. */
  readonly aside: string | undefined
}

/**
 * Restores a backup, under the lock of the database:
 * 1. Copy it, migrate it, mark it as restored and verify it.
 * 2. With faults in the verdict, stop: nothing was changed.
 * 3. Rename the earlier database, then place the new one.
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
  // The lock needs the file and its folder: they are removed again where the restore fails.
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      if (isNew && isEmpty(file)) rmSync(file)
      remove(folders)
    })
  )
  // Holds the lock, so that no server may start meanwhile.
  yield* Layer.build(Lock.layer(file))
  // Deletes the lock file while the lock is still held.
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
  yield* Effect.mapError(Backup.copied(Backup.here, from, part), (error) =>
    failed(Backup.wordsOf(error, file))
  )
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

/** Migrates the copy, marks it as restored, and leaves a single file. */
const mark = (part: string, file: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const at = yield* inRealTime(Clock.currentTimeMillis)
    const head = yield* LedgerChain.present
    yield* RestoreMark.mark({ file, at, head })
    yield* sql`PRAGMA journal_mode = DELETE`
  }).pipe(Effect.provide(Sqlite.layer({ filename: part, keep: false })))

/** Moves the earlier database away: a sound one as a single file, a damaged one with its log. */
const setAside = (file: string, aside: string): void => {
  tidy(file)
  if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${aside}-wal`)
  try {
    // A hard link first, so that a database of this name exists at all times.
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
    // Too damaged to be opened, or in use by a command: its log is kept as it is.
  }
}

/** The missing folders of a path, innermost first. */
const missing = (folder: string): ReadonlyArray<string> =>
  existsSync(folder) ? [] : [folder, ...missing(dirname(folder))]

const remove = (folders: ReadonlyArray<string>): void => {
  try {
    for (const folder of folders) rmdirSync(folder)
  } catch {
    // Not empty: in use.
  }
}

const isEmpty = (file: string): boolean => existsSync(file) && statSync(file).size === 0

/** Deletes side files of the earlier database, which SQLite would take for the new one's. */
const clear = (file: string): void => {
  for (const end of ["-wal", "-shm", "-journal"]) rmSync(file + end, { force: true })
}
