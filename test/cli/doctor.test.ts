// `doctor`: each check, its levels and its advice.
import { Database } from "bun:sqlite"
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { chmodSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer, Option } from "effect"
import { GUIDE, say } from "../../src/cli/doctor/Check.ts"
import * as Machine from "../../src/cli/doctor/machine.ts"
import { port } from "../../src/cli/doctor/port.ts"
import { strategies } from "../../src/cli/doctor/strategies.ts"
import { tokens } from "../../src/cli/doctor/tokens.ts"
import { type Token, TokenId } from "../../src/domain/Account.ts"
import { StrategyId } from "../../src/domain/StrategyId.ts"
import * as Checkup from "../../src/sqlite/Checkup.ts"
import { VERSION } from "../../src/sqlite/Migrations.ts"
import * as Sqlite from "../../src/sqlite/Sqlite.ts"
import * as CheckupWarnings from "../../src/sqlite/verify/CheckupWarnings.ts"
import { anchors } from "../../src/web/guide/Markdown.ts"
import * as Books from "../lib/books.ts"
import { selfSigned } from "../lib/certificate.ts"
import { signalbox, signalboxWith } from "../lib/cli.ts"

const NOW = Date.UTC(2026, 10, 21)
const DAY = 86_400

describe("the clock", () => {
  const at = (changes: Partial<Machine.Times>) => {
    const { level, text } = Machine.clock({ now: NOW, folder: NOW, newestAt: NOW - 1000, ...changes })
    return `${level} ${text}`
  }
  test("fails if its time is implausible or earlier than what is stored", () => {
    expect(at({})).toStartWith("ok 2026-11-21 00:00 UTC")
    expect(at({ folder: undefined, newestAt: 0 })).toStartWith("ok")
    expect(at({ now: 1000, newestAt: 0 })).toBe("FAIL it says 1970-01-01 00:00 UTC, which cannot be right")
    expect(at({ newestAt: NOW + 3_600_000 })).toContain("has been written to at 2026-11-21 01:00")
    expect(at({ folder: NOW - 60_000 })).toStartWith("warn")
  })
})

describe("the disk", () => {
  const MIB = 2 ** 20
  test.each([
    [99, 0, "FAIL"],
    [101, 0, "warn"],
    [1025, 0, "ok"],
    [2000, 700, "warn"],
    [2000, 600, "ok"]
  ])("with %d MiB free and %d MiB used is rated %s", (free, used, level) =>
    expect(`${Machine.disk("/data", free * MIB, used * MIB).level}`).toBe(level)
  )
})

test("files and folders fail or warn by their permissions and their owner", () => {
  const entry = { path: "/data", mode: 0o700, isFolder: true, isOurs: true, isWritable: true }
  const file = { ...entry, path: "/data/x.db", mode: 0o600, isFolder: false }
  const levels = (...entries: ReadonlyArray<Machine.Entry>) =>
    Machine.modes(entries).map(({ level }) => level)
  expect(levels(entry, file)).toEqual(["ok"])
  expect(levels({ ...entry, mode: 0o755 }, { ...file, mode: 0o640 })).toEqual(["warn", "FAIL"])
  expect(levels({ ...entry, mode: 0o777 }, { ...file, isOurs: false })).toEqual(["FAIL", "warn"])
  expect(levels({ ...entry, isWritable: false }, { ...file, isWritable: false })).toEqual(["FAIL", "FAIL"])
  expect(Machine.modes([{ ...file, mode: 0o644 }])[0]?.advice).toBe("chmod 600 /data/x.db")
})

test("tokens that are missing, expired, unused or about to expire are reported", () => {
  const now = NOW / 1000
  const token: Token = {
    id: TokenId.make(3),
    account: "ann",
    scope: "full",
    createdAt: now - 30 * DAY,
    expiresAt: Option.none(),
    lastUsedAt: Option.some(now - DAY),
    revokedAt: Option.none(),
    madeBy: Option.none()
  }
  const told = (...all: ReadonlyArray<Token>) =>
    tokens(all, now, say("my data/x.db", true)).map(({ level, text }) => `${level} ${text}`)
  expect(told()).toEqual(["warn there are no tokens: nobody can sign in"])
  expect(told(token)).toEqual(["ok 1 valid, none about to expire"])
  expect(told({ ...token, expiresAt: Option.some(now) })).toEqual([
    "warn token 3 of ann (full) expired on 2026-11-21 00:00"
  ])
  expect(told({ ...token, expiresAt: Option.some(now + 14 * DAY) })[0]).toContain("expires on 2026-12-05")
  expect(told({ ...token, expiresAt: Option.some(now + 15 * DAY) })[0]).toStartWith("ok")
  expect(told({ ...token, lastUsedAt: Option.none() })[0]).toContain("was not used since 2026-10-22")
  expect(told({ ...token, lastUsedAt: Option.none(), scope: "alerts" })[0]).toStartWith("ok")
})

test("the port is reported as free, taken, answering, not ready or silent", async () => {
  let ready = 200
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) => new Response("", { status: url.endsWith("/readyz") ? ready : 200 })
  })
  const address = { host: "127.0.0.1", port: server.port ?? 0 }
  const told = async (isServed: boolean) => {
    const { level, text } = await Effect.runPromise(port(address, isServed))
    return `${level} ${text}`
  }
  expect(await told(true)).toStartWith("ok the server answers")
  expect(await told(false)).toStartWith("FAIL")
  ready = 503
  expect(await told(true)).toContain("FAIL the server answers on")
  await server.stop(true)
  expect(await told(true)).toContain("none answers on")
  expect(await told(false)).toStartWith("ok")
})

test("a server that speaks TLS is asked over TLS, whatever name its certificate has", async () => {
  const { certificate: cert, key } = selfSigned("elsewhere.example")
  const fetch = () => new Response("")
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", tls: { cert, key }, fetch })
  const address = { host: "127.0.0.1", port: server.port ?? 0 }
  const { level, text } = await Effect.runPromise(port(address, true))
  expect([level, text]).toEqual([
    "ok",
    `the server answers on https://127.0.0.1:${server.port}, and is ready`
  ])
  await server.stop(true)
})

test.each(Object.values(GUIDE))("%s, which advice refers to, is a heading of the guide", async (link) => {
  const [page = "", heading = ""] = link.replace("/guide/", "").split("#")
  const text = await Bun.file(join(import.meta.dir, `../../src/guide/${page}.md`)).text()
  const idOf = anchors()
  const found = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => idOf(title))
  expect(found).toContain(heading)
})

test("a suggested command names the database if it would not be found otherwise", () => {
  expect(say("/data/x.db", true)("verify")).toBe("signalbox verify --db /data/x.db")
  expect(say("ann's/x.db", true)("verify")).toBe(`signalbox verify --db 'ann'\\''s/x.db'`)
  expect(say("/data/x.db", false)("verify")).toBe("signalbox verify")
  const [none] = tokens([], 0, say("/data/x.db", true))
  expect(none?.advice).toBe("signalbox token create --account NAME --db /data/x.db")
})

describe("the doctor command", () => {
  const folder = mkdtempSync(join(tmpdir(), "doctor-"))
  const db = join(folder, "x.db")
  beforeAll(() => Effect.runPromise(Books.written(db)))
  afterAll(() => rmSync(folder, { recursive: true }))

  test("prints a line for each check with advice below what fails, and leaves nothing behind", async () => {
    chmodSync(db, 0o644)
    // No test reaches an exchange.
    const nowhere = { HTTPS_PROXY: "http://127.0.0.1:1" }
    const { code, error, out } = await signalboxWith(nowhere, "doctor", "--db", db, "--port", "0")
    expect({ code, error }).toEqual({ code: 1, error: "signalbox: 1 of 13 checks failed\n" })
    const lines = out.trimEnd().split("\n")
    expect(lines.map((line) => line.slice(0, 14).trimEnd())).toEqual([
      "ok    clock",
      "ok    disk",
      "FAIL  modes",
      "",
      "",
      "ok    database",
      ...Array.from({ length: 3 }, () => ["warn  bots", "", ""]).flat(),
      "ok    bots",
      "ok    bots",
      "ok    bots",
      "warn  network",
      "",
      "",
      "ok    port",
      "ok    tokens"
    ])
    expect(lines[3]?.trim()).toBe(`chmod 600 ${db}`)
    expect(lines[4]?.trim()).toBe("see /guide/security#files on the server")
    chmodSync(db, 0o600)
    expect(readdirSync(folder).filter((name) => !name.startsWith("x.db"))).toEqual([])
  })

  test("accepts that there is no database yet, and fails for a foreign or a newer one", async () => {
    const [none, text, newer] = await Promise.all([
      signalbox("doctor", "--db", join(folder, "deep", "none.db"), "--port", "0", "--json"),
      signalbox("doctor", "--db", import.meta.path, "--port", "0"),
      (async () => {
        const path = join(folder, "x.newer.db")
        const database = new Database(path)
        database.run(`PRAGMA user_version = ${VERSION + 1}`)
        database.run("PRAGMA application_id = 1396854616")
        database.close(true)
        return signalbox("doctor", "--db", path, "--port", "0")
      })()
    ])
    expect(none.code).toBe(0)
    expect(JSON.parse(none.out).checks).toContainEqual({
      name: "database",
      level: "warn",
      text: `there is no database at ${join(folder, "deep", "none.db")} yet`,
      advice: `signalbox serve --db ${join(folder, "deep", "none.db")} creates it; or choose another with --db`,
      guide: "/guide/running#database"
    })
    expect(text.out).toContain("it is not a database")
    expect(newer.out).toContain("use a newer program")
    expect(text.out + newer.out).not.toContain("restore")
  })

  test("sees whether a server uses the database without taking the lock away", () =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          expect(Checkup.isServed(db)).toBe(false)
          yield* Layer.build(Sqlite.layerLock({ filename: db }))
          expect(Checkup.isServed(db)).toBe(true)
          const link = join(folder, "link.db")
          symlinkSync(db, link)
          expect(Checkup.isServed(link)).toBe(true)
          const error = yield* Effect.flip(Effect.scoped(Layer.build(Sqlite.layerLock({ filename: db }))))
          expect(error._tag).toBe("DatabaseServed")
        })
      )
    ))
})

test("settings that are no longer accepted and bots that are set aside are reported", () => {
  const told = (oddities: Partial<CheckupWarnings.CheckupWarnings>) =>
    strategies({ oddities: { ...CheckupWarnings.NONE, ...oddities } }, say("x.db", true)).map(
      ({ advice, level, text }) => `${level} ${text} | ${advice}`
    )
  const id = StrategyId.make(3)
  expect(told({})).toEqual([])
  expect(told({ setAside: [{ id, at: NOW }] })).toEqual([
    "warn strategy 3 is set aside since 2026-11-21 00:00 UTC: its bot does nothing | change its settings; or start the server with: signalbox serve --with-strategy 3 --db x.db"
  ])
  expect(told({ setAside: [{ id, at: NOW, unlisted: 1 }] })[0]).toEndWith(
    "the server does not list one of its exchanges or its currency: start one that does, or change its settings"
  )
  const violations = [{ field: "trailing_sell_arm", text: "must be above 0 and at most 1000000" }]
  expect(told({ settings: [{ id, violations }] })[0]).toStartWith(
    "warn strategy 3 has settings that are no longer accepted: trailing_sell_arm must be above 0 and at most 1000000"
  )
  expect(told({ targets: [id, StrategyId.make(5)] })[0]).toContain(
    "strategies 3, 5 hold a tp or sl above 1e12"
  )
})

test("invalid settings and levels are found in a database that is only read", () => {
  const database = new Database(":memory:")
  const settings = JSON.stringify({
    ...{ name: "x", description: "", active: true, public: false, quote: "USDT", defaultExchange: "binance" },
    ...{ buyPercent: 10, signalIgnoresMinProfit: false, exchanges: [], minProfitPercent: 1e308 }
  })
  const state = (position: object, more: object = {}) =>
    JSON.stringify({ slots: { "binance:BTC/USDT:spot": { position } }, ...more })
  database.run("CREATE TABLE strategies (id INTEGER PRIMARY KEY, settings TEXT)")
  database.run("CREATE TABLE bots (strategy_id INTEGER, state TEXT)")
  for (const id of [1, 2]) database.run("INSERT INTO strategies VALUES (?, ?)", [id, settings])
  database.run("INSERT INTO strategies VALUES (3, ?)", [settings.replace("1e+308", "5")])
  database.run("INSERT INTO bots VALUES (1, ?)", [state({ tp: 1e308 })])
  database.run("INSERT INTO bots VALUES (2, ?)", [
    state({ tp: 1e12, sl: 5 }, { setAside: NOW, unlisted: true })
  ])
  // Deleted strategies are not reported.
  database.run("INSERT INTO bots VALUES (9, ?)", [state({ sl: 1e308 }, { setAside: NOW })])
  const found = CheckupWarnings.find(database)
  expect(found.settings.map(({ id }) => `${id}`)).toEqual(["1", "2"])
  expect(found.targets.map(Number)).toEqual([1])
  expect(found.setAside.map(({ at, id, unlisted }) => [Number(id), at, unlisted])).toEqual([[2, NOW, 1]])
})
