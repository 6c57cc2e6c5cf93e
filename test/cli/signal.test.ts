// `signal`: lists, and webhook addresses with tokens of their own.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import * as Address from "../../src/cli/signal/Address.ts"
import { Signals } from "../../src/services/Signals.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { settings } from "../../src/testing/Fixtures.ts"
import { listening, signalbox, start } from "../lib/cli.ts"
import { aSignal, onFile, sender } from "../services/ports.ts"

const folder = mkdtempSync(join(tmpdir(), "signal-"))
const db = join(folder, "signalbox.db")
afterAll(() => rmSync(folder, { recursive: true }))

beforeAll(() =>
  Effect.runPromise(
    Effect.gen(function* () {
      const [ann, bob] = [yield* sender("ann"), yield* sender("bob")]
      const signals = yield* Signals
      const mine = yield* signals.create(ann.account, aSignal({ name: "one\u0007" }))
      yield* signals.create(bob.account, aSignal({ active: false }))
      yield* (yield* StrategyStore).create(ann.account, settings({ signalId: mine.id }))
    }).pipe(Effect.provide(onFile(db)), Effect.scoped)
  )
)

test("signals are listed with their accounts and followers", async () => {
  const [listed, bobs] = await Promise.all([
    signalbox("signal", "list", "--db", db),
    signalbox("signal", "list", "--account", "bob", "--json", "--db", db)
  ])
  expect(listed.out.split("\n").map((line) => line.split(/\s{2,}/).slice(0, 5))).toEqual([
    ["id", "account", "active", "public", "strategies"],
    ["1", "ann", "yes", "no", "1"],
    ["2", "bob", "no", "no", "0"],
    [""]
  ])
  expect(listed.out).not.toContain("\u0007")
  expect(JSON.parse(bobs.out)).toMatchObject([{ id: 2, account: "bob", active: false, followers: 0 }])
}, 30_000)

test("an address is made with a token of its own, and the server accepts the message it says to paste", async () => {
  const server = start("serve", "--port", "0", "--prices", "none", "--db", db)
  try {
    const at = await listening(server.stderr)
    const made = await signalbox("signal", "url", "1", "--base", `${at}/`, "--json", "--db", db)
    expect(made).toMatchObject({ code: 0, error: "" })
    const { alerts, scope, strategy, token_id, url, url_alone } = JSON.parse(made.out)
    expect([scope, url.startsWith(`${at}/v1/signals/charting?key=sbx_hook_`)]).toEqual(["alerts", true])
    const post = async (to: string, body: string) =>
      (await fetch(to, { method: "POST", headers: { "content-type": "text/plain" }, body })).status
    // The platform fills in the placeholders like this.
    const filled = (message: string) =>
      message
        .replace("{{ticker}}", "BTCUSDT.P")
        .replace("{{strategy.order.action}}", "sell")
        .replace("{{strategy.market_position}}", "flat")
        .replace("{{strategy.market_position_size}}", "0")
        .replace("{{strategy.prev_market_position}}", "long")
        .replace("{{strategy.prev_market_position_size}}", "2")
        .replace("{{close}}", "65000.5")
        .replace("{{timenow}}", "2026-11-22T00:00:00Z")
    const messages: ReadonlyArray<string> = [strategy, ...alerts].map(({ message }) => filled(message))
    for (const message of messages) {
      expect(message).not.toContain("{{")
      expect(await post(url, message)).toBe(200)
    }
    expect(await post(url_alone, "")).toBe(200)
    const tested = await signalbox("alert", "test", "1", "buy", "BTC/USDT", "--server", at, "--db", db)
    expect(tested).toMatchObject({ code: 0, error: "" })
    expect(tested.out).toContain("buy BTC/USDT to signal 1: a test, nothing was done.\nStrategy 1, ")
    const refused = await signalbox("alert", "test", "1", "hold", "BTC/USDT", "--server", at, "--db", db)
    const tokens = await signalbox("token", "list", "--json", "--db", db)
    expect([refused.code, refused.error]).toEqual([1, expect.stringContaining("type must be one of buy")])
    // The command's own token is revoked, the one in the address remains.
    const listed: ReadonlyArray<{ id: number }> = JSON.parse(tokens.out)
    expect(listed.map(({ id }) => id)).toEqual([1, 2, token_id])
  } finally {
    server.kill()
    await server.exited
  }
}, 30_000)

test("each error is one line", async () => {
  const cases: ReadonlyArray<readonly [args: ReadonlyArray<string>, code: number, error: string]> = [
    [["signal", "url", "9"], 1, "there is no signal 9"],
    [["signal", "url", "1", "--account", "bob"], 1, "signal 1 is not one of bob's"],
    [["signal", "url", "1", "--base", "ftp://x"], 2, "--base takes the server's address"],
    [["alert", "test", "9", "buy", "BTC/USDT"], 1, "there is no signal 9"],
    [["alert", "test", "1", "buy", "BTC/USDT", "--server", "http://127.0.0.1:9"], 1, "no server answers at"]
  ]
  const ended = await Promise.all(cases.map(([args]) => signalbox(...args, "--db", db)))
  cases.forEach(([, code, error], index) => {
    expect(ended[index]).toMatchObject({ code, out: "" })
    expect(ended[index]?.error).toStartWith(`signalbox: ${error}`)
  })
  const local = await signalbox("signal", "url", "2", "--base", "http://localhost:1", "--db", db)
  expect(local.out).toContain("Only this machine can reach that address")
  expect(local.out).toContain("The signal is inactive")
}, 30_000)

test.each([
  ["https://a.example", "https://a.example"],
  ["https://a.example:8443/bots/", "https://a.example:8443/bots"],
  ["a.example", "none"],
  ["https://a.example/?key=1", "none"],
  ["https://me:pw@a.example", "none"]
])("%s as a base address is %s", (text, expected) => {
  const parsed = Address.parse(text)
  expect(parsed._tag === "Some" ? parsed.value : "none").toBe(expected)
})
