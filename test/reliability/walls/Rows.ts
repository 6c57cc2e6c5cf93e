// All rows of an account as text, to prove that nothing of it changed.
import { Database } from "bun:sqlite"

/** Tables that change by themselves: those of no account, and equity, which is sampled each minute. */
const OWN_PACE = new Set([
  "probe",
  "partitions",
  "sqlite_sequence",
  "equity_states",
  "equity_points",
  "changed_origins"
])
/** Columns that a read may change, and those that count what others did with what is public. */
const RESTLESS = new Set(["last_used_at", "copies", "followers"])

export class Rows {
  private readonly database: Database
  private readonly queries: ReadonlyArray<string>

  constructor(filename: string, account: string) {
    this.database = new Database(filename, { readonly: true })
    const id = this.number("SELECT id FROM accounts WHERE name = ?", account)
    const strategies = this.texts(`SELECT id FROM strategies WHERE account = ${id}`)
    const tables = this.texts("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    this.queries = tables
      .filter((table) => !OWN_PACE.has(table))
      .map((table) => {
        const columns = this.texts(`SELECT name FROM pragma_table_info('${table}')`)
        const shown = columns.filter((column) => !RESTLESS.has(column)).join(", ")
        const all = `SELECT ${shown} FROM ${table}`
        if (columns.includes("account")) return `${all} WHERE account = ${id}`
        return columns.includes("strategy_id") ? `${all} WHERE strategy_id IN (${strategies})` : all
      })
      .filter((query) => !query.includes("FROM accounts"))
  }

  dump(): string {
    return JSON.stringify(this.queries.map((query) => this.database.query(query).values()))
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
    return this.queries.reduce((sum, query) => sum + this.database.query(query).values().length, 0)
  }

  close(): void {
    this.database.close()
  }

  private texts(query: string): ReadonlyArray<string> {
    return this.database
      .query(query)
      .values()
      .map(([value]) => String(value))
  }

  private number(query: string, value: string): number {
    return Number(this.database.query(query).values(value)[0]?.[0])
  }
}
