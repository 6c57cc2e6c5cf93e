// Verifies a whole database: file, schema, rows, references, ledger chain, orders and every bot's books. It reads one
// moment and writes nothing, so a server may run beside it.
import type { Database } from "bun:sqlite"
import * as Effect from "effect/Effect"
import type { Fault } from "../sql/verify/Fault.ts"
import * as Verify from "../sql/verify/Verify.ts"
import * as ReadOnly from "./client/ReadOnly.ts"
import * as FileSource from "./verify/FileSource.ts"
import * as VerifySchema from "./verify/VerifySchema.ts"

/** The table's name for faults of the file itself. */
export const FILE = "file"

/** Verifies a database, row by row. Can be interrupted between groups of rows. */
export const verify = Effect.fn("Sqlite.verify")(function* (filename: string) {
  const { database, version } = yield* ReadOnly.open(filename)
  const expected = yield* VerifySchema.fresh(version)
  return yield* Verify.verify({
    version,
    source: FileSource.make(database, version),
    storage: {
      intact: { name: FILE, check: () => intact(database) },
      schema: () => VerifySchema.differing(database, expected),
      references: () => references(database)
    }
  })
}, Effect.scoped)

function* intact(database: Database): Generator<Fault> {
  for (const [text] of database.query("PRAGMA integrity_check").values())
    if (text !== "ok") yield { table: FILE, text: String(text).replaceAll("\n", " ") }
}

function* references(database: Database): Generator<Fault> {
  for (const [table, row, parent] of database.query("PRAGMA foreign_key_check").values())
    yield {
      table: String(table),
      row: Number(row),
      text: `it refers to a row of ${parent} that is not there`
    }
}
