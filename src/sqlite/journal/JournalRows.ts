// Writes one batch of alerts to SQLite.
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Alert, extrasOf, hasExtras } from "../../domain/Alert.ts"
import type { Incoming } from "../../domain/alert/Incoming.ts"
import type { Batch, NewKey } from "../../sql/journal/JournalBatch.ts"
import * as Insert from "../../sql/rows/Insert.ts"

/** Writes all rows of a batch in one commit, or none. */
export const write = (
  sql: SqlClient,
  { alerts, incoming, keys, repeats }: Batch
): Effect.Effect<void, SqlError> => {
  const rows = alerts.map((alert, index) => alertRow(alert, incoming[index]))
  const isLone = keys.size + repeats.size === 0 && rows.length <= Insert.MAX_ROWS
  const statements = [
    ...ALERTS(sql, rows, isLone ? Insert.alone : undefined),
    ...KEYS(sql, [...keys.values()].map(keyRow)),
    ...[...repeats].map(([id, count]) => sql`UPDATE alerts SET repeats = repeats + ${count} WHERE id = ${id}`)
  ]
  const [first] = statements
  if (first === undefined) return Effect.void
  // A single statement is its own transaction.
  return Effect.asVoid(statements.length === 1 ? first : sql.withTransaction(Effect.all(statements)))
}

const ALERTS = Insert.into(
  "alerts (id, account, token, signal_id, coin, quote, type, tp, sl, received_at, warnings, door, body, extras)",
  14
)
const alertRow = (alert: Alert, incoming: Incoming | undefined) => [
  alert.id,
  alert.account,
  alert.token,
  alert.signalId,
  alert.coin,
  alert.quoteCurrency,
  alert.type,
  Option.getOrNull(alert.tp),
  Option.getOrNull(alert.sl),
  alert.receivedAt,
  alert.warnings.length === 0 ? "[]" : JSON.stringify(alert.warnings),
  incoming?.door ?? null,
  incoming?.body ?? null,
  hasExtras(alert) ? JSON.stringify(extrasOf(alert)) : null
]

const KEYS = Insert.into("alert_keys (account, key, body, alert_id, expires_at)", 5, "account, key")
const keyRow = ({ account, alert, body, expiresAt, key }: NewKey) => [account, key, body, alert, expiresAt]
