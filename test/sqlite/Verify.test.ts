import { Database } from "bun:sqlite"
import { expect } from "bun:test"
import { join } from "node:path"
import { Effect, Exit, Fiber, Layer } from "effect"
import * as ReadOnly from "../../src/sqlite/client/ReadOnly.ts"
import * as Migrations from "../../src/sqlite/Migrations.ts"
import * as RecordedAlerts from "../../src/sqlite/readers/RecordedAlerts.ts"
import * as Sqlite from "../../src/sqlite/Sqlite.ts"
import * as Verify from "../../src/sqlite/Verify.ts"
import { dice } from "../flow/worlds.ts"
import * as Books from "../lib/books.ts"
import { it } from "../lib/effect.ts"
import { ofFiles, spoilings } from "../lib/spoilings.ts"
import { folder } from "../services/ports.ts"

/** A file with books, a connection to spoil them with, and what is found then: `table row: text`. */
const books = Effect.gen(function* () {
  const filename = join(yield* folder, "x.db")
  const world = yield* Books.written(filename)
  const database = new Database(filename)
  yield* Effect.addFinalizer(() => Effect.sync(() => database.close()))
  const found = Effect.map(Verify.verify(filename), ({ faults }) =>
    faults.map(({ row, strategy, table, text }) => `${strategy ?? "-"} ${table} ${row ?? "-"}: ${text}`)
  )
  return { ...world, filename, database, found }
})

it.live("sound books have no fault, and are counted", () =>
  Effect.gen(function* () {
    const { filename } = yield* books
    const { faults, head, rows } = yield* Verify.verify(filename)
    expect(faults).toEqual([])
    expect(head).toMatch(/^[0-9a-f]{64}$/)
    expect(rows).toMatchObject({ ledger: 93, fills: 87, trades: 25, bots: 4, strategies: 3, signals: 1 })
  })
)

/** The versions that there ever were, by their migrations. */
const VERSIONS = Object.keys(Migrations.upTo(Migrations.VERSION)).map((name) => Number.parseInt(name, 10))

it.live("a database of any earlier version verifies without migration", () =>
  Effect.gen(function* () {
    const here = yield* folder
    for (const version of VERSIONS) {
      const filename = join(here, `${version}.db`)
      const layer = Sqlite.layer({ filename, migrations: Migrations.upTo(version) })
      yield* Effect.scoped(Layer.build(layer))
      const verdict = yield* Verify.verify(filename)
      expect([verdict.version, verdict.faults]).toEqual([version, []])
    }
  })
)

it.live("recorded alerts of any earlier version are read without migration", () =>
  Effect.gen(function* () {
    const here = yield* folder
    const all = { account: undefined, signal: undefined, from: 0, until: Number.MAX_SAFE_INTEGER }
    for (let version = 1; version <= Migrations.VERSION; version++) {
      const filename = join(here, `${version}.db`)
      yield* Effect.scoped(Layer.build(Sqlite.layer({ filename, migrations: Migrations.upTo(version) })))
      const older = new Database(filename)
      older.run("PRAGMA foreign_keys = 0")
      older.run(`INSERT INTO alerts (account, token, signal_id, coin, quote, type, received_at, repeats, warnings)
        VALUES (1, 1, 1, 'BTC', 'USDT', 'buy', 1000, 0, '[]')`)
      older.close()
      const alerts = yield* Effect.scoped(
        Effect.map(ReadOnly.open(filename), (snapshot) => RecordedAlerts.page(snapshot, all, 0))
      )
      expect({ version, types: alerts.map(({ type }) => type) }).toEqual({ version, types: ["buy"] })
    }
  })
)

it.live("verification can be interrupted between two bots", () =>
  Effect.gen(function* () {
    const { filename } = yield* books
    const verifying = yield* Effect.fork(Verify.verify(filename))
    let turns = 0
    const timer = setInterval(() => turns++)
    yield* Fiber.join(verifying)
    clearInterval(timer)
    expect(turns).toBeGreaterThan(0)
    const begun = yield* Effect.fork(Verify.verify(filename))
    yield* Effect.sleep(0)
    expect(Exit.isInterrupted(yield* Fiber.interrupt(begun))).toBe(true)
  })
)

for (const [name, statement, expected] of [...spoilings, ...ofFiles]) {
  it.live(`verification finds and locates this change, and no other fault: ${name}`, () =>
    Effect.gen(function* () {
      const { database, found } = yield* books
      database.run(statement)
      const faults = yield* found
      const isMet = (pattern: RegExp) => faults.some((fault) => pattern.test(fault))
      const isExpected = (fault: string) => expected.some((pattern) => pattern.test(fault))
      expect(expected.filter((pattern) => !isMet(pattern))).toEqual([])
      expect(faults.filter((fault) => !isExpected(fault))).toEqual([])
    })
  )
}

/** Where money stands; what only prices decide (a baseline) is not in the books. */
const columns = [
  ["ledger", "posting", "id"],
  ["fills", "fill", "id"],
  ["trades", "trade", "id"],
  ["bots", "state", "strategy_id"],
  ["bots", "tally", "strategy_id"]
] as const
const MONEY = `atom GLOB '[-0-9]*' AND atom NOT GLOB '*-*-*' AND key NOT IN ('baseline', 'id')
  OR key IN ('price', 'entryPrice', 'exitPrice', 'profitPercent', 'drawdown', 'mean', 'squares', 'heldMs')`

it.live(
  "any amount that was raised a little is found, and its strategy named",
  () =>
    Effect.gen(function* () {
      const { database, found } = yield* books
      const cells = columns.flatMap(([table, column, key]) =>
        database
          .query<{ row: number; path: string; atom: string | number; strategy: number }, []>(
            `SELECT ${table}.${key} AS row, fullkey AS path, atom, strategy_id AS strategy
            FROM ${table}, json_tree(${column}) WHERE type IN ('text', 'real', 'integer') AND (${MONEY})`
          )
          .all()
          .map((cell) => ({ ...cell, table, column, key }))
      )
      expect(cells.length).toBeGreaterThan(900)
      const { whole } = dice(20_261_121)
      const missed: Array<unknown> = []
      const trials = Number(process.env["SIGNALBOX_CELLS"] ?? 60)
      for (let trial = 0; trial < Math.min(trials, cells.length); trial++) {
        const cell = cells[trials < cells.length ? whole(0, cells.length - 1) : trial]
        if (cell === undefined) continue
        const { atom, column, key, path, row, strategy, table } = cell
        const put = (value: string | number) =>
          database.run(`UPDATE ${table} SET ${column} = json_set(${column}, ?, ?) WHERE ${key} = ?`, [
            path,
            value,
            row
          ])
        put(typeof atom === "number" ? atom * 1.0001 + 0.001 : `${atom}${atom.includes(".") ? "" : "."}1`)
        const faults = yield* found
        if (!faults.some((fault) => fault.startsWith(`${strategy} `))) missed.push({ ...cell, faults })
        put(atom)
      }
      expect(missed).toEqual([])
      expect(yield* found).toEqual([])
    }),
  60_000
)
