// The rows that outcomes leave in a database, and a minimal loop that stores them again.
import { Database } from "bun:sqlite"
import * as Schema from "effect/Schema"

/** An outcome's rows: its own, and one of its strategy's timeline. */
const TABLES = ["outcomes", "timeline"] as const
/** Outcomes in one commit of the bare loop, as many as in one slice of the engine. */
const COMMIT = 1_000

const Definition = Schema.Array(Schema.Struct({ sql: Schema.String }))
const decodeDefinitions = Schema.decodeUnknownSync(Definition)

const Value = Schema.Union(Schema.String, Schema.Number, Schema.Null)
const decodeRows = Schema.decodeUnknownSync(Schema.Array(Schema.Array(Value)))
const decodeCount = Schema.decodeUnknownSync(Schema.Struct({ count: Schema.Number }))

export const count = (file: string): number => {
  const database = new Database(file, { readonly: true })
  const { count } = decodeCount(database.query("SELECT count(*) AS count FROM outcomes").get())
  database.close()
  return count
}

/** Stores the rows of one database in an empty one, durably, commit by commit; outcomes a second. */
export const storeAgain = (from: string, to: string): number => {
  const source = new Database(from, { readonly: true })
  const target = new Database(to, { create: true })
  for (const pragma of ["journal_mode = WAL", "synchronous = FULL"]) target.run(`PRAGMA ${pragma}`)
  const tables = TABLES.map((name) => {
    for (const { sql } of decodeDefinitions(
      source.query("SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL").all(name)
    ))
      target.run(sql)
    const rows = decodeRows(source.query(`SELECT * FROM ${name}`).values())
    return { insert: `INSERT INTO ${name} VALUES (${rows[0]?.map(() => "?").join(",")})`, rows }
  })
  source.close()
  const outcomes = tables[0]?.rows.length ?? 0
  const started = performance.now()
  for (let start = 0; start < outcomes; start += COMMIT) {
    target.run("BEGIN IMMEDIATE")
    for (const { insert, rows } of tables) {
      for (const row of rows.slice(start, start + COMMIT)) target.query(insert).run(...row)
    }
    target.run("COMMIT")
  }
  const seconds = (performance.now() - started) / 1000
  target.close()
  return outcomes / seconds
}
