// Migration 9: strategies' revisions, and who followed which signal for which alerts.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/**
 * `revision` rises with every change, since several may share a second. Before, each change moved `updated_at` on, so
 * some of those lie in the future.
 *
 * `followings` holds which alerts of a signal a strategy acts on: those after `from_alert`, up to `until_alert` where
 * it has stopped. Existing strategies follow from the cursor on, since everything before it is judged; those created
 * later than unjudged alerts do not act on these.
 */
const changes = [
  "ALTER TABLE strategies ADD COLUMN revision INTEGER NOT NULL DEFAULT 0",
  "UPDATE strategies SET updated_at = unixepoch() WHERE updated_at > unixepoch()",
  "UPDATE signals SET updated_at = unixepoch() WHERE updated_at > unixepoch()",
  `CREATE TABLE followings (
    id INTEGER PRIMARY KEY,
    signal_id INTEGER NOT NULL,
    strategy_id INTEGER NOT NULL REFERENCES strategies (id) ON DELETE CASCADE,
    account INTEGER NOT NULL,
    from_alert INTEGER NOT NULL,
    until_alert INTEGER
  ) STRICT`,
  "CREATE INDEX followings_of_signal ON followings (signal_id, until_alert)",
  "CREATE INDEX followings_of_strategy ON followings (strategy_id)",
  "CREATE UNIQUE INDEX followings_present ON followings (strategy_id) WHERE until_alert IS NULL",
  "CREATE INDEX followings_past ON followings (until_alert) WHERE until_alert IS NOT NULL",
  `INSERT INTO followings (signal_id, strategy_id, account, from_alert)
    SELECT signal_id, id, account, coalesce(
      (SELECT max(alerts.id) FROM alerts
        WHERE alerts.id > coalesce((SELECT cursor FROM engine), 0)
        AND alerts.received_at < strategies.created_at * 1000),
      (SELECT cursor FROM engine), 0)
    FROM strategies WHERE signal_id IS NOT NULL`
]

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(changes, (change) => sql.unsafe(change), { discard: true })
)
