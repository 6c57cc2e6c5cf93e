// Seals what older programs left unsealed, before anybody uses it, and rewrites the file so that no old page holds it.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { reasonOf } from "../../sql/client/SqlErrors.ts"
import { sealTargets } from "../../sql/sealing/SealTargets.ts"

/**
 * Seals the channels of all targets with the master key, which is created where there is none, then rewrites the file.
 * Without a key or without room, everything stays as it is, the log says so, and the next start tries again: a server
 * does not stay down for that.
 */
export const sealAll = Effect.gen(function* () {
  yield* thoroughly(sealTargets)
  yield* clearOldPages
}).pipe(
  Effect.catchTag("SqlError", ({ cause }) =>
    Effect.logWarning(
      `secrets of notifications may still stand in the database as they are: ${reasonOf(cause)}; the next start tries again`
    )
  ),
  Effect.withSpan("Sealing.sealAll")
)

/** Runs an effect with secure deletion: overwritten or deleted rows leave nothing in their pages. */
const thoroughly = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.acquireUseRelease(
      Effect.zipLeft(
        Effect.map(sql.unsafe("PRAGMA secure_delete").values, ([row]) => Number(row?.[0] ?? 0)),
        sql.unsafe("PRAGMA secure_delete = 1")
      ),
      () => self,
      (before) => Effect.ignore(sql.unsafe(`PRAGMA secure_delete = ${before === 2 ? "FAST" : before}`))
    )
  )

/** The largest database that is rewritten in memory, in bytes; a larger one uses a temporary file. */
const MOST_IN_MEMORY = 134_217_728

/** Rewrites the whole file where that is due. */
const clearOldPages = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const number = (statement: string) =>
    Effect.map(sql.unsafe(statement).values, ([row]) => Number(row?.[0] ?? 0))
  if ((yield* number("SELECT count(*) FROM chores WHERE name = 'clear_old_pages'")) === 0) return
  const bytes = yield* number("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
  yield* Effect.acquireUseRelease(
    sql.unsafe(`PRAGMA temp_store = ${bytes > MOST_IN_MEMORY ? "FILE" : "MEMORY"}`),
    () => thoroughly(sql.unsafe("VACUUM")),
    () => Effect.ignore(sql.unsafe("PRAGMA temp_store = MEMORY"))
  )
  // Empties the write-ahead log into the file, unless somebody is reading just now.
  const isBusy = (yield* number("PRAGMA wal_checkpoint(TRUNCATE)")) !== 0
  if (isBusy)
    return yield* Effect.logWarning("old pages stay in the write-ahead log: the next start tries again")
  yield* sql`DELETE FROM chores WHERE name = 'clear_old_pages'`
  yield* Effect.logInfo("the database was written anew: no page of it holds unsealed secrets")
})
