import { Database } from "bun:sqlite"
import * as Schema from "effect/Schema"

/** What stands in the database file, read beside the server or after it. */
export class Rows {
  private readonly database: Database

  constructor(db: string) {
    this.database = new Database(db, { readonly: true })
    this.database.run("PRAGMA busy_timeout = 5000")
  }

  all<A, I>(schema: Schema.Schema<A, I>, sql: string): ReadonlyArray<A> {
    return Schema.decodeUnknownSync(Schema.Array(schema))(this.database.query(sql).all())
  }

  /** A number that a query comes to; 0 where it has no row. */
  count(sql: string): number {
    const [row] = this.database.query(sql).values()
    return Number(row?.[0] ?? 0)
  }

  close(): void {
    this.database.close()
  }
}

/** Whether every alert on disk has its outcomes: the engine has come to the end of the journal, and nothing waits. */
export const isCaughtUp = (rows: Rows): boolean =>
  rows.count("SELECT count(*) FROM waiting") === 0 &&
  rows.count("SELECT coalesce(max(id), 0) FROM alerts") === rows.count("SELECT min(cursor) FROM partitions")
