// The file of the shared database as a world's disk, and the initial file of all runs: that of a server alone, with the
// columns by which nodes share it.
import { Database } from "bun:sqlite"
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer } from "effect"
import * as AccountRows from "../../../src/sql/Accounts.ts"
import * as Sqlite from "../../../src/sqlite/Sqlite.ts"
import { AUDIT } from "../audit.ts"
import { type Disk, people, type Template } from "../Disk.ts"

/** What the tables of Postgres have beside those of SQLite. */
const SHARED = `
  ALTER TABLE partitions ADD COLUMN owner TEXT;
  ALTER TABLE partitions ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE partitions ADD COLUMN lease INTEGER;
  ALTER TABLE partitions ADD COLUMN seq INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE partitions ADD COLUMN last TEXT;
  CREATE TABLE nodes (
    address TEXT PRIMARY KEY, node TEXT NOT NULL, runner TEXT NOT NULL, version TEXT NOT NULL, healthy INTEGER NOT NULL,
    seen INTEGER NOT NULL
  );
  CREATE TABLE journal (last INTEGER NOT NULL, changes INTEGER NOT NULL);
  INSERT INTO journal VALUES (0, 0);
  CREATE TABLE journal_writers (
    node TEXT PRIMARY KEY, batch INTEGER NOT NULL, before INTEGER NOT NULL, at INTEGER NOT NULL
  );`

export interface SharedTemplate extends Pick<Template, "people" | "neighbours" | "repeats"> {
  readonly open: () => SharedDisk
  readonly close: () => void
}

/** The initial database, in a folder that is in memory if possible. */
export const template = async (): Promise<SharedTemplate> => {
  const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "signalbox-sim-"))
  const file = join(folder, "template.db")
  const found = await Effect.runPromise(
    Effect.provide(people, Layer.provideMerge(AccountRows.layer, Sqlite.layer({ filename: file })))
  )
  const database = new Database(file)
  database.run(AUDIT)
  database.run(SHARED)
  database.run("PRAGMA wal_checkpoint(TRUNCATE)")
  database.close()
  return {
    ...found,
    repeats: true,
    open: () => new SharedDisk(join(folder, "signalbox.db"), file),
    close: () => rmSync(folder, { recursive: true })
  }
}

export class SharedDisk implements Disk {
  readonly filename: string
  readonly #eye: Database
  #isStirred = false

  constructor(filename: string, template: string) {
    this.filename = filename
    this.#clear()
    copyFileSync(template, filename)
    this.#eye = new Database(filename)
    this.#eye.run("PRAGMA journal_mode = WAL")
  }

  layer(): never {
    throw new Error("each node reaches the database on a way of its own")
  }

  rows<R>(sql: string, ...values: ReadonlyArray<string | number>): ReadonlyArray<R> {
    return this.#eye.prepare<R, Array<string | number>>(sql).all(...values)
  }

  cut(): void {}

  fill(): void {}

  makeRoom(): void {}

  pending(): undefined {
    return undefined
  }

  /** A promise goes on: nothing else may happen before it has. */
  stir(): void {
    this.#isStirred = true
  }

  stirred(): Promise<void> | undefined {
    if (!this.#isStirred) return undefined
    this.#isStirred = false
    return new Promise((done) => setImmediate(done))
  }

  async close(): Promise<void> {
    this.#eye.close()
    this.#clear()
  }

  #clear(): void {
    for (const end of ["", "-wal", "-shm"]) rmSync(`${this.filename}${end}`, { force: true })
  }
}
