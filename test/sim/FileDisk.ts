// A file as the database of a simulated world: it can crash to its last commit, and be full.
import { Database } from "bun:sqlite"
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer } from "effect"
import * as AccountRows from "../../src/sql/Accounts.ts"
import { ChangeWatch } from "../../src/sql/client/ChangeWatch.ts"
import * as HaltRows from "../../src/sql/Halts.ts"
import * as KeyRows from "../../src/sql/Idempotency.ts"
import type { EndOfTurn } from "../../src/sql/journal/JournalQueue.ts"
import * as MarketRows from "../../src/sql/Markets.ts"
import * as OrderRows from "../../src/sql/Orders.ts"
import * as SignalRows from "../../src/sql/Signals.ts"
import * as StrategyRows from "../../src/sql/StrategyStore.ts"
import * as TimelineRows from "../../src/sql/Timeline.ts"
import * as TradeRows from "../../src/sql/Trades.ts"
import * as Client from "../../src/sqlite/client/Client.ts"
import * as JournalRows from "../../src/sqlite/Journal.ts"
import * as Migrations from "../../src/sqlite/Migrations.ts"
import * as PortfolioRows from "../../src/sqlite/Portfolio.ts"
import * as Sqlite from "../../src/sqlite/Sqlite.ts"
import { AUDIT } from "./audit.ts"
import { type Disk, people, type Template } from "./Disk.ts"

/** Open connections, which a crash closes as the kernel would. */
const connections = new Set<Database>()
const query = Database.prototype.query
Database.prototype.query = function (this: Database, sql: string) {
  connections.add(this)
  return query.call(this, sql)
} as typeof query

/** The initial database, in a folder that is in memory if possible. */
export const template = async (): Promise<Template> => {
  const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "signalbox-sim-"))
  const file = join(folder, "template.db")
  const found = await Effect.runPromise(
    Effect.provide(people, Layer.provideMerge(AccountRows.layer, Sqlite.layer({ filename: file })))
  )
  const database = new Database(file)
  database.run(AUDIT)
  database.run("PRAGMA wal_checkpoint(TRUNCATE)")
  database.close()
  connections.clear()
  return {
    ...found,
    repeats: true,
    open: async () => new FileDisk(folder, file),
    close: async () => rmSync(folder, { recursive: true })
  }
}

/** The file of one run. */
class FileDisk implements Disk {
  readonly #filename: string
  readonly #eye: Database

  constructor(folder: string, template: string) {
    this.#filename = join(folder, "signalbox.db")
    this.#clear()
    copyFileSync(template, this.#filename)
    this.#eye = new Database(this.#filename)
  }

  layer(endOfTurn: EndOfTurn) {
    const database = Migrations.layer(this.#filename).pipe(
      Layer.provideMerge(Client.layer(this.#filename)),
      Layer.provideMerge(ChangeWatch.layer)
    )
    return Layer.mergeAll(
      SignalRows.layer,
      StrategyRows.layer,
      MarketRows.layer,
      JournalRows.layerWith(endOfTurn),
      TimelineRows.layer,
      PortfolioRows.layer,
      KeyRows.layer,
      OrderRows.layer,
      TradeRows.layer,
      HaltRows.layer
    ).pipe(Layer.provide(database))
  }

  rows<Row>(sql: string, ...values: ReadonlyArray<string | number>): ReadonlyArray<Row> {
    return this.#eye.prepare<Row, Array<string | number>>(sql).all(...values)
  }

  cut(): void {
    for (const connection of connections) {
      if (connection.inTransaction) connection.run("ROLLBACK")
      connection.close()
    }
    connections.clear()
  }

  /** The database cannot grow. */
  fill(): void {
    const [pages] = this.rows<{ page_count: number }>("PRAGMA page_count")
    for (const connection of connections) connection.run(`PRAGMA max_page_count = ${pages?.page_count ?? 1}`)
  }

  makeRoom(): void {
    for (const connection of connections) connection.run("PRAGMA max_page_count = 1000000")
  }

  /** Every statement is answered at once. */
  pending(): undefined {
    return undefined
  }

  async close(): Promise<void> {
    this.cut()
    this.#eye.close()
    this.#clear()
  }

  #clear(): void {
    for (const end of ["", "-wal", "-shm"]) rmSync(`${this.#filename}${end}`, { force: true })
  }
}
