// The account commands against stub servers of all seven exchanges.
import { Database } from "bun:sqlite"
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { EXCHANGE_NAMES, type ExchangeName } from "../../src/domain/Market.ts"
import { SPOT } from "../exchange/lib.ts"
import { protocols } from "../exchanges/protocols.ts"
import { Stub } from "../exchanges/Stub.ts"
import { told } from "../lib/cli.ts"

const folder = mkdtempSync(join(tmpdir(), "signalbox-account-"))
const db = join(folder, "x.db")
const home = join(folder, "config")
const keyFile = join(home, "signalbox", "master.key")
const stubs = new Map<ExchangeName, Stub>()

beforeAll(async () => {
  for (const name of EXCHANGE_NAMES) {
    const stub = await Stub.start(protocols[name], [SPOT], { door: false })
    stub.desk.book.funds.set("USDT", "1234.5")
    stub.desk.book.funds.set("BTC", "0.25")
    stubs.set(name, stub)
  }
  await run("", "token", "create", "--account", "ann")
}, 60_000)
afterAll(async () => {
  for (const stub of stubs.values()) await stub.stop()
  rmSync(folder, { recursive: true })
})

const stubOf = (name: ExchangeName): Stub => stubs.get(name) ?? expect.unreachable()
const urls = () => EXCHANGE_NAMES.map((name) => `${name}=${stubOf(name).url}`).join(",")
const seen: Array<string> = []

/** Runs the command with this standard input. */
const runWith = async (
  env: Readonly<Record<string, string>>,
  input: string,
  ...args: ReadonlyArray<string>
) => {
  const ended = await told({ XDG_CONFIG_HOME: home, ...env }, input, ...args, "--db", db)
  seen.push(ended.out, ended.error)
  return ended
}
const run = (input: string, ...args: ReadonlyArray<string>) => runWith({}, input, ...args)
const account = (input: string, ...args: ReadonlyArray<string>) =>
  runWith({ SIGNALBOX_EXCHANGE_URLS: urls() }, input, "account", ...args)

const asLines = (name: ExchangeName) => Object.values(stubOf(name).desk.credentials).join("\n")
const asJson = (name: ExchangeName, more: object = {}) =>
  JSON.stringify({ ...stubOf(name).desk.credentials, ...more })
interface Listed {
  readonly id: number
  readonly name: string
  readonly locked: string | null
}
const listed = async (): Promise<ReadonlyArray<Listed>> =>
  JSON.parse((await account("", "list", "--json")).out)
const lockedOnes = async () => (await listed()).filter(({ locked }) => locked !== null)

describe("account connect", () => {
  test("connects an account at each of the seven exchanges: it checks the keys, reports them, and stores them under one master key", async () => {
    const ended = await Promise.all(
      EXCHANGE_NAMES.map(async (name) => ({ name, ...(await account(asLines(name), "connect", name)) }))
    )
    for (const { code, error, name, out } of ended) {
      expect({ name, code, error }).toEqual({ name, code: 0, error: "" })
      expect(out).toContain("The keys work: it may trade, it may not withdraw.")
      expect(out).toContain("The account holds 0.25 BTC, 1234.5 USDT.")
      expect(out).toContain(`${name} is connected as ${name}, for ann.`)
    }
    expect(new Set((await listed()).map(({ id: _, ...row }) => row))).toEqual(
      new Set(
        EXCHANGE_NAMES.map((name) => ({
          ...{ owner: "ann", name, exchange: name, sandbox: false, problem: null, locked: null },
          ...{ created_at: expect.any(Number), checked_at: expect.any(Number), strategies: [] }
        }))
      )
    )
  }, 60_000)

  test("refuses keys that may withdraw, and says when the passphrase is wrong", async () => {
    const { permissions } = stubOf("bitget").desk
    permissions.withdraw = true
    const [greedy, wrong] = await Promise.all([
      account(asJson("bitget"), "connect", "bitget", "--name", "greedy"),
      account(asJson("okx", { password: "not this one" }), "connect", "okx", "--name", "wrong")
    ])
    permissions.withdraw = false
    expect([greedy.code, greedy.out]).toEqual([1, ""])
    expect(greedy.error).toMatch(
      /^signalbox: this key may withdraw: .* Make one without that right \(bitget, .+\)\n$/
    )
    expect([wrong.code, wrong.error]).toEqual([
      1,
      expect.stringContaining("the passphrase does not belong to the key")
    ])
    expect((await listed()).map(({ name }) => name).sort()).toEqual([...EXCHANGE_NAMES].sort())
  }, 60_000)

  test("never takes keys from the command line or the environment, and never repeats them", async () => {
    const argued = await account("", "connect", "binance", "--api-key", "s3cret")
    expect([argued.code, argued.out]).toEqual([2, ""])
    expect(argued.error).toContain("keys are not accepted on the command line")
    expect(argued.error).not.toContain("s3cret")
    const { code, error } = await runWith(
      { SIGNALBOX_API_KEY: "a", SIGNALBOX_SECRET: "b", API_KEY: "a", SECRET: "b" },
      ...["", "account", "connect", "binance", "--name", "env"]
    )
    expect([code, error]).toEqual([2, "signalbox: API key: it is missing\n"])
  }, 60_000)

  test("refuses an unusable name, a taken name, an unknown owner, a missing test network and malformed keys, each with its reason", async () => {
    const words = async (...args: ReadonlyArray<string>) => {
      const { code, error } = await account("a\nb\n", "connect", ...args)
      return `${code} ${error}`
    }
    const [taken, name, owner, sandbox, keys] = await Promise.all([
      words("binance"),
      words("binance", "--name", "a b"),
      words("binance", "--owner", "eve"),
      words("kraken", "--name", "x", "--sandbox"),
      words("binance", "--name", "x")
    ])
    expect(taken).toStartWith("1 signalbox: there is an exchange account binance already")
    expect(name).toStartWith("2 signalbox: --name takes up to 32")
    expect(owner).toStartWith("1 signalbox: there is no such owner")
    expect(sandbox).toStartWith("1 signalbox: kraken: this exchange offers no test network")
    expect(keys).toStartWith("1 signalbox: binance: it does not know the key")
  }, 60_000)

  test("answers in JSON with the balances and rights it found, and without any key", async () => {
    const { code, out } = await account(asJson("okx"), "connect", "okx", "--name", "okx.2", "--json")
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      ...{ owner: "ann", name: "okx.2", exchange: "okx", sandbox: false },
      checked: {
        ...{ may_trade: true, may_withdraw: false },
        balances: [{ asset: "BTC", free: 0.25, total: 0.25 }, {}]
      }
    })
  }, 60_000)
})

describe("a connected exchange account", () => {
  test("is checked again on demand: the command reports what changed and stores it", async () => {
    const { desk } = stubOf("bybit")
    desk.isRevoked = true
    const refused = await account("", "check", "bybit")
    expect([refused.code, refused.out]).toEqual([1, ""])
    expect(refused.error).toMatch(/^signalbox: bybit: it does not know the key/)
    const [row] = (await listed()).filter(({ name }) => name === "bybit")
    expect(row).toMatchObject({ problem: expect.stringContaining("does not know the key") })
    desk.isRevoked = false
    expect(await account("", "check", "bybit")).toMatchObject({ code: 0, error: "" })
  }, 60_000)

  test("takes new keys in place of the old ones when they belong to the same account", async () => {
    const { desk } = stubOf("okx")
    const fresh = { ...desk.credentials, apiKey: "fresh-okx-key" }
    const before = desk.credentials
    desk.credentials = fresh
    const { code, out } = await account(JSON.stringify(fresh), "rekey", "okx")
    expect([code, out]).toEqual([
      0,
      expect.stringContaining("okx has new keys.\nIt is not known whether they belong to the same")
    ])
    const same = await account(JSON.stringify(fresh), "rekey", "okx", "--json")
    expect(JSON.parse(same.out)).toMatchObject({ same_account: true })
    desk.credentials = before
  }, 60_000)

  test("is not removed while a strategy trades with it", async () => {
    const database = new Database(db)
    const id = (await listed()).find(({ name }) => name === "binance")?.id
    database.run(
      `INSERT INTO orders (id, strategy_id, intent, status)
        VALUES ('o', 7, '{"live":{"account":${id},"tag":"t"}}', 'unknown')`
    )
    const used = await account("", "remove", "binance", "--yes")
    expect([used.code, used.error]).toEqual([1, expect.stringContaining("signalbox strategy disarm 7")])
    expect(await listed()).toContainEqual(expect.objectContaining({ name: "binance", strategies: [7] }))
    database.run("DELETE FROM orders")
    database.close()
    expect((await account("", "remove", "binance", "--yes")).out).toContain("binance is removed.")
    expect((await account("", "remove", "binance")).code).toBe(1)
  }, 60_000)
})

describe("the master key", () => {
  test("is made for its owner alone, and no file but its own contains it", async () => {
    expect([statSync(keyFile).mode & 0o777, statSync(join(home, "signalbox")).mode & 0o777]).toEqual([
      0o600, 0o700
    ])
    const key = readFileSync(keyFile, "utf8").trim()
    const config = await run("", "config", "--json")
    expect(JSON.parse(config.out)).toMatchObject({ master_key: `file ${keyFile}` })
    await run("", "backup", join(folder, "x.backup"))
    for (const name of readdirSync(folder).filter((name) => name !== "config")) {
      const bytes = readFileSync(join(folder, name))
      for (const form of [
        Buffer.from(key),
        Buffer.from(key, "hex"),
        Buffer.from(Buffer.from(key, "hex").toString("base64"))
      ])
        expect([name, bytes.includes(form)]).toEqual([name, false])
    }
    expect(seen.join("\n")).not.toContain(key)
  }, 60_000)

  test("is refused if others may read it, and doctor reports that", async () => {
    chmodSync(keyFile, 0o644)
    const { code, error } = await account("", "check", "bybit")
    expect([code, error]).toEqual([
      1,
      expect.stringContaining(`may be read by others (0644): chmod 600 ${keyFile}`)
    ])
    const doctor = await run("", "doctor", "--port", "0")
    expect([doctor.code, doctor.out]).toEqual([
      1,
      expect.stringMatching(/FAIL {2}keys .*may be read by others/)
    ])
    chmodSync(keyFile, 0o600)
    const well = await run("", "doctor", "--port", "0")
    expect(well.out).toMatch(/ok {4}keys {6}master key [0-9a-f]{8}, file /)
    expect(well.out).toMatch(/ok {4}keys {6}\d+ exchange accounts can be unlocked, and were fine/)
  }, 60_000)

  test("is changed for all accounts at once, and again after a change that was interrupted", async () => {
    const before = readFileSync(keyFile, "utf8")
    const { code, out } = await run("", "account", "rotate-key", "--json")
    const document = JSON.parse(out)
    expect([code, document]).toMatchObject([0, { left: [], file: keyFile }])
    expect(document.now).not.toBe(document.before)
    expect(readFileSync(keyFile, "utf8")).not.toBe(before)
    expect(readdirSync(join(home, "signalbox"))).toEqual(["master.key"])
    expect(await lockedOnes()).toEqual([])
    // The state after a kill between sealing and storing the new key.
    const after = readFileSync(keyFile, "utf8")
    writeFileSync(`${keyFile}.new`, after, { mode: 0o600 })
    writeFileSync(keyFile, before)
    expect(await lockedOnes()).toEqual([])
    const again = JSON.parse((await run("", "account", "rotate-key", "--json")).out)
    expect(again).toMatchObject({ now: document.now, left: [] })
    expect(readFileSync(keyFile, "utf8")).toBe(after)
    expect(readdirSync(join(home, "signalbox"))).toEqual(["master.key"])
  }, 60_000)

  test("from the environment is never printed, and is only replaced by a key in a named file", async () => {
    const other = join(folder, "other.db")
    const key = "ab".repeat(32)
    const env = {
      SIGNALBOX_MASTER_KEY: key,
      SIGNALBOX_EXCHANGE_URLS: urls(),
      XDG_CONFIG_HOME: join(folder, "none")
    }
    const on = (input: string, ...args: ReadonlyArray<string>) => told(env, input, ...args, "--db", other)
    await on("", "token", "create", "--account", "ann")
    const connected = await on(asLines("kraken"), "account", "connect", "kraken")
    expect([connected.code, connected.out]).toEqual([
      0,
      expect.stringContaining("(environment, SIGNALBOX_MASTER_KEY)")
    ])
    expect(existsSync(join(folder, "none"))).toBe(false)
    const config = await on("", "config", "--json")
    expect(JSON.parse(config.out)).toMatchObject({ master_key: "environment, SIGNALBOX_MASTER_KEY" })
    expect([connected, config].map(({ error, out }) => out + error).join()).not.toContain(key)
    expect(config.error).toBe("")
    expect((await on("", "account", "rotate-key")).code).toBe(2)
    const file = join(folder, "next.key")
    const rotated = await on("", "account", "rotate-key", "--new-key-file", file)
    expect([rotated.code, rotated.out]).toEqual([
      0,
      expect.stringContaining(`put ${file} in the place of the old key`)
    ])
    expect((await on("", "account", "list")).out).toMatch(/ locked\b/)
    const next = await told(
      { ...env, SIGNALBOX_MASTER_KEY: readFileSync(file, "utf8") },
      "",
      "account",
      "check",
      "kraken",
      "--db",
      other
    )
    expect(next.code).toBe(0)
  }, 60_000)

  test("does not come with a backup: the restored database says what to do, and no second key is made unasked", async () => {
    const elsewhere = join(folder, "elsewhere", "y.db")
    const env = { XDG_CONFIG_HOME: join(folder, "elsewhere", "config"), SIGNALBOX_EXCHANGE_URLS: urls() }
    const restored = await told(env, "", "restore", join(folder, "x.backup"), "--db", elsewhere)
    expect([restored.code, restored.out]).toEqual([
      0,
      expect.stringContaining("cannot be unlocked here, because backups hold no master key")
    ])
    const on = (input: string, ...args: ReadonlyArray<string>) =>
      told(env, input, "account", ...args, "--db", elsewhere)
    const list = await on("", "list")
    expect([list.code, list.out]).toEqual([0, expect.stringMatching(/^okx .* locked/m)])
    expect(list.error).toContain("there is no master key here")
    const refused = await on(asJson("okx"), "rekey", "okx")
    expect([refused.code, refused.error]).toEqual([1, expect.stringContaining("--new-master-key")])
    expect(existsSync(env.XDG_CONFIG_HOME)).toBe(false)
    expect((await on(asJson("okx"), "rekey", "okx", "--new-master-key")).code).toBe(0)
    expect((await on("", "check", "okx")).code).toBe(0)
    expect((await on("", "list")).error).toMatch(
      /sealed with master key [0-9a-f]{8}, and the one here is [0-9a-f]{8}/
    )
    expect((await told(env, "", "doctor", "--port", "0", "--db", elsewhere)).out).toMatch(
      /FAIL {2}keys {6}kraken of ann \(kraken\) is locked/
    )
  }, 60_000)
})

test("no output, no database and no backup contains a key of an exchange", () => {
  const written = readdirSync(folder)
    .filter((name) => name !== "config" && statSync(join(folder, name)).isFile())
    .map((name) => readFileSync(join(folder, name), "latin1"))
  for (const name of EXCHANGE_NAMES) {
    const { apiKey, password, secret } = stubOf(name).desk.credentials
    for (const word of [
      apiKey,
      secret.slice(40, 80) || secret,
      secret,
      ...(password === undefined ? [] : [password])
    ])
      for (const text of [...written, seen.join("\n")])
        expect([name, text.includes(word)]).toEqual([name, false])
  }
})
