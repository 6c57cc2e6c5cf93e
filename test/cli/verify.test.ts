// `verify`: sound books, altered rows, damaged pages and foreign files.
import { Database } from "bun:sqlite"
import { afterAll, beforeAll, expect, test } from "bun:test"
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { VERSION } from "../../src/sqlite/Migrations.ts"
import * as Books from "../lib/books.ts"
import { signalbox } from "../lib/cli.ts"

const folder = mkdtempSync(join(tmpdir(), "verify-"))
const db = join(folder, "x.db")
beforeAll(() => Effect.runPromise(Books.written(db)))
afterAll(() => rmSync(folder, { recursive: true }))

/** Returns a changed copy of the database. */
const spoiled = (name: string, ...statements: ReadonlyArray<string>): string => {
  const path = join(folder, name)
  copyFileSync(db, path)
  const database = new Database(path)
  for (const statement of statements) database.run(statement)
  database.close(true)
  return path
}

test("sound books exit with 0 and a summary, or one document with --json", async () => {
  const [plain, json] = await Promise.all([
    signalbox("verify", "--db", db),
    signalbox("verify", "--db", db, "--json")
  ])
  expect(plain).toMatchObject({ code: 0, error: "" })
  expect(plain.out).toStartWith(`${db} is sound.\n  93 ledger rows`)
  const { head, rows, ...rest } = JSON.parse(json.out)
  expect(rest).toEqual({ database: db, sound: true, version: VERSION, faults: [], untold: 0 })
  expect(rows).toMatchObject({ ledger: 93, trades: 25 })
  expect(plain.out).toContain(head)
})

test("an altered row is named in plain words, and exits with 1", async () => {
  const path = spoiled(
    "altered.db",
    `UPDATE ledger SET posting = json_set(posting, '$.lines[0].amount', '1.5') WHERE id = 11`,
    `UPDATE bots SET tally = json_set(tally, '$.wins', 99) WHERE strategy_id = 4`
  )
  const [plain, json] = await Promise.all([
    signalbox("verify", "--db", path),
    signalbox("verify", "--db", path, "--json")
  ])
  expect([plain.code, json.code]).toEqual([1, 1])
  expect(plain.out.split("\n")).toEqual([
    "strategy 1, ledger row 11: it was altered: it does not fit its place in the chain",
    "strategy 1, ledger row 11: its lines come to 1002.3926928 instead of 0",
    "strategy 1, ledger row 11: cash is 1.5, fill 7 makes it -1000.8926928",
    "strategy 1, bots: state: cash is 8730.2030174965, the ledger comes to 9732.5957102965",
    "strategy 4, bots: tally: wins is 99, its trades make it 4",
    ""
  ])
  expect(plain.error).toBe(`signalbox: ${path} is not sound: 5 faults\n`)
  const { faults, sound } = JSON.parse(json.out)
  expect(sound).toBe(false)
  expect(faults.at(-1)).toEqual({
    strategy: 4,
    table: "bots",
    row: null,
    text: "tally: wins is 99, its trades make it 4"
  })
})

test("overwritten pages are reported, whatever can still be read", async () => {
  const path = spoiled("torn.db")
  const bytes = Buffer.from(await Bun.file(path).bytes())
  // The newest pages hold rows. The schema is in older pages, without which nothing could be opened.
  const last = bytes.length / 4096
  for (let page = last - 30; page < last; page++) bytes.fill(0x5a, page * 4096 + 100, page * 4096 + 900)
  writeFileSync(path, bytes)
  const { code, out } = await signalbox("verify", "--db", path)
  expect(code).toBe(1)
  expect(out).toContain("file: ")
})

test("a foreign, missing or newer database exits with 1 and a plain line", async () => {
  writeFileSync(join(folder, "text"), "x".repeat(5000))
  new Database(join(folder, "foreign.db"), { create: true }).run("CREATE TABLE t (id)")
  const newer = spoiled("newer.db", `PRAGMA user_version = ${VERSION + 1}`)
  const said = await Promise.all(
    ["missing", "text", "foreign.db"].map((name) => signalbox("verify", "--db", join(folder, name)))
  )
  const cannot = (name: string, why: string) => ({
    code: 1,
    out: "",
    error: `signalbox: cannot open the database ${join(folder, name)}: ${why}\n`
  })
  expect(said).toEqual([
    cannot("missing", "there is no such file"),
    cannot("text", "it is not a database"),
    cannot("foreign.db", "it is not a database of Signalbox")
  ])
  expect((await signalbox("verify", "--db", newer)).error).toContain("use a newer program")
})
