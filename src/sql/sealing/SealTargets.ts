// Seals the notification targets that older programs left unsealed.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Target } from "../../domain/Target.ts"
import { Vault } from "../../services/money/Vault.ts"
import * as Dialect from "../Dialect.ts"
import * as Rows from "../rows/Rows.ts"
import * as TargetRows from "../rows/TargetRows.ts"
import { sealedWith } from "./Resealing.ts"

const { account, id } = Target.fields
/** Read as text: a channel that does not decode is sealed too. */
const unsealed = Rows.reader(Schema.Struct({ id, account, text: Schema.String }))
const UNSEALED = `SELECT id, account, unsealed AS text FROM notification_targets WHERE unsealed IS NOT NULL ORDER BY id`

/**
 * Seals the channels of all targets with the master key, which is created where there is none; all or nothing. Without a
 * key everything stays as it is, the log says so, and the next start tries again: a server does not stay down for that.
 */
export const sealTargets = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  if ((yield* unsealed.all(sql.unsafe(UNSEALED))).length === 0) return
  const vault = yield* Vault
  const sealing = Effect.gen(function* () {
    yield* Dialect.writtenByUs(sql, ["notification_targets"])
    const found = yield* unsealed.all(sql.unsafe(UNSEALED))
    // Another process was first.
    if (found.length === 0) return
    const { id, isNew, where } = yield* vault.ready(yield* sealedWith)
    for (const target of found) yield* TargetRows.seal(vault, target, Redacted.make(target.text))
    const whose = found.length === 1 ? "a notification" : `${found.length} notifications`
    const key = isNew ? "a new master key" : "master key"
    yield* Effect.logWarning(
      `the addresses and secrets of ${whose} are sealed with ${key} ${id} (${where}) from now on: it is in no backup, keep a copy of it elsewhere`
    )
  })
  yield* sql.withTransaction(sealing)
}).pipe(
  Effect.catchTag("VaultLocked", ({ reason }) =>
    Effect.logWarning(`the addresses and secrets of notifications stay in the database unsealed: ${reason}`)
  )
)
