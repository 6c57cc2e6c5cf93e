// The strategies with alerts that no server has judged yet: settings that change before then would judge an alert that
// was answered before them.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { PARTITIONS } from "../../domain/Partition.ts"
import { StrategyId } from "../../domain/StrategyId.ts"
import * as Dialect from "../Dialect.ts"
import * as Rows from "../rows/Rows.ts"

const rows = Rows.reader(Schema.Struct({ id: StrategyId }))

/** Those of these strategies that hold an alert, or have one without an outcome behind their partition's cursor. */
export const among = (ids: ReadonlyArray<StrategyId>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      rows.all(sql`SELECT strategies.id FROM strategies
        WHERE strategies.id IN ${Dialect.ids(sql, ids)} AND (
          EXISTS (SELECT 1 FROM waiting WHERE waiting.strategy_id = strategies.id)
          OR EXISTS (SELECT 1 FROM alerts, followings
            WHERE alerts.id > (SELECT cursor FROM partitions WHERE id = strategies.account % ${PARTITIONS})
            AND followings.strategy_id = strategies.id AND followings.signal_id = alerts.signal_id
            AND alerts.id > from_alert AND alerts.id <= coalesce(until_alert, alerts.id)
            AND NOT EXISTS (SELECT 1 FROM outcomes
              WHERE outcomes.alert_id = alerts.id AND outcomes.strategy_id = strategies.id)))
        ORDER BY strategies.id`),
      (found) => found.map(({ id }) => id)
    )
  )
