import { Database } from "bun:sqlite"
import { expect } from "bun:test"
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Context, Effect, Either, Layer } from "effect"
import { Backups } from "../../src/services/Backups.ts"
import * as BackupFiles from "../../src/sqlite/Backups.ts"
import { it } from "../lib/effect.ts"
import { folder, onFile, sender } from "../services/ports.ts"

/** A server's database with an account in it, and its backups. */
const served = Effect.gen(function* () {
  const filename = join(yield* folder, "signalbox.db")
  const ports = yield* Layer.build(onFile(filename))
  yield* Effect.provide(sender("ann"), ports)
  const { make } = Context.get(yield* Layer.build(BackupFiles.layer(filename)), Backups)
  return { filename, make, backups: BackupFiles.folderOf(filename) }
})

it.live("a backup beside a server is complete, belongs to its owner alone, and runs once at a time", () =>
  Effect.gen(function* () {
    const { backups, filename, make } = yield* served
    const both = yield* Effect.all([Effect.either(make), Effect.either(make)], { concurrency: 2 })
    const [made] = both.filter(Either.isRight).map(({ right }) => right)
    expect(both.filter(Either.isLeft).map(({ left }) => left.reason)).toEqual(["busy"])
    expect(made?.file).toMatch(/^signalbox-\d{8}T\d{6}Z\.db$/)
    expect(readdirSync(backups)).toEqual([made?.file ?? ""])
    expect(dirname(backups)).toBe(dirname(filename))
    const path = join(backups, made?.file ?? "")
    expect([statSync(backups).mode & 0o777, statSync(path).mode & 0o777]).toEqual([0o700, 0o600])
    expect(made?.bytes).toBe(statSync(path).size)
    expect(made?.seconds).toBeGreaterThan(0)
    const copy = new Database(path, { readonly: true })
    expect(copy.query("SELECT name FROM accounts").values()).toEqual([["ann"]])
    copy.close()
  })
)

it.live("a second backup within the same second does not fail", () =>
  Effect.gen(function* () {
    const { backups, make } = yield* served
    const told: Array<string> = []
    for (let count = 0; count < 4; count++)
      told.push(
        Either.match(yield* Effect.either(make), {
          onLeft: ({ reason }) => reason,
          onRight: ({ file }) => file
        })
      )
    const written = told.filter((it) => it !== "busy")
    expect(readdirSync(backups).sort()).toEqual(written)
    expect(written).not.toContain("failed")
  })
)

it.live("a failed write is reported without its path, and leaves no file", () =>
  Effect.gen(function* () {
    const { backups, make } = yield* served
    writeFileSync(backups, "in the way")
    expect(yield* Effect.flip(make)).toMatchObject({ reason: "failed" })
    rmSync(backups)
    mkdirSync(backups, { mode: 0o500 })
    // Root may write anywhere.
    if (process.getuid?.() !== 0) {
      const refused = yield* Effect.flip(make)
      expect(refused.message).toBe("the backup could not be written: the server's log tells why")
    }
    expect(readdirSync(backups)).toEqual([])
  })
)

it.effect("a database in memory cannot be backed up", () =>
  Effect.gen(function* () {
    const { make } = Context.get(yield* Layer.build(BackupFiles.layer(":memory:")), Backups)
    expect(yield* Effect.flip(make)).toMatchObject({ reason: "nothing" })
  })
)
