import { Database } from "bun:sqlite"
import { describe, expect } from "bun:test"
import { mkdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { Cause, Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { StorageUnavailable } from "../../src/services/records/StorageUnavailable.ts"
import { Signals } from "../../src/services/Signals.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import * as Sqlite from "../../src/sqlite/Sqlite.ts"
import { followersOf } from "../../src/testing/contracts/people.ts"
import { settings } from "../../src/testing/Fixtures.ts"
import { it, layer } from "../lib/effect.ts"
import { aSignal, fillUp, folder, makeRoom, onFile, onTemporaryFile, sender } from "../services/ports.ts"

const opened = layer(onTemporaryFile)

const pragma = (name: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql.unsafe(`PRAGMA ${name}`).values, (rows) => rows[0]?.[0])
  )

/** Why the database could not be opened. */
const refusal = (filename: string) =>
  Effect.map(Effect.flip(Effect.scoped(Layer.build(Sqlite.layer({ filename })))), String)

describe("the database", () => {
  opened.effect("is durable, checks its types, and trusts no stored schema", () =>
    Effect.gen(function* () {
      expect(yield* pragma("journal_mode")).toBe("wal")
      expect(yield* pragma("synchronous")).toBe(2)
      expect(yield* pragma("foreign_keys")).toBe(1)
      expect(yield* pragma("busy_timeout")).toBe(50)
      expect(yield* pragma("trusted_schema")).toBe(0)
      expect(yield* pragma("temp_store")).toBe(2)
      const sql = yield* SqlClient.SqlClient
      const loose = yield* sql`SELECT name FROM pragma_table_list
        WHERE schema = 'main' AND type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite_%'`
      expect(loose).toEqual([{ name: "effect_sql_migrations" }])
    })
  )

  it.live("belongs to its owner only, folder and side files included", () =>
    Effect.gen(function* () {
      const home = join(yield* folder, "new", "home")
      const filename = join(home, "signalbox.db")
      yield* Layer.build(Layer.provideMerge(Sqlite.layer({ filename }), Sqlite.layerLock({ filename })))
      expect(statSync(home).mode & 0o777).toBe(0o700)
      for (const side of ["", "-wal", "-shm", ".lock"]) {
        expect([side, statSync(filename + side).mode & 0o777]).toEqual([side, 0o600])
      }
    })
  )

  it.live("that cannot be opened is reported in one line", () =>
    Effect.gen(function* () {
      const home = yield* folder
      const text = join(home, "text.db")
      writeFileSync(
        text,
        "this is not a database, but long enough to be looked at as one by SQLite itself".repeat(9)
      )
      expect(yield* refusal(text)).toContain("file is not a database")
      mkdirSync(join(home, "folder.db"))
      expect(yield* refusal(join(home, "folder.db"))).toContain("folder.db")
      expect(yield* refusal(join(text, "x.db"))).toContain("text.db")
      const foreign = join(home, "foreign.db")
      new Database(foreign).run("CREATE TABLE theirs (id INTEGER)")
      expect(yield* refusal(foreign)).toContain("belongs to another program")
    })
  )
})

describe("statements on the database", () => {
  opened.effect("from other fibers wait until a transaction has ended, and are not undone with it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const begun = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      yield* sql`CREATE TABLE t (a TEXT) STRICT`
      const undone = yield* Effect.fork(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`INSERT INTO t VALUES ('undone')`
            yield* Deferred.succeed(begun, undefined)
            yield* Deferred.await(go)
            return yield* Effect.fail("no")
          })
        )
      )
      yield* Deferred.await(begun)
      const other = yield* Effect.fork(sql`INSERT INTO t VALUES ('kept')`)
      yield* Effect.yieldNow()
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.await(undone)
      yield* Fiber.join(other)
      expect(yield* sql`SELECT a FROM t`).toEqual([{ a: "kept" }])
    })
  )

  opened.effect("that fail at the commit are a failure, and the connection goes on", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE parents (id INTEGER PRIMARY KEY) STRICT`
      yield* sql`CREATE TABLE children
        (parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED) STRICT`
      const orphan = sql.withTransaction(sql`INSERT INTO children VALUES (1)`)
      expect((yield* Effect.flip(orphan))._tag).toBe("SqlError")
      expect(yield* sql.withTransaction(sql`SELECT * FROM children`)).toEqual([])
    })
  )

  opened.effect("of an undone transaction leave nothing in the caches", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* StrategyStore
      const { account } = yield* sender("alice")
      const { id: signalId } = yield* (yield* Signals).create(account, aSignal())
      const undone = Effect.gen(function* () {
        yield* store.create(account, settings({ signalId }))
        expect((yield* store.followers(signalId, account)).length).toBe(1)
        expect((yield* followersOf(signalId)).length).toBe(1)
        return yield* Effect.fail("no")
      })
      expect(yield* Effect.flip(sql.withTransaction(undone))).toBe("no")
      expect(yield* store.followers(signalId, account)).toEqual([])
      expect(yield* followersOf(signalId)).toEqual([])
    })
  )

  it.live("wait for another process that writes, and leave the event loop free meanwhile", () =>
    Effect.gen(function* () {
      const filename = join(yield* folder, "signalbox.db")
      const context = yield* Layer.build(onFile(filename))
      const signals = yield* Effect.provide(Signals, context)
      const { account } = yield* Effect.provide(sender("alice"), context)
      const other = new Database(filename)
      other.run("BEGIN IMMEDIATE")
      const writing = yield* Effect.fork(signals.create(account, aSignal()))
      let longest = 0
      for (let before = performance.now(), count = 0; count < 40; count++) {
        yield* Effect.sleep("5 millis")
        const now = performance.now()
        longest = Math.max(longest, now - before)
        before = now
      }
      // A connection that waits in the kernel would hold the loop for as long as the other writes.
      expect(longest).toBeLessThan(1_000)
      other.run("COMMIT")
      expect((yield* Fiber.join(writing)).account).toBe(account)
    })
  )

  it.live("on a full disk fail as unavailable storage, and reads go on", () =>
    Effect.gen(function* () {
      const filename = join(yield* folder, "signalbox.db")
      const context = yield* Layer.build(onFile(filename))
      const signals = yield* Effect.provide(Signals, context)
      const { account } = yield* Effect.provide(sender("alice"), context)
      const first = yield* signals.create(account, aSignal())
      const large = aSignal({ description: "x".repeat(120) })
      yield* Effect.provide(fillUp, context)
      const exits = yield* Effect.all(
        Array.from({ length: 100 }, () => Effect.exit(signals.create(account, large)))
      )
      const failed = exits.filter(Exit.isFailure).map(({ cause }) => Cause.squash(cause))
      expect(failed.length).toBeGreaterThan(0)
      for (const error of failed) expect(error).toBeInstanceOf(StorageUnavailable)
      const made = exits.filter(Exit.isSuccess).map(({ value }) => value)
      expect(yield* signals.list(account, {})).toEqual([first, ...made])
      yield* Effect.provide(makeRoom, context)
      yield* signals.create(account, aSignal())
    })
  )
})
