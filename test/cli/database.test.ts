// The adversary: a command line that names two databases, and a reader of output who wants a password.
import { expect, spyOn, test } from "bun:test"
import { Effect, Either, Redacted } from "effect"
import { refuseBoth, warnOfPassword } from "../../src/cli/config/database.ts"
import { shown as shownSetting } from "../../src/cli/config/settings.ts"
import * as Bounds from "../../src/config/Bounds.ts"
import * as Database from "../../src/domain/requests/Database.ts"

const URL = "postgres://ann:geheim@db.example:5433/bots?password=geheim&sslmode=require"

const refused = (args: ReadonlyArray<string>, values: ReadonlyArray<readonly [string, string]> = []) =>
  Either.isLeft(Effect.runSync(Effect.either(refuseBoth(args, new Map(values)))))

test("a file and an address of Postgres are refused together, wherever each is given", () => {
  expect(refused(["serve", "--db", "x.db"])).toBe(false)
  expect(refused(["serve", `--database=${URL}`])).toBe(false)
  expect(refused(["serve", "--db=x.db", "--database", URL])).toBe(true)
  expect(refused(["serve", "--db", "x.db"], [["SIGNALBOX_DATABASE", URL]])).toBe(true)
  expect(refused(["serve"], [["SIGNALBOX_DATABASE", URL]])).toBe(false)
})

test("a server warns of a password on its command line, once and without showing it, and of nothing else", async () => {
  const warned = async (...args: ReadonlyArray<string>) => {
    const lines: Array<string> = []
    const error = spyOn(console, "error").mockImplementation((line) => void lines.push(String(line)))
    await Effect.runPromise(warnOfPassword(args)).finally(() => error.mockRestore())
    return lines
  }
  for (const args of [
    ["serve", "--database", URL],
    ["serve", `--database=${URL}`],
    ["--log-level", "all", "serve", "--database", "postgres://db/bots?password=geheim"]
  ]) {
    const [line = "", ...more] = await warned(...args)
    expect(line).toContain("SIGNALBOX_DATABASE")
    expect(line).not.toMatch(/geheim|ann/)
    expect(more).toEqual([])
  }
  expect(await warned("serve", "--database", "postgres://ann@db/bots")).toEqual([])
  expect(await warned("serve", "--db", "x.db")).toEqual([])
  expect(await warned("verify", "--database", URL)).toEqual([])
})

test("an address is shown without user, password and options", () => {
  const url = Redacted.make(URL)
  expect(Database.shownAddress(url)).toBe("postgres://db.example:5433/bots")
  expect(shownSetting(url)).toBe("postgres://db.example:5433/bots")
  expect(shownSetting(Redacted.make("postgres://ann:geheim@"))).toBe("<redacted>")
})

test.each([
  [URL, "postgres://ann@db.example:5433/bots?sslmode=require"],
  ["postgres://db/bots", "postgres://db/bots"],
  ["postgres://a$&b:geheim@db/bots", "postgres://a$&b@db/bots"]
])("%s is told to its owner without the password", (address, told) =>
  expect(Database.withoutPassword(Redacted.make(address))).toBe(told)
)

test("an encryption that the driver would take for another one is refused when the setting is read", () => {
  const { accepts } = Bounds.POSTGRES
  expect(["prefer", "allow", ""].map((mode) => accepts(`postgres://db/bots?sslmode=${mode}`))).toEqual([
    ...[false, false, false]
  ])
  expect(Database.SSL_MODES.every((mode) => accepts(`postgres://db/bots?sslmode=${mode}`))).toBe(true)
  expect([accepts(Redacted.make("postgres://db/bots")), accepts("")]).toEqual([true, true])
})

test.each(["mysql://a/b", "postgres://a", "postgres:x", "", "postgres://[bad/x"])(
  "%j is no address",
  (text) => expect(Database.isAddress(text)).toBe(false)
)

test.each(["pa/geheim", "12/geheim", "12/x#geheim", "pa?geheim", "pa#geheim", "pa%geheim", "pa%ffgeheim"])(
  "a password like %j has to be encoded, and no part of it is shown",
  (password) => {
    const text = `postgres://ann:${password}@db.example/bots`
    expect(Database.isAddress(text)).toBe(false)
    expect(Database.shownAddress(Redacted.make(text))).toBe("postgres://")
    expect(shownSetting(Redacted.make(text))).toBe("<redacted>")
    const encoded = `postgres://ann:${encodeURIComponent(password)}@db.example/bots`
    expect(Database.shownAddress(Redacted.make(encoded))).toBe("postgres://db.example/bots")
  }
)
