// Moves between files and Postgres. Whatever the rows are, both sides have the same afterwards, and at no time may both
// be served. The adversary: a kill in the middle, a server on either side, a target that somebody uses already, ids of
// rows that were deleted, values at every extreme.
import { Database } from "bun:sqlite"
import { describe, expect } from "bun:test"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { Effect, FastCheck, Layer, Redacted } from "effect"
import { Client } from "pg"
import * as PostgresDestination from "../../src/postgres/moves/PostgresDestination.ts"
import * as PostgresEnd from "../../src/postgres/moves/PostgresEnd.ts"
import * as PostgresOrigin from "../../src/postgres/moves/PostgresOrigin.ts"
import * as Postgres from "../../src/postgres/Postgres.ts"
import * as PostgresVerify from "../../src/postgres/Verify.ts"
import * as Move from "../../src/sql/moves/Move.ts"
import * as MoveTable from "../../src/sql/moves/MoveTable.ts"
import { VERSION } from "../../src/sqlite/Migrations.ts"
import * as FileDestination from "../../src/sqlite/moves/FileDestination.ts"
import * as FileEnd from "../../src/sqlite/moves/FileEnd.ts"
import * as FileOrigin from "../../src/sqlite/moves/FileOrigin.ts"
import * as Sqlite from "../../src/sqlite/Sqlite.ts"
import * as Verify from "../../src/sqlite/Verify.ts"
import * as Books from "../lib/books.ts"
import { it } from "../lib/effect.ts"
import { database, fresh, isInstalled, PASSWORD } from "../lib/postgres/Database.ts"
import { folder } from "../services/ports.ts"

type Place = string | Redacted.Redacted

const node = (url: Redacted.Redacted) => ({ url, node: fresh("move") })

const originOf = (place: Place) =>
  typeof place === "string" ? FileOrigin.open(place) : PostgresOrigin.open(node(place))

/** Moves, as the command does. */
const moved = (from: Place, to: Place) =>
  Effect.scoped(
    Effect.gen(function* () {
      const origin = yield* originOf(from)
      return yield* onward(origin, yield* Move.soundOrigin(origin), to)
    })
  )

const onward = (origin: Move.Origin, before: Move.Ends["before"], to: Place) =>
  Effect.gen(function* () {
    const ticket = { id: fresh("id"), at: 1_700_000_000_000 }
    const claim = { ...ticket, from: origin.shown, source: origin.standing }
    const destination =
      typeof to === "string"
        ? yield* FileDestination.open(to, claim)
        : yield* PostgresDestination.open(node(to), claim)
    return yield* Move.move({ ticket, from: origin, before, to: destination })
  })

/** Runs statements on a database of Postgres. */
const on = <A>(url: Redacted.Redacted, run: (client: Client) => Promise<A>) =>
  Effect.promise(async () => {
    const client = new Client({ connectionString: Redacted.value(url) })
    await client.connect()
    return run(client).finally(() => client.end())
  })

const plain = (value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value === null ? null : String(value)

type Rows = Readonly<Record<string, ReadonlyArray<Readonly<Record<string, unknown>>>>>

/** Every value of a file's tables, computed ones too. */
const inFile = (filename: string): Rows => {
  const file = new Database(filename, { readonly: true, safeIntegers: true })
  const plainly = new Database(filename, { readonly: true })
  const tables = FileEnd.tablesOf(plainly).filter(({ name }) => !MoveTable.OWN.has(name))
  plainly.close()
  const found = tables.map(({ columns, key, name }) => {
    const names = columns.map((it) => `"${it.name}"`).sort()
    const rows = file.query(`SELECT ${names.join(", ")} FROM "${name}" ORDER BY ${key.join(", ")}`).all()
    return [
      name,
      rows.map((row) =>
        Object.fromEntries(Object.entries(Object(row)).map(([it, value]) => [it, plain(value)]))
      )
    ] as const
  })
  file.close()
  return Object.fromEntries(found)
}

/** The same of a database of Postgres, in the columns that the file has. */
const inPostgres = (url: Redacted.Redacted, like: Rows) =>
  on(url, async (client) => {
    const found: Record<string, Rows[string]> = {}
    for (const { key, name } of await PostgresEnd.tablesOf(client)) {
      if (MoveTable.OWN.has(name)) continue
      const [first = {}] = like[name] ?? []
      const names = Object.keys(first).map((it) => `"${it}"`)
      const { rows } = await client.query(
        `SELECT ${names.join(", ")} FROM ${name} ORDER BY ${key.join(", ")}`
      )
      found[name] = rows.map((row) =>
        Object.fromEntries(Object.entries(Object(row)).map(([it, value]) => [it, plain(value)]))
      )
    }
    return found
  })

describe.skipIf(!isInstalled)("a move", () => {
  it.live("takes books to Postgres and back, with the same values, the same head and no fault", () =>
    Effect.gen(function* () {
      const here = yield* folder
      const [first, second] = [join(here, "first.db"), join(here, "second.db")]
      yield* Books.written(first)
      const before = yield* Verify.verify(first)
      const values = inFile(first)
      expect(Object.keys(values).length).toBeGreaterThan(30)
      const { url } = yield* database("empty")
      const there = yield* moved(first, url)
      expect(yield* inPostgres(url, values)).toEqual(values)
      const verdict = yield* PostgresVerify.verify(node(url))
      expect([verdict.faults, verdict.head, verdict.rows]).toEqual([[], before.head, before.rows])
      const back = yield* moved(url, second)
      expect(Object.fromEntries(back.sums)).toEqual(Object.fromEntries(there.sums))
      expect(inFile(second)).toEqual(values)
      const after = yield* Verify.verify(second)
      expect([after.faults, after.head, after.rows]).toEqual([[], before.head, before.rows])
      expect(readdirSync(here).filter((name) => name.includes("moving"))).toEqual([])
    })
  )

  it.live("marks its source, which is not opened again but to be verified", () =>
    Effect.gen(function* () {
      const here = yield* folder
      const first = join(here, "first.db")
      yield* Books.written(first)
      const { name, url } = yield* database("empty")
      yield* moved(first, url)
      const opened = yield* Effect.flip(Effect.scoped(Layer.build(Sqlite.layer({ filename: first }))))
      expect(opened.message).toContain(`it was moved to postgres://127.0.0.1`)
      expect(opened.message).toContain(`/${name} on 2023-11-14: use that one`)
      expect(opened.message).not.toContain(PASSWORD)
      expect((yield* Verify.verify(first)).faults).toEqual([])
      const other = yield* database("empty")
      expect((yield* Effect.flip(moved(first, other.url))).message).toContain(
        "cannot be moved: it was moved to"
      )
      yield* moved(url, join(here, "second.db"))
      const refused = yield* Effect.flip(Effect.scoped(Layer.build(Postgres.layer(node(url)))))
      expect(refused.message).toContain(`it was moved to ${join(here, "second.db")}`)
      expect((yield* PostgresVerify.verify(node(url))).faults).toEqual([])
      yield* Effect.scoped(Layer.build(Sqlite.layer({ filename: join(here, "second.db") })))
    })
  )

  it.live("is refused while either side is served, and by a target that holds anything", () =>
    Effect.gen(function* () {
      const here = yield* folder
      const [first, second] = [join(here, "first.db"), join(here, "second.db")]
      yield* Books.written(first)
      yield* Books.written(second)
      const { url } = yield* database("empty")
      const serving = Sqlite.layerLock({ filename: first })
      const served = yield* Effect.flip(Effect.provide(moved(first, url), serving))
      expect(served._tag).toBe("DatabaseServed")
      yield* moved(first, url)
      expect((yield* Effect.flip(moved(second, url))).message).toContain("it holds records already")
      expect((yield* Effect.flip(moved(url, second))).message).toContain("it holds records already")
      yield* Effect.scoped(Layer.build(Sqlite.layer({ filename: second })))
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Layer.build(PostgresOrigin.leased(node(url)))
          const refused = yield* Effect.flip(moved(url, join(here, "third.db")))
          expect(refused._tag).toBe("DatabaseServed")
        })
      )
      expect(existsSync(join(here, "third.db"))).toBe(false)
    })
  )

  it.live("is refused for what a newer program wrote, for faults, and for a database of others", () =>
    Effect.gen(function* () {
      const here = yield* folder
      const first = join(here, "first.db")
      yield* Books.written(first)
      const { url } = yield* database("empty")
      const file = new Database(first)
      file.run("UPDATE bots SET tally = json_set(tally, '$.wins', 99) WHERE strategy_id = 4")
      expect(yield* Effect.flip(moved(first, url))).toMatchObject({ _tag: "SourceNotSound" })
      file.run(`PRAGMA user_version = ${VERSION + 1}`)
      expect(yield* Effect.flip(moved(first, url))).toMatchObject({ _tag: "DatabaseNewer" })
      file.close()
      expect((yield* Effect.flip(moved(join(here, "none.db"), url))).message).toContain(
        "there is no such database"
      )
      yield* on(url, (client) => client.query("CREATE TABLE invoices (id int)"))
      yield* Books.written(join(here, "other.db"))
      expect((yield* Effect.flip(moved(join(here, "other.db"), url))).message).toContain("another program")
      expect(readdirSync(here).some((name) => name.includes("none"))).toBe(false)
    })
  )

  it.live("gives out no id twice, and takes every table of both schemas", () =>
    Effect.gen(function* () {
      const here = yield* folder
      const [first, second] = [join(here, "first.db"), join(here, "second.db")]
      yield* Books.written(first)
      const file = new Database(first)
      // The newest of each are deleted: their ids stay used.
      file.run("UPDATE sqlite_sequence SET seq = seq + 1000")
      const due = new Map(
        file
          .query("SELECT name, seq FROM sqlite_sequence")
          .values()
          .map(([name, seq]) => [String(name), Number(seq)])
      )
      const tables = FileEnd.tablesOf(file)
      file.close()
      const { url } = yield* database("empty")
      yield* moved(first, url)
      const [added, others] = yield* on(url, async (client) => {
        const { rows } = await client.query(
          "INSERT INTO accounts (name, created_at) VALUES ('new', 1) RETURNING id::int"
        )
        await client.query("DELETE FROM accounts WHERE name = 'new'")
        return [Object(rows[0]).id, await PostgresEnd.tablesOf(client)] as const
      })
      expect(added).toBe((due.get("accounts") ?? 0) + 1)
      yield* moved(url, second)
      const after = new Database(second, { readonly: true })
      const there = new Map(
        after
          .query("SELECT name, seq FROM sqlite_sequence")
          .values()
          .map(([name, seq]) => [String(name), Number(seq)])
      )
      after.close()
      expect(there).toEqual(new Map(due).set("accounts", added))
      const plan = MoveTable.planOf(tables, others)
      const planned = plan._tag === "Tables" ? plan.tables.map(({ name }) => name) : [plan.text]
      const all = new Set([...tables, ...others].map(({ name }) => name))
      expect([...all].filter((name) => !MoveTable.OWN.has(name)).sort()).toEqual([...planned].sort())
    })
  )
})

const text = FastCheck.oneof(
  FastCheck.fullUnicodeString({ maxLength: 40 }),
  FastCheck.constantFrom('"', "\\", "\\x00", "{}", "NULL", "null", "", ",", "'", "\n\t\r", "💶", "\\N", "\\.")
).map((it) => it.replaceAll("\0", ""))
const integer = FastCheck.oneof(
  FastCheck.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  FastCheck.constantFrom(0n, 2n ** 53n + 1n, -(2n ** 63n), 2n ** 63n - 1n)
)
const real = FastCheck.oneof(
  FastCheck.double({ noNaN: true, noDefaultInfinity: true }),
  FastCheck.constantFrom(1e-7, 1e21, 5e-324, 1.7976931348623157e308, 0.1, 123456789.12345679)
).map((it) => (Object.is(it, -0) ? 0 : it))
const bytes = FastCheck.uint8Array({ maxLength: 40 })
const some = <A>(one: FastCheck.Arbitrary<A>) => FastCheck.array(one, { maxLength: 30 })

const world = FastCheck.record({
  probes: some(bytes),
  keys: FastCheck.uniqueArray(FastCheck.tuple(integer, text, text, integer, integer), {
    maxLength: 30,
    selector: ([account, key]) => `${account} ${key}`
  }),
  notes: some(
    FastCheck.tuple(integer, integer, text, FastCheck.option(integer), FastCheck.option(text), text)
  ),
  alerts: some(FastCheck.tuple(text, FastCheck.option(real), FastCheck.option(real), integer))
})

describe.skipIf(!isInstalled)("whatever the rows of a file are", () => {
  it.live("every value is the same on Postgres, and in the next file", () =>
    Effect.gen(function* () {
      const here = yield* folder
      const model = join(here, "model.db")
      yield* Books.written(model)
      const verdict = yield* Verify.verify(model)
      // Rows at every extreme are no books: they are compared, and not verified.
      const passed = (from: Place, to: Place) =>
        Effect.scoped(
          Effect.gen(function* () {
            const origin = yield* originOf(from)
            const ticket = { id: fresh("id"), at: 1 }
            const claim = { ...ticket, from: origin.shown, source: origin.standing }
            const opened =
              typeof to === "string"
                ? yield* FileDestination.open(to, claim)
                : yield* PostgresDestination.open(node(to), claim)
            const before = { ...verdict, head: yield* origin.head }
            return yield* Move.move({ ticket, from: origin, before, to: opened })
          })
        )
      for (const rows of FastCheck.sample(world, { numRuns: 4, seed: 7 })) {
        const [first, second] = [join(here, `${fresh("x")}.db`), join(here, `${fresh("y")}.db`)]
        yield* Effect.scoped(Layer.build(Sqlite.layer({ filename: first })))
        const file = new Database(first, { safeIntegers: true })
        file.run("INSERT INTO accounts (id, name, created_at) VALUES (1, 'ann', 1)")
        file.run(
          "INSERT INTO tokens (id, account, scope, hash, created_at) VALUES (1, 1, 'full', randomblob(32), 1)"
        )
        for (const it of rows.probes) file.run("INSERT INTO probe (filler) VALUES (?)", [it])
        for (const it of rows.keys)
          file.run(
            "INSERT INTO alert_keys (account, key, body, alert_id, expires_at) VALUES (?, ?, ?, ?, ?)",
            it
          )
        for (const it of rows.notes)
          file.run(
            "INSERT INTO timeline (strategy_id, at, rule, alert_id, reason, text) VALUES (?, ?, ?, ?, ?, ?)",
            it
          )
        for (const it of rows.alerts)
          file.run(
            "INSERT INTO alerts (account, token, signal_id, quote, type, coin, tp, sl, received_at) VALUES (1, 1, 1, '', '', ?, ?, ?, ?)",
            it
          )
        file.close()
        const values = inFile(first)
        const { url } = yield* database("empty")
        yield* passed(first, url)
        yield* passed(url, second)
        expect(inFile(second)).toEqual(values)
      }
    })
  )

  it.live("a text that Postgres cannot hold is named, and nothing is marked", () =>
    Effect.gen(function* () {
      const here = yield* folder
      const first = join(here, "first.db")
      yield* Books.written(first)
      const file = new Database(first)
      file.run("UPDATE timeline SET text = 'a' || char(0) || 'b' WHERE id = 7")
      file.close()
      const { url } = yield* database("empty")
      const refused = yield* Effect.flip(moved(first, url))
      expect(refused.message).toContain(
        "cannot hold the row of timeline with id 7: a text of it has a NUL character"
      )
      yield* Effect.scoped(Layer.build(Sqlite.layer({ filename: first })))
      const unfinished = yield* Effect.flip(Effect.scoped(Layer.build(Postgres.layer(node(url)))))
      expect(unfinished.message).toContain(`it holds an unfinished move from ${first}`)
    })
  )
})
