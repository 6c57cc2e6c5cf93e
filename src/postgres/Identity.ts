// Finds a database that was copied, restored or set back in time, and halts it: it may lack orders that were made since.
// Each database names itself in its own rows; the last alert of each is also kept in a file of this machine.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { inRealTime } from "../services/internal/RealTime.ts"
import { reasonOf } from "../sql/client/SqlErrors.ts"
import * as RestoreMark from "../sql/restores/RestoreMark.ts"
import * as LedgerChain from "../sql/rows/LedgerChain.ts"
import * as Rows from "../sql/rows/Rows.ts"

/** How often the last alert is written to the file of this machine. */
const NOTE = "1 second"

const rows = Rows.reader(
  Schema.Struct({
    system: Schema.NullOr(Schema.String),
    oid: Schema.NullOr(Schema.Int),
    last: Schema.Int
  })
)

/** The Postgres system, where this user may read it, and the database in it. */
interface Identity {
  readonly system: string
  readonly oid: number
}

/** Where the last alert of a database is kept: in the folder of the server's data. */
export const fileOf = (folder: string, { oid, system }: Identity): string =>
  join(folder, `postgres-${system === "" ? "unknown" : system}-${oid}.json`)

const Note = Schema.parseJson(Schema.Struct({ last: Schema.Int }))
const readNote = Schema.decodeUnknownOption(Note)

/** The last alert that this machine saw; 0 where it saw none. */
const noted = (file: string): number => {
  try {
    return Option.getOrElse(
      Option.map(readNote(readFileSync(file, "utf8")), ({ last }) => last),
      () => 0
    )
  } catch {
    return 0
  }
}

const note = (file: string, last: number): void => {
  const part = `${file}.part`
  writeFileSync(part, `${JSON.stringify({ last })}\n`, { mode: 0o600 })
  renameSync(part, file)
}

const present = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const [database] = yield* sql<{ readonly oid: number }>`SELECT oid::bigint AS oid FROM pg_database
    WHERE datname = current_database()`
  // Some hosts let nobody read it.
  const [control] = yield* Effect.orElseSucceed(
    sql<{ readonly system: string }>`SELECT system_identifier::text AS system FROM pg_control_system()`,
    () => []
  )
  return { system: control?.system ?? "", oid: database?.oid ?? 0 } satisfies Identity
})

/** Why the database is not the one that was served last; undefined where it is, or is new. */
const changeOf = (
  { oid, system }: Identity,
  stored: { readonly system: string | null; readonly oid: number | null; readonly last: number },
  seen: number
): string | undefined => {
  // Who may not read the system tells nothing by that: the rights of a user change, and the database does not.
  const isOfOther = ![system, "", null].includes(stored.system) && system !== ""
  const isOther = stored.oid !== null && (stored.oid !== oid || isOfOther)
  if (isOther) return "a copy of another database of Postgres"
  return seen > stored.last ? "an earlier state of it, by Postgres" : undefined
}

/** Looks who the database is, and marks it as restored where it is not who it was. */
const examined = Effect.fn("Identity.examined")(function* (
  folder: string
): Effect.fn.Return<string, SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const identity = yield* present(sql)
  const file = fileOf(folder, identity)
  const stored = yield* rows.one(sql`SELECT system, oid, (SELECT last FROM journal) AS last FROM server`)
  const change = changeOf(identity, stored, noted(file))
  yield* sql.withTransaction(
    Effect.gen(function* () {
      if (change !== undefined) {
        const at = yield* inRealTime(Clock.currentTimeMillis)
        yield* RestoreMark.mark({ file: change, at, head: yield* LedgerChain.present })
      }
      const system = identity.system === "" && change === undefined ? stored.system : identity.system
      yield* sql`UPDATE server SET system = ${system}, oid = ${identity.oid}`
    })
  )
  if (change !== undefined)
    yield* Effect.logWarning(`the database was restored from ${change}: entries are halted, nothing is armed`)
  note(file, stored.last)
  return file
})

/** Keeps the file up to date; a folder that cannot be written is reported once. */
const noting = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, file: string) {
  let before = 0
  let failed = false
  const once = Effect.flatMap(sql<{ readonly last: number }>`SELECT last FROM journal`, ([row]) =>
    Effect.try(() => {
      if (row === undefined || row.last === before) return
      note(file, row.last)
      before = row.last
      failed = false
    })
  ).pipe(
    Effect.catchTags({
      SqlError: () => Effect.void,
      UnknownException: ({ error }) => {
        if (failed) return Effect.void
        failed = true
        return Effect.logWarning(`the last alert cannot be noted in ${file}: ${reasonOf(error)}`)
      }
    })
  )
  yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(once, "1 second")))
  yield* Effect.forkScoped(Effect.repeat(once, Schedule.spaced(NOTE)).pipe(Effect.withTracerEnabled(false)))
})

/** Examines the database at the start of its server, and notes its last alert for as long as the scope is open. */
export const keep = (folder: string): Effect.Effect<void, SqlError, SqlClient.SqlClient | Scope.Scope> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    yield* noting(sql, yield* examined(folder))
  }).pipe(inRealTime)
