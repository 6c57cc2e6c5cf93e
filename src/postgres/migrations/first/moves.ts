// Moves to and from other databases.
import { bit, TEXT } from "./types.ts"

/** Both ends of a move keep its id; `at` is ms, and `other` the other end, without a password. */
export const moves = [
  `CREATE TABLE moves (
    id ${TEXT} PRIMARY KEY,
    at bigint NOT NULL,
    role ${TEXT} NOT NULL CHECK (role IN ('source', 'target')),
    other ${TEXT} NOT NULL,
    ${bit("finished")}
  )`
]
