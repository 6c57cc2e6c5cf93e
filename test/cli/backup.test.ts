// `backup`: a verified private copy, also beside a running server; a failure leaves nothing behind.
import { Database } from "bun:sqlite"
import { afterAll, beforeAll, expect, test } from "bun:test"
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Fiber, Logger } from "effect"
import * as Books from "../lib/books.ts"
import { signalbox } from "../lib/cli.ts"
import * as Disk from "../lib/disk.ts"
import * as Flow from "../lib/flow.ts"

const folder = mkdtempSync(join(tmpdir(), "backup-"))
const db = join(folder, "x.db")
const made = join(folder, "made")
beforeAll(async () => {
  mkdirSync(made)
  await Effect.runPromise(Books.written(db))
})
afterAll(() => rmSync(folder, { recursive: true }))

const verified = async (path: string) => {
  const { code, out } = await signalbox("verify", "--db", path, "--json")
  const { head, rows, sound } = JSON.parse(out)
  return { code, head, rows, sound }
}

test("a backup is verified, private, and holds the same rows", async () => {
  const file = join(made, "one.db")
  const { code, error, out } = await signalbox("backup", file, "--db", db)
  expect({ code, error }).toEqual({ code: 0, error: "" })
  expect(out).toStartWith(`${file} is written and verified: `)
  expect(out).toMatch(/: \d{3}\.\d KiB, 16 alerts, 25 trades of 4 bots\.\n/)
  expect(await verified(file)).toEqual(await verified(db))
  expect(statSync(file).mode & 0o777).toBe(0o600)

  const again = await signalbox("backup", file, "--db", db)
  expect(again).toEqual({
    code: 1,
    out: "",
    error: `signalbox: cannot write ${file}: it is there already; --force replaces it\n`
  })
  const forced = await signalbox("backup", file, "--db", db, "--force", "--json")
  expect(forced.code).toBe(0)
  expect(JSON.parse(forced.out)).toMatchObject({ file, bytes: statSync(file).size, sound: true, faults: [] })
  expect(readdirSync(made)).toEqual(["one.db"])
})

test("a failed backup prints one line and leaves no file", async () => {
  const text = join(folder, "text")
  writeFileSync(text, "x".repeat(5000))
  const torn = join(folder, "torn.db")
  copyFileSync(db, torn)
  const bytes = Buffer.from(await Bun.file(torn).bytes())
  const whole = new Database(db, { readonly: true })
  const roots = whole.query(
    "SELECT rootpage FROM sqlite_schema WHERE name IN ('ledger', 'fills', 'timeline')"
  )
  for (const [page] of roots.values())
    bytes.fill(0x5a, (Number(page) - 1) * 4096, (Number(page) - 1) * 4096 + 900)
  whole.close()
  writeFileSync(torn, bytes)
  // A reader may leave SQLite's own files beside a database.
  const files = () => readdirSync(folder).filter((name) => !/-(wal|shm)$/.test(name))
  const before = files()
  const tries = [
    [join(folder, "none", "b.db"), db, `there is no folder ${join(folder, "none")}`],
    [db, db, "it is the database itself", "--force"],
    [made, db, "it is there already, and is no file"],
    [text, db, "it is there already, and is no database of Signalbox", "--force"],
    [join(folder, "b.db"), text, "it is not a database"],
    [join(folder, "b.db"), join(folder, "none.db"), "there is no such file"],
    [join(folder, "b.db"), torn, "the database is damaged; signalbox verify tells where"]
  ] as const
  for (const [file, from, why, ...more] of tries) {
    const { code, error, out } = await signalbox("backup", file, "--db", from, ...more)
    expect({ code, out }).toEqual({ code: 1, out: "" })
    expect(error).toStartWith("signalbox: cannot ")
    expect(error).toEndWith(`: ${why}\n`)
  }
  expect(files()).toEqual(before)
})

test("a database that fails verification is backed up with exit code 1, but never replaces another backup", async () => {
  const odd = join(folder, "odd.db")
  copyFileSync(db, odd)
  const database = new Database(odd)
  database.run(`UPDATE bots SET tally = json_set(tally, '$.wins', 99) WHERE strategy_id = 4`)
  database.close(true)
  const file = join(made, "odd.db")
  const first = await signalbox("backup", file, "--db", odd)
  expect(first.code).toBe(1)
  expect(first.out).toBe("strategy 4, bots: tally: wins is 99, its trades make it 4\n")
  expect(first.error).toBe(`signalbox: ${file} is written, but its content is not sound: 1 fault\n`)
  const second = await signalbox("backup", join(made, "one.db"), "--db", odd, "--force")
  expect(second.error).toContain("its books do not hold")
  expect(await verified(join(made, "one.db"))).toMatchObject({ code: 0, sound: true })
  expect(readdirSync(made).sort()).toEqual(["odd.db", "one.db"])
})

test("a backup beside a trading server shows one moment", async () => {
  const busy = join(folder, "busy.db")
  const rounds = (ann: Flow.User) =>
    Effect.gen(function* () {
      yield* Flow.quote(100)
      yield* Flow.say(ann.identity, ann.signal, "buy")
      yield* Flow.quote(101)
      yield* Flow.say(ann.identity, ann.signal, "sell")
    }).pipe(Effect.forever)
  const count = () => {
    const database = new Database(busy, { readonly: true })
    const [row] = database
      .query("SELECT (SELECT count(*) FROM ledger), (SELECT count(*) FROM trades)")
      .values()
    database.close()
    return (row ?? []).map(Number)
  }
  const program = Effect.gen(function* () {
    const ann = yield* Flow.ann()
    yield* Effect.forEach([1, 2, 3], () => Flow.aStrategy(ann.account, { signal_id: ann.signal }))
    const trading = yield* Effect.fork(rounds(ann))
    for (const name of ["first.db", "second.db", "third.db"]) {
      const before = count()
      const file = join(folder, name)
      const { code, out } = yield* Effect.promise(() => signalbox("backup", file, "--db", busy, "--json"))
      const after = count()
      const { rows, sound } = JSON.parse(out)
      expect({ code, sound }).toEqual({ code: 0, sound: true })
      for (const [index, table] of ["ledger", "trades"].entries()) {
        expect(rows[table]).toBeGreaterThanOrEqual(before[index] ?? Number.NaN)
        expect(rows[table]).toBeLessThanOrEqual(after[index] ?? Number.NaN)
      }
      expect(after[0]).toBeGreaterThan(before[0] ?? 0)
    }
    yield* Fiber.interrupt(trading)
  })
  const quiet = Logger.replace(Logger.defaultLogger, Logger.none)
  await Effect.runPromise(Effect.scoped(Disk.run(busy, program)).pipe(Effect.provide(quiet)))
  expect(await verified(busy)).toMatchObject({ code: 0, sound: true })
}, 30_000)
