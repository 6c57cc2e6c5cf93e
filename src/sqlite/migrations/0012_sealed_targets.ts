// Migration 12: notification channels are sealed with the master key.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/**
 * `sealed_with` names the master key, which is never stored here. A migration has no key: a channel waits in `unsealed`
 * until the next opening of targets seals it. `chores` says that old pages may hold deleted secrets and have to be
 * rewritten; stored responses that may hold a webhook's secret are deleted.
 */
const before = [
  "CREATE TABLE chores (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID",
  `INSERT INTO chores (name) SELECT 'clear_old_pages'
    WHERE EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'notification_targets')`,
  "DELETE FROM idempotency WHERE location LIKE '/v1/notifications/%'",
  `CREATE TABLE sealed_targets (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER NOT NULL REFERENCES accounts (id),
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    shown TEXT NOT NULL,
    sealed_with TEXT,
    nonce BLOB CHECK (length(nonce) = 12),
    sealed BLOB,
    unsealed TEXT CHECK (json_valid(unsealed)),
    kinds TEXT NOT NULL CHECK (json_valid(kinds)),
    created_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    progress TEXT NOT NULL CHECK (json_valid(progress))
  ) STRICT`,
  // Ids that were used are never reused.
  `INSERT INTO sqlite_sequence (name, seq)
    SELECT 'sealed_targets', seq FROM sqlite_sequence WHERE name = 'notification_targets'`,
  `INSERT INTO sealed_targets (id, account, name, kind, shown, unsealed, kinds, created_at, revision, progress)
    SELECT id, account, name, coalesce(json_extract(channel, '$.kind'), ''),
      coalesce('chat ' || json_extract(channel, '$.chat'), ''), channel, kinds, created_at, revision, progress
    FROM notification_targets`
]
const after = [
  "DROP TABLE notification_targets",
  "ALTER TABLE sealed_targets RENAME TO notification_targets",
  "CREATE INDEX notification_targets_of_account ON notification_targets (account, id)"
]

/** The part of an address that is no secret. */
const originOf = (url: string): string => (URL.canParse(url) ? `${new URL(url).origin}/...` : "/...")

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.gen(function* () {
    yield* Effect.forEach(before, (statement) => sql.unsafe(statement), { discard: true })
    const urls = yield* sql`SELECT id, json_extract(unsealed, '$.url') FROM sealed_targets
      WHERE json_type(unsealed, '$.url') = 'text'`.values
    for (const [id, url] of urls)
      yield* sql`UPDATE sealed_targets SET shown = ${originOf(String(url))} WHERE id = ${Number(id)}`
    yield* Effect.forEach(after, (statement) => sql.unsafe(statement), { discard: true })
  })
)
