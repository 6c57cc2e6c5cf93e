// The database of a simulated world: it can crash to its last commit, and be full.
import { Database } from "bun:sqlite"
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer, Option, Redacted } from "effect"
import type { Identity } from "../../src/domain/Account.ts"
import { Accounts } from "../../src/services/Accounts.ts"
import * as AccountRows from "../../src/sql/Accounts.ts"
import * as Sqlite from "../../src/sqlite/Sqlite.ts"

/** Open connections, which a crash closes as the kernel would. */
const connections = new Set<Database>()
const query = Database.prototype.query
Database.prototype.query = function (this: Database, sql: string) {
  connections.add(this)
  return query.call(this, sql)
} as typeof query

/** The initial database, and the folder for runs: in memory if possible. */
export interface Template {
  readonly folder: string
  readonly file: string
  readonly people: readonly [Identity, Identity]
  readonly neighbours: readonly [Identity, Identity]
}

/** Records every change of an order's status, and who ever waited, so that forbidden transitions are found. */
const AUDIT = `
  CREATE TABLE sim_waits (alert INTEGER, strategy INTEGER, since INTEGER, PRIMARY KEY (alert, strategy));
  CREATE TRIGGER sim_waited AFTER INSERT ON waiting BEGIN
    INSERT OR IGNORE INTO sim_waits VALUES (new.alert_id, new.strategy_id, new.since);
  END;
  CREATE TABLE sim_transitions (sequence INTEGER PRIMARY KEY, id TEXT, before TEXT, after TEXT);
  CREATE TRIGGER sim_changed AFTER UPDATE OF status ON orders BEGIN
    INSERT INTO sim_transitions (id, before, after) VALUES (old.id, old.status, new.status);
  END;`

export const template = async (): Promise<Template> => {
  const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "signalbox-sim-"))
  const file = join(folder, "template.db")
  const person = (name: string) =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { secret } = yield* accounts.issue(name, "full", Option.none())
      return yield* Effect.flatten(accounts.authenticate(Redacted.value(secret)))
    })
  const [ann, bob, carl, dora] = await Effect.runPromise(
    Effect.provide(
      Effect.all([person("ann"), person("bob"), person("carl"), person("dora")]),
      AccountRows.layer.pipe(Layer.provideMerge(Sqlite.layer({ filename: file })))
    )
  )
  const database = new Database(file)
  database.run(AUDIT)
  database.run("PRAGMA wal_checkpoint(TRUNCATE)")
  database.close()
  connections.clear()
  return { folder, file, people: [ann, bob], neighbours: [carl, dora] }
}

/** The database of one run. */
export class Disk {
  readonly filename: string
  readonly #eye: Database

  constructor(template: Template) {
    this.filename = join(template.folder, "signalbox.db")
    this.#clear()
    copyFileSync(template.file, this.filename)
    this.#eye = new Database(this.filename)
  }

  /** The committed rows of a query. */
  rows<Row>(sql: string, ...values: ReadonlyArray<string | number>): ReadonlyArray<Row> {
    return this.#eye.prepare<Row, Array<string | number>>(sql).all(...values)
  }

  /** A crash: uncommitted changes are lost. */
  cut(): void {
    for (const connection of connections) {
      if (connection.inTransaction) connection.run("ROLLBACK")
      connection.close()
    }
    connections.clear()
  }

  /** From now on the disk is full: the database cannot grow. */
  fill(): void {
    const [pages] = this.rows<{ page_count: number }>("PRAGMA page_count")
    for (const connection of connections) connection.run(`PRAGMA max_page_count = ${pages?.page_count ?? 1}`)
  }

  makeRoom(): void {
    for (const connection of connections) connection.run("PRAGMA max_page_count = 1000000")
  }

  close(): void {
    this.cut()
    this.#eye.close()
    this.#clear()
  }

  #clear(): void {
    for (const end of ["", "-wal", "-shm"]) rmSync(`${this.filename}${end}`, { force: true })
  }
}
