// Migration 3: exchanges' own catalogues, over the shipped one.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/**
 * `number` counts an exchange's refreshes, so that caches know whether they are current. Figures are decimals as text;
 * `active` is the exchange's own, the operator's switches have tables of their own.
 */
const tables = [
  `CREATE TABLE market_refreshes (
    exchange TEXT PRIMARY KEY,
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    maker_fee_percent TEXT NOT NULL,
    taker_fee_percent TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE refreshed_markets (
    exchange TEXT NOT NULL REFERENCES market_refreshes (exchange),
    pair TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('spot', 'swap')),
    active INTEGER NOT NULL CHECK (active IN (0, 1)),
    price_step TEXT NOT NULL,
    amount_step TEXT NOT NULL,
    min_amount TEXT NOT NULL,
    min_cost TEXT NOT NULL,
    PRIMARY KEY (exchange, pair, kind)
  ) STRICT, WITHOUT ROWID`
]

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(tables, (table) => sql.unsafe(table), { discard: true })
)
