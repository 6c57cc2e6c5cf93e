// `notify`: secrets go in by standard input and are never printed or stored unsealed.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { beginning } from "../../src/domain/Target.ts"
import { UNSEALED } from "../../src/sql/rows/Versions.ts"
import * as Migrations from "../../src/sqlite/Migrations.ts"
import * as Sqlite from "../../src/sqlite/Sqlite.ts"
import * as Cli from "../lib/cli.ts"
import { serving } from "../lib/serving.ts"

const folder = mkdtempSync(join(tmpdir(), "signalbox-"))
const db = ["--db", join(folder, "signalbox.db")]
const received: Array<string> = []
const receiver = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: async (request) => {
    received.push(`${new URL(request.url).pathname} ${await request.text()}`)
    return new Response("ok")
  }
})
beforeAll(async () => {
  await Cli.signalbox("token", "create", "--account", "ann", ...db)
})
afterAll(async () => {
  await receiver.stop(true)
  rmSync(folder, { recursive: true })
})

/** The environment in which the master key is made. */
const home = { XDG_CONFIG_HOME: join(folder, "config") }
const signalbox = (...args: ReadonlyArray<string>) => Cli.signalboxWith(home, ...args)

/** Runs the command with this standard input. */
const told = (input: string, ...args: ReadonlyArray<string>) => Cli.told(home, input, ...args)

test("a notification is added from standard input, tested, listed without its secrets, and removed", async () => {
  const own = ["--allow-private-targets", ...db]
  const address = `http://127.0.0.1:${receiver.port}/s3cret`
  const added = await told(`${address}\n`, "notify", "add", "webhook", "--name", "Desk", "--json", ...own)
  expect([added.code, added.error]).toEqual([0, ""])
  const made = JSON.parse(added.out)
  expect(made).toMatchObject({
    id: 1,
    kind: "webhook",
    name: "Desk",
    to: `http://127.0.0.1:${receiver.port}/...`
  })
  expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const key = join(folder, "config", "signalbox", "master.key")
  expect(made.master_key).toEqual({ id: expect.stringMatching(/^[0-9a-f]{8}$/), from: `file ${key}` })
  expect(statSync(key).mode & 0o777).toBe(0o600)
  for (const file of ["signalbox.db", "signalbox.db-wal"].map((name) => join(folder, name)))
    if (existsSync(file)) expect(readFileSync(file, "latin1")).not.toMatch(/s3cret|whsec_/)

  const tested = await signalbox("notify", "test", "1", ...own)
  expect([tested.code, tested.out]).toEqual([0, "The test was delivered.\n"])
  expect(received).toHaveLength(1)
  expect(received[0]).toStartWith("/s3cret {")
  const guarded = await signalbox("notify", "test", "1", ...db)
  expect([guarded.code, guarded.error]).toEqual([
    1,
    expect.stringContaining("the test was not delivered: its address must begin with https://")
  ])

  for (const flags of [[], ["--json"]]) {
    const listed = await signalbox("notify", "list", ...flags, ...db)
    expect(listed.out).toContain("Desk")
    expect(listed.out + listed.error + guarded.error).not.toMatch(/s3cret|whsec_/)
  }
  expect((await signalbox("notify", "remove", "1", ...db)).out).toBe("Notification 1 is removed.\n")
  expect((await signalbox("notify", "remove", "1", ...db)).code).toBe(1)
}, 30_000)

test("missing and invalid input is reported, and none of it is repeated", async () => {
  const missing = await told("", "notify", "add", "telegram", "--chat", "1", ...db)
  expect([missing.code, missing.error]).toEqual([2, expect.stringContaining("Token of the bot")])
  const wrong = await told("s3cret\n", "notify", "add", "telegram", "--chat", "1", ...db)
  expect([wrong.code, wrong.error]).toEqual([2, expect.stringContaining("token must be the token of a bot")])
  expect(wrong.out + wrong.error).not.toContain("s3cret")
  const kind = await told(
    "https://a.example/\n",
    "notify",
    "add",
    "discord",
    "--events",
    "closed,s3cret",
    ...db
  )
  expect([kind.code, kind.error]).toEqual([2, expect.stringContaining("events must be a list of kinds")])
  const nobody = await told("https://a.example/\n", "notify", "add", "discord", "--account", "eve", ...db)
  expect([nobody.code, nobody.error]).toEqual([1, expect.stringContaining("there is no such account")])
}, 30_000)

test("without the master key a notification is not sent and the command says so; without a place for a key none is added", async () => {
  const own = ["--allow-private-targets", ...db]
  const address = `http://127.0.0.1:${receiver.port}/again`
  const added = await told(`${address}\n`, "notify", "add", "webhook", ...own)
  const { id } = /^Notification (?<id>\d+) is sent/m.exec(added.out)?.groups ?? {}
  expect(added.out).toMatch(
    /are sealed with master key [0-9a-f]{8} \(file .*master\.key\), which is in no backup/
  )
  renameSync(join(folder, "config"), join(folder, "elsewhere"))
  const before = received.length
  const tested = await signalbox("notify", "test", String(id), ...own)
  expect([tested.code, received.length]).toEqual([1, before])
  expect(tested.error).toContain("its address cannot be decrypted: the server has no master key, or another")
  expect((await signalbox("notify", "list", ...db)).out).toContain(`http://127.0.0.1:${receiver.port}/...`)
  const doctor = await signalbox("doctor", "--port", "1", ...db)
  expect(doctor.out).toMatch(
    /FAIL {2}keys {6}there is no master key here .*\n +without it no notification can be sent/
  )
  const another = await told(`${address}\n`, "notify", "add", "webhook", ...own)
  expect([another.code, another.error]).toEqual([
    1,
    expect.stringMatching(
      /^signalbox: this database is sealed with master key [0-9a-f]{8}, and there is none here/
    )
  ])
  expect(existsSync(join(folder, "config"))).toBe(false)
  // A backup is restored on another machine.
  const backup = join(folder, "backup.db")
  const restored = join(folder, "restored.db")
  expect((await signalbox("backup", backup, ...db)).code).toBe(0)
  expect((await signalbox("verify", "--db", backup)).code).toBe(0)
  const put = await signalbox("restore", backup, "--db", restored)
  expect(put.out).toContain(`Notifications that cannot be unlocked here: ${id}. Copy the master key`)
  renameSync(join(folder, "elsewhere"), join(folder, "config"))
  const again = await signalbox("notify", "test", String(id), "--allow-private-targets", "--db", restored)
  expect([again.code, received.length]).toEqual([0, before + 1])
  expect((await signalbox("notify", "remove", String(id), ...db)).code).toBe(0)
  const fresh = join(folder, "fresh.db")
  await Cli.signalbox("token", "create", "--account", "ann", "--db", fresh)
  const nowhere = await Cli.told(
    {},
    `${address}\n`,
    "notify",
    "add",
    "webhook",
    "--allow-private-targets",
    "--db",
    fresh
  )
  expect([nowhere.code, nowhere.error]).toEqual([1, expect.stringMatching(/master key .* cannot be written/)])
}, 60_000)

test("a server that can have no master key answers 503, stores no secret in the clear, and goes on", async () => {
  const file = join(folder, "keyless.db")
  const made = await Cli.signalbox("token", "create", "--account", "ann", "--db", file)
  const server = await serving("--db", file)
  try {
    const headers = { authorization: `Bearer ${made.out.split("\n")[0]}`, "content-type": "application/json" }
    const body = JSON.stringify({ kind: "discord", url: "https://discord.example/s3cret" })
    const answer = await fetch(`${server.url}/v1/notifications`, { method: "POST", headers, body })
    const text = await answer.text()
    expect([answer.status, JSON.parse(text).code]).toEqual([503, "vault_locked"])
    expect(text).not.toMatch(/s3cret|nowhere/)
    await server.says(/a notification could not be sealed: the master key .* cannot be written/)
    expect(server.said()).not.toContain("s3cret")
    expect((await fetch(`${server.url}/v1/notifications`, { headers })).status).toBe(200)
  } finally {
    await server.stop()
  }
}, 30_000)

test("doctor names what an older version left unsealed: rows that wait for a key, and the copy from before the migration", async () => {
  const old = join(folder, "old.db")
  const insert = Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.zipRight(
      sql`INSERT INTO accounts (id, name, created_at) VALUES (1, 'ann', 0)`,
      sql`INSERT INTO notification_targets (account, name, channel, kinds, created_at, revision, progress)
        VALUES (1, 'Phone', '{"kind":"discord","url":"https://d.example/s3cret"}', '["closed"]', 0, 0,
          ${JSON.stringify(beginning({ entry: 0, alert: 0 }))})`
    )
  )
  const layer = Sqlite.layer({ filename: old, migrations: Migrations.upTo(UNSEALED.below - 1) })
  await Effect.runPromise(Effect.scoped(Effect.provide(insert, layer)))
  const isUnsealed = () => readFileSync(old, "latin1").includes("s3cret")
  // Without a place for a key nothing is lost.
  const keyless = await serving("--db", old)
  await keyless.says(/stay in the database unsealed: the master key .* cannot be written/)
  await keyless.stop()
  expect(isUnsealed()).toBe(true)
  const before = (await Cli.signalbox("doctor", "--port", "1", "--db", old)).out
  expect(before).toContain(
    "warn  keys      the addresses and secrets of 1 notification are stored unsealed\n"
  )
  expect((await signalbox("notify", "list", "--db", old)).out).toContain("https://d.example/...")
  expect(isUnsealed()).toBe(false)
  const after = (await signalbox("doctor", "--port", "1", "--db", old)).out
  expect(after).not.toContain("are stored unsealed")
  expect(after).toMatch(
    /warn {2}keys {6}\S+old\.db\.before-\d+-\w+ holds addresses and secrets of notifications unsealed/
  )
  expect(before + after).not.toContain("s3cret")
}, 60_000)
