// A file of SQLite as a verification reads it: every row is at hand.
import type { Database } from "bun:sqlite"
import type { Source } from "../../sql/verify/Source.ts"
import { breathe } from "../../sql/verify/Verify.ts"

/** A database that was opened at one moment. */
export const make = (database: Database, version: number): Source => ({
  dialect: "sqlite",
  version,
  rows: function* (statement, ...parameters) {
    for (const row of database.query(statement).iterate(...parameters)) yield Object(row)
  },
  ready: breathe
})
