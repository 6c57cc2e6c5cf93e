// The strategies that trade with real money, read from the bots' rows.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { StrategyId } from "../../domain/StrategyId.ts"
import * as Rows from "../../sql/rows/Rows.ts"

/** Strategies that trade with real money, or still hold positions in it. */
export const ARMED = `SELECT strategies.id FROM bots JOIN strategies ON strategies.id = bots.strategy_id
  WHERE json_extract(bots.state, '$.live') IS NOT NULL ORDER BY strategies.id`

const rows = Rows.reader(Schema.Struct({ id: StrategyId }))

/** Their ids: cheap enough for a start, which should not read all bots. */
export const ids = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(rows.all(sql.unsafe(ARMED)), (found) => found.map(({ id }) => id))
)
