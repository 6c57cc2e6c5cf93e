// Migration 4: appends, commits and the heads of events find rows by their keys. Postgres keeps a function's plans, and those
// that were made while a table was small read all of it, more of it with every alert, until Postgres looked at it again.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { judge, trade } from "./first/commits.ts"
import { append, HAS_NODES, type Lookups } from "./first/journal.ts"
import { events } from "./first/timeline.ts"

/** By their keys. `OFFSET 0` keeps Postgres from making a join of a sub-select. */
const BY_KEY: Lookups = {
  declared: "    repeated bigint[];\n",
  changed: `        CROSS JOIN LATERAL (
          SELECT alert_id, body FROM alert_keys
            WHERE alert_keys.account = mine.account AND alert_keys.key = mine.key OFFSET 0
        ) AS stored
        WHERE stored.alert_id IS DISTINCT FROM mine.known OR stored.body IS DISTINCT FROM mine.text`,
  strangers: `        WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.id = a OFFSET 0)
          OR NOT EXISTS (SELECT 1 FROM tokens WHERE tokens.id = t OFFSET 0)`,
  repeat: `      repeated := ARRAY(SELECT CASE WHEN alert > expected THEN alert - expected + head ELSE alert END
        FROM unnest(repeat_alerts) WITH ORDINALITY AS mine (alert, place) ORDER BY place);
      UPDATE alerts SET repeats = repeats + repeat_counts[array_position(repeated, id)] WHERE id = ANY(repeated);`
}

const changing =
  "    UPDATE orders SET status = changed_statuses[array_position(changed_orders, id)] WHERE id = ANY(changed_orders);"

/** The fence keeps everybody else from these rows until the commit: each stays where it is found. */
const ending = `    DELETE FROM waiting WHERE ctid = ANY(ARRAY(
      SELECT stored.place FROM unnest(outcome_alerts, outcome_strategies) AS given (alert, strategy)
        CROSS JOIN LATERAL (
          SELECT ctid AS place FROM waiting
            WHERE alert_id = given.alert AND strategy_id = given.strategy OFFSET 0
        ) AS stored
    ));`

/** The last entry in the sequence of ids: a maximum may be looked for among all of them. */
const last = (name: string, condition: string) =>
  `${name} := coalesce((SELECT id FROM timeline ${condition}ORDER BY id DESC LIMIT 1), 0);`

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(
    [
      append(HAS_NODES, BY_KEY),
      trade(changing),
      judge(ending),
      events({ final: last("final", "WHERE id <= least(given, open) "), newest: last("newest", "") })
    ],
    (statement) => sql.unsafe(statement),
    { discard: true }
  )
)
