// The tables of a database as a move sees them, and how those of two databases fit together. A move takes every table
// that the schema has: what it must leave out is named here.

/** How a column's values are written: whole numbers, numbers, texts, bytes. */
export type Kind = "integer" | "real" | "text" | "bytes"

export interface Column {
  readonly name: string
  readonly kind: Kind
  /** Whether the database computes it from other columns. */
  readonly isComputed: boolean
}

export interface Table {
  readonly name: string
  readonly columns: ReadonlyArray<Column>
  /** The primary key: rows are read sorted by it. */
  readonly key: ReadonlyArray<string>
  /** The tables that it refers to. */
  readonly parents: ReadonlyArray<string>
}

/**
 * Tables that each database has for itself: lists of migrations, moves, who serves it, what waits to be done to a file.
 * Of the journal and of SQLite's sequences only the last ids are moved.
 */
export const OWN: ReadonlySet<string> = new Set([
  "effect_sql_migrations",
  "sqlite_sequence",
  "chores",
  "signalbox_migrations",
  "journal",
  "journal_writers",
  "rate_levels",
  "rate_nodes",
  "backtest_claims",
  "confirmations",
  "server",
  "nodes",
  "heartbeat",
  "moves"
])

/** Columns that only a Postgres database has, which many machines may share. */
const OWN_COLUMNS: ReadonlySet<string> = new Set(
  ["owner", "lease", "epoch", "seq", "last"].map((it) => `partitions.${it}`)
)

/** Tables to which a new database has rows already: the move replaces them. */
export const MADE_WITH_ROWS: ReadonlySet<string> = new Set(["partitions"])

/** The tables of a move, parents first, or what does not fit. */
export type Plan =
  | { readonly _tag: "Tables"; readonly tables: ReadonlyArray<Table> }
  | { readonly _tag: "Misfit"; readonly text: string }

/** Fits the tables of a source to those of a target: nothing of the source may be without its place. */
export const planOf = (from: ReadonlyArray<Table>, to: ReadonlyArray<Table>): Plan => {
  const places = new Map(moved(to).map((table) => [table.name, table]))
  const tables: Array<Table> = []
  for (const table of moved(from)) {
    const place = places.get(table.name)
    if (place === undefined) return misfit(`the target has no table ${table.name}`)
    const columns = table.columns.filter(
      (it) => !it.isComputed && !OWN_COLUMNS.has(`${table.name}.${it.name}`)
    )
    // The same sequence whichever dialect the rows come from: their hash depends on it.
    columns.sort((one, other) => (one.name < other.name ? -1 : 1))
    const missing = columns.find(({ kind, name }) => !place.columns.some(fits(name, kind)))
    if (missing !== undefined) return misfit(`the target has no place for ${table.name}.${missing.name}`)
    tables.push({ ...table, columns, parents: [...new Set([...table.parents, ...place.parents])] })
    places.delete(table.name)
  }
  const [left] = places.keys()
  return left === undefined
    ? { _tag: "Tables", tables: parentsFirst(tables) }
    : misfit(`the source has no table ${left}`)
}

const misfit = (text: string): Plan => ({ _tag: "Misfit", text })

const moved = (tables: ReadonlyArray<Table>) => tables.filter(({ name }) => !OWN.has(name))

const fits =
  (name: string, kind: Kind) =>
  (column: Column): boolean =>
    column.name === name && column.kind === kind && !column.isComputed

/** Each table behind those that it refers to. */
const parentsFirst = (tables: ReadonlyArray<Table>): ReadonlyArray<Table> => {
  const names = new Map(tables.map((table) => [table.name, table]))
  const sorted = new Set<Table>()
  const visit = (table: Table, below: ReadonlySet<string>): void => {
    for (const parent of table.parents) {
      const next = names.get(parent)
      if (next !== undefined && !below.has(parent)) visit(next, new Set([...below, parent]))
    }
    sorted.add(table)
  }
  for (const table of tables) visit(table, new Set([table.name]))
  return [...sorted]
}
