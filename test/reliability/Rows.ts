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

/**
 * Waits until nothing is left to do, and every order was sent: for a minute, and on while anything changes. Returns what is
 * left; "" for nothing.
 */
export const leftToDo = async (rows: Rows): Promise<string> => {
  const began = performance.now()
  let [left, since] = [leftNow(rows), began]
  while (left !== "" && performance.now() - since < STILL_MS && performance.now() - began < LONGEST_MS) {
    await Bun.sleep(100)
    const now = leftNow(rows)
    if (now !== left) [left, since] = [now, performance.now()]
  }
  return left
}

/** How long nothing may change, and how long all of it may take (ms): a busy machine is slow, and goes on. */
const STILL_MS = 60_000
const LONGEST_MS = 300_000

const Left = Schema.Struct({
  waiting: Schema.Int,
  last: Schema.Int,
  cursor: Schema.Int,
  intended: Schema.Int
})
const LEFT = `SELECT (SELECT count(*) FROM waiting) AS waiting, (SELECT coalesce(max(id), 0) FROM alerts) AS last,
  (SELECT min(cursor) FROM partitions) AS cursor,
  (SELECT count(*) FROM orders WHERE status = 'intended') AS intended`

/** What is left to do at this moment; "" for nothing. */
export const leftNow = (rows: Rows): string =>
  rows
    .all(Left, LEFT)
    .map(({ cursor, intended, last, waiting }) =>
      waiting + intended === 0 && cursor === last
        ? ""
        : `${waiting} alerts wait, the journal is read to ${cursor} of ${last}, ${intended} orders are not sent`
    )
    .join()
