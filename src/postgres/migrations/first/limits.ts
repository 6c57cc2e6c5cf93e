// What several servers share that need not outlast them: the common token buckets of rates, the servers that count, whose
// back-tests run, and confirmations. Not logged: after a crash of Postgres all buckets are full, and the rest is void.
import { TEXT } from "./types.ts"

/** `given` is what the last question was given; `at` is when `level` held. */
export const limits = [
  `CREATE UNLOGGED TABLE rate_levels (
    key ${TEXT} PRIMARY KEY,
    capacity float8 NOT NULL,
    per_second float8 NOT NULL,
    level float8 NOT NULL,
    given bigint NOT NULL,
    at timestamptz NOT NULL
  ) WITH (fillfactor = 50)`,
  // A server counts until a time, and has counted without a gap since another.
  `CREATE UNLOGGED TABLE rate_nodes (
    node ${TEXT} PRIMARY KEY,
    since timestamptz NOT NULL,
    until timestamptz NOT NULL
  ) WITH (fillfactor = 10)`,
  `CREATE UNLOGGED TABLE backtest_claims (
    account bigint PRIMARY KEY,
    node ${TEXT} NOT NULL,
    until timestamptz NOT NULL
  )`,
  // `expires_at` in ms, by the clock of the server that issued it.
  `CREATE UNLOGGED TABLE confirmations (
    digest bytea PRIMARY KEY,
    what ${TEXT} NOT NULL,
    expires_at bigint NOT NULL
  )`
]
