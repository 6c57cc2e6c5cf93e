// Which process serves the database, when one last did, and which database this is.
import { TEXT } from "./types.ts"

/**
 * One row. `owner` serves until `lease`, and `process` says which process of its machine that is. `epoch` rises with
 * each owner. `system` and `oid` name the database that the rows were written in: a restored or copied one has others.
 */
export const server = [
  `CREATE TABLE server (
    id bigint PRIMARY KEY CHECK (id = 1),
    owner ${TEXT},
    process ${TEXT},
    lease timestamptz,
    epoch bigint NOT NULL DEFAULT 0,
    system ${TEXT},
    oid bigint
  ) WITH (fillfactor = 10)`,
  "INSERT INTO server (id) VALUES (1)",
  // The nodes of a cluster: where others reach each, by which name it owns partitions, and when it last told of itself.
  `CREATE TABLE nodes (
    address ${TEXT} PRIMARY KEY,
    node ${TEXT} NOT NULL,
    runner ${TEXT} NOT NULL,
    machine bigint GENERATED ALWAYS AS IDENTITY,
    version ${TEXT} NOT NULL,
    healthy boolean NOT NULL,
    seen timestamptz NOT NULL
  ) WITH (fillfactor = 50)`,
  // `at` in ms.
  "CREATE TABLE heartbeat (id bigint PRIMARY KEY CHECK (id = 1), at bigint NOT NULL)"
]
