// Migration 10: 256 partitions of accounts, each with a cursor over the journal and a ledger chain of its own.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { PARTITIONS } from "../../domain/Partition.ts"

/**
 * `place` counts the rows of a partition's chain. Earlier rows keep their single chain, whose end all new chains start
 * from.
 */
const tables = [
  `CREATE TABLE partitions (
    id INTEGER PRIMARY KEY CHECK (id BETWEEN 0 AND ${PARTITIONS - 1}),
    cursor INTEGER NOT NULL
  ) STRICT`,
  `INSERT INTO partitions (id, cursor)
    WITH RECURSIVE numbers (id) AS (VALUES (0) UNION ALL SELECT id + 1 FROM numbers WHERE id < ${PARTITIONS - 1})
    SELECT id, coalesce((SELECT cursor FROM engine), 0) FROM numbers`,
  "DROP TABLE engine",
  "ALTER TABLE ledger ADD COLUMN partition INTEGER",
  "ALTER TABLE ledger ADD COLUMN place INTEGER",
  "CREATE UNIQUE INDEX ledger_of_partition ON ledger (partition, place) WHERE partition IS NOT NULL"
]

export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(tables, (table) => sql.unsafe(table), { discard: true })
)
