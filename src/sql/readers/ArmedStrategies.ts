// The strategies that trade with real money, read from the bots' rows.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { StrategyId } from "../../domain/StrategyId.ts"
import * as Rows from "../rows/Rows.ts"

const statement = (live: string) => `SELECT strategies.id FROM bots
  JOIN strategies ON strategies.id = bots.strategy_id WHERE ${live} IS NOT NULL ORDER BY strategies.id`

/** On SQLite: strategies that trade with real money, or still hold positions in it. */
export const ARMED = statement("json_extract(bots.state, '$.live')")
const ARMED_ON_POSTGRES = statement("(bots.state::json -> 'live')")

const rows = Rows.reader(Schema.Struct({ id: StrategyId }))

/** Their ids: cheap enough for a start, which should not read all bots. */
export const ids = Effect.flatMap(SqlClient.SqlClient, (sql) => {
  const armed = sql.onDialectOrElse({ pg: () => ARMED_ON_POSTGRES, orElse: () => ARMED })
  return Effect.map(rows.all(sql.unsafe(armed)), (found) => found.map(({ id }) => id))
})
