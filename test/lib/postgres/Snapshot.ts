// All rows of a database as of one moment, and another database with them: what a server finds that starts after a kill.
import { Redacted } from "effect"
import { Client } from "pg"

const connected = async <A>(url: Redacted.Redacted, use: (client: Client) => Promise<A>): Promise<A> => {
  const client = new Client({ connectionString: Redacted.value(url) })
  await client.connect()
  return use(client).finally(() => client.end())
}

/** Rows as JSON by table, of one snapshot of the database. */
export type Rows = ReadonlyArray<{ readonly name: string; readonly rows: string }>

const TABLES = "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"

/** Reads everything in one statement. */
export const read = (url: Redacted.Redacted): Promise<Rows> =>
  connected(url, async (client) => {
    const tables = await client.query<{ readonly name: string }>(TABLES)
    const parts = tables.rows.map(
      ({ name }) => `SELECT '${name}' AS name, coalesce(json_agg(t), '[]')::text AS rows FROM "${name}" t`
    )
    return (await client.query<{ readonly name: string; readonly rows: string }>(parts.join(" UNION ALL ")))
      .rows
  })

interface Columns {
  readonly name: string
  /** Those that hold a value of their own. */
  readonly stored: string
  /** The one that the database counts; it goes on after the last row. */
  readonly counted: string | null
}

const COLUMNS = `SELECT table_name AS name,
    string_agg(format('%I', column_name), ', ') FILTER (WHERE is_generated = 'NEVER') AS stored,
    max(column_name) FILTER (WHERE is_identity = 'YES') AS counted
  FROM information_schema.columns WHERE table_schema = 'public' GROUP BY 1`

/** Puts rows into a new database in the place of those that it has; constraints and triggers have seen them already. */
export const write = (url: Redacted.Redacted, all: Rows): Promise<void> =>
  connected(url, async (client) => {
    await client.query("BEGIN; SET LOCAL session_replication_role = replica")
    const columns = await client.query<Columns>(COLUMNS)
    for (const { counted, name, stored } of columns.rows) {
      const rows = all.find((table) => table.name === name)?.rows ?? "[]"
      await client.query(`DELETE FROM "${name}"`)
      if (rows === "[]") continue
      await client.query(
        `INSERT INTO "${name}" (${stored}) OVERRIDING SYSTEM VALUE
          SELECT ${stored} FROM json_populate_recordset(NULL::"${name}", $1)`,
        [rows]
      )
      if (counted !== null)
        await client.query(
          `SELECT setval(pg_get_serial_sequence('"${name}"', '${counted}'), max("${counted}")) FROM "${name}"`
        )
    }
    await client.query("COMMIT")
  })
