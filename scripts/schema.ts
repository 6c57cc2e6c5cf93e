// `bun scripts/schema.ts && bun run format`: writes what all migrations of SQLite leave on a new database, as one list of statements. A new
// database begins with that list: the migrations one after the other take ten times as long.
import { Database } from "bun:sqlite"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { PARTITIONS } from "../src/domain/Partition.ts"
import { upTo, VERSION } from "../src/sqlite/Migrations.ts"
import * as Sqlite from "../src/sqlite/Sqlite.ts"
import { path } from "./command.ts"

const FILE = "src/sqlite/migrations/newDatabase.ts"

interface Entry {
  readonly name: string
  readonly sql: string
}

/** Tables whose rows migrations write, with what writes the same rows: those of migrations are written by name. */
const SEEDED: Readonly<Record<string, string>> = {
  partitions: `INSERT INTO partitions (id, cursor) WITH RECURSIVE numbers (id) AS (VALUES (0) UNION ALL SELECT id + 1 FROM numbers WHERE id < ${PARTITIONS - 1}) SELECT id, 0 FROM numbers`
}
const MIGRATED = "effect_sql_migrations"

/** The text of the file. */
const text = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-schema-"))
  try {
    const filename = join(folder, "signalbox.db")
    const migrated = Layer.build(Sqlite.layer({ filename, migrations: upTo(VERSION) }))
    await Effect.runPromise(Effect.scoped(migrated))
    return textOf(statementsOf(filename))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const statementsOf = (filename: string): ReadonlyArray<string> => {
  const database = new Database(filename, { readonly: true })
  const entries = database
    .query<Entry, []>(
      "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid"
    )
    .all()
  const hasRows = ({ name }: Entry) =>
    database.query(`SELECT 1 FROM "${name}" LIMIT 1`).get() !== null && name !== MIGRATED
  const seeded = entries.filter((entry) => entry.sql.startsWith("CREATE TABLE") && hasRows(entry))
  const rows = seeded.map(({ name }) => {
    const statement = SEEDED[name]
    if (statement === undefined) throw new Error(`a migration writes rows of ${name}: say in SEEDED how`)
    return statement
  })
  database.close()
  return [...entries.map(({ sql }) => sql), ...rows]
}

const textOf = (
  statements: ReadonlyArray<string>
): string => `// The tables of a new database, and the rows that they begin with: what all migrations up to this version leave together.
// Written by \`bun scripts/schema.ts\`; a test compares it with what the migrations make.

/** The version of a database that begins with these statements. */
export const VERSION = ${VERSION}

/** Each makes a table, an index or rows. */
export const STATEMENTS: ReadonlyArray<string> = [
${statements.map((statement) => `  ${JSON.stringify(statement)}`).join(",\n")}
]
`

if (import.meta.main) {
  await Bun.write(path(FILE), await text())
  console.log(`${FILE} is written: bun run format`)
}
