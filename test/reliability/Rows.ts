// Reads the rows of a database, beside the server or after it.
import { Database } from "bun:sqlite"
import * as Schema from "effect/Schema"
import { addressOf, changed, queried } from "../lib/postgres/Runner.ts"

export class Rows {
  private readonly place: string
  private readonly database: Database | undefined

  constructor(db: string) {
    this.place = db
    if (addressOf(db) !== undefined) return
    this.database = new Database(db, { readonly: true })
    this.database.run("PRAGMA busy_timeout = 5000")
  }

  all<A, I>(schema: Schema.Schema<A, I>, sql: string): ReadonlyArray<A> {
    return Schema.decodeUnknownSync(Schema.Array(schema))(this.found(sql))
  }

  /** The number that a query returns; 0 without a row. */
  count(sql: string): number {
    const [row] = this.found(sql)
    return Number(Object.values(row ?? {})[0] ?? 0)
  }

  close(): void {
    this.database?.close()
  }

  private found(sql: string): ReadonlyArray<object> {
    const rows = this.database?.query(sql).all() ?? queried(this.place, sql) ?? []
    return rows.filter((row) => typeof row === "object" && row !== null)
  }
}

/** Runs a statement beside the server, as a command of ours does; the first value that it returns. */
export const change = (db: string, sql: string): unknown => {
  const isOnPostgres = addressOf(db) !== undefined
  if (isOnPostgres) return changed(db, sql.replace(/zeroblob\((\d+)\)/g, "decode(repeat('00', $1), 'hex')"))
  const database = new Database(db)
  try {
    database.run("PRAGMA busy_timeout = 5000")
    return database.query(sql).values()[0]?.[0]
  } finally {
    database.close()
  }
}

/** Whether every stored alert has its outcomes: the engine has reached the end of the journal, and nothing waits. */
export const isCaughtUp = (rows: Rows): boolean =>
  rows.count("SELECT count(*) FROM waiting") === 0 &&
  rows.count("SELECT coalesce(max(id), 0) FROM alerts") === rows.count("SELECT min(cursor) FROM partitions")

/** The same, and every order was sent: a server that ends now leaves nothing to its successor. */
export const isAtRest = (rows: Rows): boolean =>
  isCaughtUp(rows) && rows.count("SELECT count(*) FROM orders WHERE status = 'intended'") === 0
