// What bots did and remember: partitions, state, orders, fills, trades and the ledger; and what real money needs.
import { PARTITIONS } from "../../../domain/Partition.ts"
import { bit, ID, TEXT } from "./types.ts"

/** A generated column from a row's JSON. */
const from = (json: string, name: string, type: string, field: string) =>
  `${name} ${type} GENERATED ALWAYS AS (CAST(${json}::json ->> '${field}' AS ${type})) STORED`

/** The tables of bots and money. */
export const money = [
  // Who runs the bots of a partition: a commit that names an older epoch stores nothing. `seq` counts its commits, and
  // `last` names the last of them. Written by each commit: room in its pages keeps it from growing.
  `CREATE TABLE partitions (
    id bigint PRIMARY KEY CHECK (id BETWEEN 0 AND ${PARTITIONS - 1}),
    owner ${TEXT},
    lease timestamptz,
    epoch bigint NOT NULL DEFAULT 0,
    seq bigint NOT NULL DEFAULT 0,
    last ${TEXT},
    cursor bigint NOT NULL DEFAULT 0
  ) WITH (fillfactor = 25)`,
  `INSERT INTO partitions (id) SELECT generate_series(0, ${PARTITIONS - 1})`,
  `CREATE TABLE bots (
    strategy_id bigint PRIMARY KEY,
    step bigint NOT NULL,
    state ${TEXT} NOT NULL,
    tally ${TEXT} NOT NULL
  )`,
  `CREATE TABLE orders (
    sequence ${ID},
    id ${TEXT} NOT NULL UNIQUE,
    strategy_id bigint NOT NULL,
    intent ${TEXT} NOT NULL,
    status ${TEXT} NOT NULL CHECK (status IN
      ('intended', 'accepted', 'unknown', 'partly_filled', 'filled', 'rejected', 'cancelled'))
  )`,
  `CREATE INDEX orders_unsettled ON orders (sequence)
    WHERE status IN ('intended', 'accepted', 'unknown', 'partly_filled')`,
  "CREATE INDEX orders_of_strategy ON orders (strategy_id, sequence)",
  `CREATE TABLE fills (
    id ${ID},
    strategy_id bigint NOT NULL,
    fill ${TEXT} NOT NULL,
    market ${TEXT} GENERATED ALWAYS AS ((fill::json ->> 'exchange') || ':' || (fill::json ->> 'pair')
      || ':' || (fill::json ->> 'kind')) STORED,
    ${from("fill", "at", "bigint", "at")}
  )`,
  "CREATE INDEX fills_of_strategy ON fills (strategy_id, id)",
  "CREATE INDEX fills_by_market ON fills (strategy_id, market, at, id)",
  `CREATE INDEX fills_of_order ON fills ((fill::json ->> 'order') COLLATE "C")`,
  // A chain for each partition: `hash` is the SHA-256 of the previous hash and of this row. `place` counts its rows.
  `CREATE TABLE ledger (
    id bigint PRIMARY KEY,
    strategy_id bigint NOT NULL,
    posting ${TEXT} NOT NULL,
    hash bytea NOT NULL CHECK (length(hash) = 32),
    partition bigint,
    place bigint
  )`,
  "CREATE INDEX ledger_of_strategy ON ledger (strategy_id, id)",
  "CREATE INDEX ledger_before_partitions ON ledger (id) WHERE partition IS NULL",
  "CREATE UNIQUE INDEX ledger_of_partition ON ledger (partition, place) WHERE partition IS NOT NULL",
  `CREATE TABLE exchange_accounts (
    id ${ID},
    account bigint NOT NULL REFERENCES accounts (id),
    name ${TEXT} NOT NULL,
    exchange ${TEXT} NOT NULL,
    ${bit("sandbox")},
    sealed_with ${TEXT} NOT NULL,
    nonce bytea NOT NULL CHECK (length(nonce) = 12),
    sealed bytea NOT NULL,
    created_at bigint NOT NULL,
    checked_at bigint,
    problem ${TEXT},
    UNIQUE (account, name)
  )`,
  // Account 0 is everybody's.
  `CREATE TABLE halts (
    account bigint PRIMARY KEY,
    at bigint NOT NULL,
    cause ${TEXT} NOT NULL,
    text ${TEXT} NOT NULL
  )`,
  `CREATE TABLE mandates (
    id ${ID},
    account bigint NOT NULL,
    strategy_id bigint NOT NULL,
    wish ${TEXT} NOT NULL,
    at bigint NOT NULL,
    answer ${TEXT}
  )`,
  "CREATE INDEX mandates_pending ON mandates (id) WHERE answer IS NULL"
]
