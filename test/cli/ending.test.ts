// Exit codes, one-line errors, and signals.
import { Database } from "bun:sqlite"
import { afterAll, beforeAll, expect, test } from "bun:test"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { signalbox, start } from "../lib/cli.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-ending-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Sends a signal once the output shows that the command is at work. */
const stopped = async (signal: "SIGINT" | "SIGTERM", sign: string, ...args: ReadonlyArray<string>) => {
  const child = start(...args)
  let isTold = false
  const seen = async (stream: ReadableStream<Uint8Array>) => {
    let text = ""
    for await (const chunk of stream) {
      text += new TextDecoder().decode(chunk)
      // Only one signal is sent, because a second one kills.
      if (isTold || !text.includes(sign)) continue
      isTold = true
      child.kill(signal)
    }
  }
  await Promise.all([seen(child.stdout), seen(child.stderr)])
  return child.exited
}

/** Tries a few times, because the command may end with 0 before the signal reaches it. */
const stoppedDemo = async (signal: "SIGINT" | "SIGTERM") => {
  let code = await stopped(signal, "Replaying", "demo")
  for (let tries = 1; tries < 5 && code === 0; tries++) code = await stopped(signal, "Replaying", "demo")
  return code
}

test("a stopped server exits with 0, an interrupted command with the signal's code", async () => {
  const serve = ["serve", "--port", "0", "--db", join(folder, "x.db")]
  expect(await stopped("SIGTERM", "listening on", ...serve)).toBe(0)
  expect(await stopped("SIGINT", "listening on", ...serve)).toBe(0)
  expect(await stoppedDemo("SIGINT")).toBe(130)
  expect(await stoppedDemo("SIGTERM")).toBe(143)
}, 60_000)

test("an unreadable database is reported in one line", async () => {
  const db = join(folder, "damaged.db")
  await signalbox("token", "create", "--account", "me", "--db", db)
  const file = new Database(db)
  file.run(
    "INSERT INTO strategies (account, settings, created_at, updated_at) SELECT id, '{\"name\": 1}', 1, 1 FROM accounts"
  )
  for (const args of [
    ["serve", "--port", "0"],
    ["explain", "1"]
  ]) {
    const { code, error, out } = await signalbox(...args, "--db", db)
    expect([code, out]).toEqual([1, ""])
    expect(error).toMatch(
      /^signalbox: the database \S+ holds a row that cannot be read \(table strategies, settings\.\w+\): .+\n$/
    )
  }
  expect((await signalbox("verify", "--db", db)).out).toContain(
    "strategies row 1: it cannot be read: settings.name"
  )
  file.run("PRAGMA foreign_keys = OFF")
  file.run("DROP TABLE tokens")
  file.close()
  const { code, error } = await signalbox("token", "list", "--db", db)
  expect(code).toBe(1)
  expect(error).toMatch(/^signalbox: the database \S+ cannot be used: no such table: tokens; .+\n$/)
}, 60_000)

test.each([
  ["--port", "70000"],
  ["--port", "-1"],
  ["--replay-speed", "0"],
  ["--crud-rate", "-1"],
  ["--stale-after", "-1"],
  ["--price-wait", "-1"],
  ["--paper-usdt", "-5"],
  ["--paper-btc", "1e999"],
  ["--max-pairs", "0"],
  ["--prices", "foo"],
  ["--trusted-proxies", "foo"]
])("serve refuses %s %s in one line", async (option, value) => {
  const db = join(folder, "refused.db")
  const { code, error, out } = await signalbox("serve", "--db", db, `${option}=${value}`)
  expect([code, out, error]).toEqual([2, "", error])
  expect(error).toMatch(new RegExp(`^signalbox: ${option} .+\n$`))
  expect(existsSync(db)).toBe(false)
})

test("example replaces files only with --force", async () => {
  const dir = join(folder, "example")
  const strategy = join(dir, "strategy.json")
  expect((await signalbox("example", dir)).code).toBe(0)
  writeFileSync(strategy, "mine")
  expect(await signalbox("example", dir)).toEqual({
    code: 1,
    out: "",
    error: `signalbox: ${strategy} already exists: --force replaces it\n`
  })
  expect(readFileSync(strategy, "utf8")).toBe("mine")
  expect((await signalbox("example", "--force", dir)).code).toBe(0)
  expect(readFileSync(strategy, "utf8")).toStartWith("{")
})
