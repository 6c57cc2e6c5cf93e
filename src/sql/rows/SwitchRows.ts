// The operator's switches of exchanges and markets as rows, for the port and for a reader without a client.
import * as Schema from "effect/Schema"
import type { Switches } from "../../services/Markets.ts"
import * as Rows from "./Rows.ts"

export const exchangeRows = Rows.reader(Schema.Struct({ exchange: Schema.String, active: Rows.Bit }))
export const marketRows = Rows.reader(
  Schema.Struct({ key: Schema.String, active: Rows.Bit, buyEnabled: Rows.Bit })
)

export const EXCHANGES = "SELECT exchange, active FROM exchange_switches"
export const MARKETS = `SELECT exchange || ':' || pair || ':' || kind AS key, active, buy_enabled AS "buyEnabled"
  FROM market_switches`

/** All switches that were ever set. */
export const switchesFrom = (
  exchanges: ReadonlyArray<typeof exchangeRows.schema.Type>,
  markets: ReadonlyArray<typeof marketRows.schema.Type>
): Switches => ({
  exchanges: new Map(exchanges.map(({ active, exchange }) => [exchange, active])),
  markets: new Map(markets.map(({ key, ...switches }) => [key, switches]))
})
