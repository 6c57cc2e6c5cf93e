// `restore`: the same books, everybody signed out, and the database before is kept.
import { Database } from "bun:sqlite"
import { afterAll, beforeAll, expect, test } from "bun:test"
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer } from "effect"
import { VERSION } from "../../src/sqlite/Migrations.ts"
import * as Sqlite from "../../src/sqlite/Sqlite.ts"
import * as Books from "../lib/books.ts"
import { signalbox } from "../lib/cli.ts"

const folder = mkdtempSync(join(tmpdir(), "restore-"))
const db = join(folder, "x.db")
const file = join(folder, "x.backup")
beforeAll(async () => {
  await Effect.runPromise(Books.written(db))
  expect(await signalbox("backup", file, "--db", db)).toMatchObject({ code: 0, error: "" })
})
afterAll(() => rmSync(folder, { recursive: true }))

const verified = async (path: string) => {
  const { code, out } = await signalbox("verify", "--db", path, "--json")
  const { head, rows, sound } = JSON.parse(out)
  return { code, head, rows, sound }
}

const changed = (name: string, statement: string): string => {
  const path = join(folder, name)
  copyFileSync(file, path)
  const database = new Database(path)
  database.run(statement)
  database.close(true)
  return path
}

test("a restore into a new folder has the same rows, belongs to its owner alone, and is marked as restored", async () => {
  const target = join(folder, "new", "y.db")
  const { code, error, out } = await signalbox("restore", file, "--db", target)
  expect({ code, error }).toEqual({ code: 0, error: "" })
  expect(out).toStartWith(`${target} is restored from ${file} and verified: 16 alerts, 25 trades of 4 bots.`)
  expect(out).toEndWith("then run signalbox resume\n")
  expect(await verified(target)).toEqual(await verified(db))
  expect(statSync(join(folder, "new")).mode & 0o777).toBe(0o700)
  for (const name of readdirSync(join(folder, "new")))
    expect([name, statSync(join(folder, "new", name)).mode & 0o777]).toEqual([name, 0o600])
  const database = new Database(target, { readonly: true })
  const marks = database.query("SELECT file, length(head), resumed_at FROM restores").values()
  expect(marks).toEqual([["x.backup", 64, null]])
  database.close()
})

test("a restored database has no sessions: whoever was signed in at the backup may have signed out since", async () => {
  const signedIn = changed(
    "signed-in.db",
    `INSERT INTO sessions (token, hash, created_at, last_used_at, expires_at)
      SELECT id, randomblob(32), 1, 1, 9999999999 FROM tokens LIMIT 1`
  )
  const target = join(folder, "signed-out", "y.db")
  const { code, error } = await signalbox("restore", signedIn, "--db", target)
  expect({ code, error }).toEqual({ code: 0, error: "" })
  const count = (path: string) => {
    const database = new Database(path, { readonly: true })
    const rows = database.query("SELECT count(*) FROM sessions").values()
    database.close()
    return rows
  }
  expect([count(signedIn), count(target)]).toEqual([[[1]], [[0]]])
})

test("a restore replaces a database only with --force, and keeps the old one with all its rows", async () => {
  const target = join(folder, "z.db")
  copyFileSync(db, target)
  // A killed server leaves its last rows only in its write-ahead log.
  const killed = new Database(target)
  killed.run("PRAGMA journal_mode = WAL")
  killed.run("PRAGMA wal_autocheckpoint = 0")
  killed.run("INSERT INTO accounts (name, created_at) VALUES ('last', 1)")
  copyFileSync(target, join(folder, "killed.db"))
  copyFileSync(`${target}-wal`, join(folder, "killed.db-wal"))
  killed.close(true)
  const over = join(folder, "killed.db")

  const refused = await signalbox("restore", file, "--db", over)
  expect(refused.code).toBe(1)
  expect(refused.error).toBe(
    `signalbox: cannot write ${over}: there is a database already; --force puts the backup in its place, and keeps it aside\n`
  )
  const { out, ...done } = await signalbox("restore", file, "--db", over, "--force", "--json")
  expect(done).toEqual({ code: 0, error: "" })
  const { kept, sound } = JSON.parse(out)
  expect(sound).toBe(true)
  expect(kept).toMatch(/killed\.db\.replaced-\d{8}T\d{6}Z$/)
  const names = (path: string) => {
    const database = new Database(path, { readonly: true })
    const rows = database.query("SELECT name FROM accounts ORDER BY id").values()
    database.close()
    return rows.flat()
  }
  expect(names(kept)).toEqual(["ann", "last"])
  expect(names(over)).toEqual(["ann"])
  expect(await verified(over)).toMatchObject({ code: 0, sound: true })
})

test("a database that a server uses is not replaced", async () => {
  const before = readFileSync(db)
  await Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        yield* Layer.build(Sqlite.layerLock({ filename: db }))
        const { code, error } = yield* Effect.promise(() => signalbox("restore", file, "--db", db, "--force"))
        expect({ code, error }).toEqual({
          code: 1,
          error: `signalbox: another process serves the database ${db}: stop it first, or take another with --db\n`
        })
      })
    )
  )
  expect(readFileSync(db)).toEqual(before)
})

test("a backup that is newer, foreign, damaged or the database itself is refused", async () => {
  const newer = changed("newer.backup", `PRAGMA user_version = ${VERSION + 1}`)
  const odd = changed(
    "odd.backup",
    "UPDATE bots SET tally = json_set(tally, '$.wins', 99) WHERE strategy_id = 4"
  )
  const foreign = changed("foreign.backup", "PRAGMA application_id = 7")
  const target = join(folder, "never.db")
  const inNone = join(folder, "deep", "er", "never.db")
  const [one, two, three, four, five] = await Promise.all([
    signalbox("restore", newer, "--db", target),
    signalbox("restore", odd, "--db", target),
    signalbox("restore", foreign, "--db", target),
    signalbox("restore", join(folder, "missing"), "--db", target),
    signalbox("restore", file, "--db", file, "--force")
  ])
  expect(one.error).toContain(
    `is of version ${VERSION + 1}, and this program knows ${VERSION}: use a newer program`
  )
  expect(two.out).toBe("strategy 4, bots: tally: wins is 99, its trades make it 4\n")
  expect(two.error).toBe(`signalbox: nothing was changed: ${odd} is not sound: 1 fault\n`)
  expect(three.error).toContain("it is not a database of Signalbox")
  expect(four.error).toContain("there is no such file")
  expect(five.error).toContain("it is the backup itself")
  expect([one, two, three, four, five].map(({ code }) => code)).toEqual([1, 1, 1, 1, 1])
  expect((await signalbox("restore", odd, "--db", inNone)).code).toBe(1)
  expect(existsSync(target)).toBe(false)
  expect(existsSync(`${target}.lock`)).toBe(false)
  expect(existsSync(join(folder, "deep"))).toBe(false)
  expect(readdirSync(folder).filter((name) => name.includes(".part"))).toEqual([])
})
