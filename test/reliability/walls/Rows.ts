// All rows of an account as text, to prove that nothing of it changed.
import { Database } from "bun:sqlite"
import { Redacted } from "effect"
import { Eye } from "../../lib/postgres/Eye.ts"
import { addressOf } from "../../lib/postgres/Runner.ts"

/** Tables that change by themselves: those of no account, and equity, which is sampled each minute. */
const OWN_PACE = new Set([
  "probe",
  "partitions",
  "sqlite_sequence",
  "equity_states",
  "equity_points",
  "changed_origins",
  // When the server last lived, each half a minute.
  "heartbeat",
  // On Postgres the last id of all alerts, who wrote them, who serves the database, and what servers share of limits.
  ...["journal", "journal_writers", "server", "rate_levels", "rate_nodes", "backtest_claims", "confirmations"]
])
/** Columns that a read may change, and those that count what others did with what is public. */
const RESTLESS = new Set(["last_used_at", "copies", "followers"])

/** A database as it is read here. */
interface Reader {
  /** The names of the tables, and of a table's columns. */
  readonly tables: string
  readonly columns: (table: string) => string
  /** The rows of each query, as text. */
  readonly dump: (queries: ReadonlyArray<string>) => ReadonlyArray<string>
  /** The rows of a query as values. */
  readonly values: (query: string) => ReadonlyArray<ReadonlyArray<unknown>>
  readonly close: () => void
}

const ofFile = (filename: string): Reader => {
  const database = new Database(filename, { readonly: true })
  const values: Reader["values"] = (query) => database.query<unknown, []>(query).values()
  return {
    tables: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name",
    columns: (table) => `SELECT name FROM pragma_table_info('${table}')`,
    dump: (queries) => queries.map((query) => JSON.stringify(values(query))),
    values,
    close: () => database.close()
  }
}

const ofPostgres = (url: string): Reader => {
  const eye = new Eye(Redacted.make(url))
  const values: Reader["values"] = (query) =>
    eye.rows(query).map((row) => (typeof row === "object" && row !== null ? Object.values(row) : []))
  return {
    tables: "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
    columns: (table) => `SELECT column_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name = '${table}' ORDER BY ordinal_position`,
    // In one statement, because it is asked often. A changed row moves to another place of its table.
    dump: (queries) =>
      values(
        queries
          .map(
            (query, index) =>
              `SELECT ${index}, coalesce(json_agg(t ORDER BY t::text), '[]')::text FROM (${query}) t`
          )
          .join(" UNION ALL ")
      ).map(([, text]) => String(text)),
    values,
    close: () => eye.close()
  }
}

export class Rows {
  private readonly reader: Reader
  private readonly queries: ReadonlyArray<string>

  constructor(db: string, account: string) {
    const url = addressOf(db)
    this.reader = url === undefined ? ofFile(db) : ofPostgres(url)
    const id = Number(this.texts(`SELECT id FROM accounts WHERE name = '${account}'`)[0])
    const strategies = this.texts(`SELECT id FROM strategies WHERE account = ${id}`)
    this.queries = this.texts(this.reader.tables)
      .filter((table) => !OWN_PACE.has(table))
      .map((table) => {
        const columns = this.texts(this.reader.columns(table))
        const shown = columns.filter((column) => !RESTLESS.has(column)).join(", ")
        const all = `SELECT ${shown} FROM ${table}`
        if (columns.includes("account")) return `${all} WHERE account = ${id}`
        return columns.includes("strategy_id") ? `${all} WHERE strategy_id IN (${strategies})` : all
      })
      .filter((query) => !query.includes("FROM accounts"))
  }

  dump(): string {
    return this.reader.dump(this.queries).join()
  }

  /** The first difference between the present rows and an earlier dump. */
  changed(before: string): string {
    const now = this.dump()
    let at = 0
    while (at < now.length && now[at] === before[at]) at++
    return `${before.slice(at - 40, at + 80)} became ${now.slice(at - 40, at + 80)}`
  }

  /** The number of the account's rows, because an empty dump would prove nothing. */
  count(): number {
    return this.queries.reduce((sum, query) => sum + this.reader.values(query).length, 0)
  }

  close(): void {
    this.reader.close()
  }

  private texts(query: string): ReadonlyArray<string> {
    return this.reader.values(query).map(([value]) => String(value))
  }
}
