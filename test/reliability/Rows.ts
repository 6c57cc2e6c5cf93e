// Reads the rows of a database file, beside the server or after it.
import { Database } from "bun:sqlite"
import * as Schema from "effect/Schema"

export class Rows {
  private readonly database: Database

  constructor(db: string) {
    this.database = new Database(db, { readonly: true })
    this.database.run("PRAGMA busy_timeout = 5000")
  }

  all<A, I>(schema: Schema.Schema<A, I>, sql: string): ReadonlyArray<A> {
    return Schema.decodeUnknownSync(Schema.Array(schema))(this.database.query(sql).all())
  }

  /** The number that a query returns; 0 without a row. */
  count(sql: string): number {
    const [row] = this.database.query(sql).values()
    return Number(row?.[0] ?? 0)
  }

  close(): void {
    this.database.close()
  }
}

/** Whether every stored alert has its outcomes: the engine has reached the end of the journal, and nothing waits. */
export const isCaughtUp = (rows: Rows): boolean =>
  rows.count("SELECT count(*) FROM waiting") === 0 &&
  rows.count("SELECT coalesce(max(id), 0) FROM alerts") === rows.count("SELECT min(cursor) FROM partitions")
