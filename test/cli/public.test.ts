// `public list|show`, `strategy copy|sync`: beside a real server, with a publisher whose texts are hostile.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Option, Redacted } from "effect"
import { Accounts } from "../../src/services/Accounts.ts"
import { Signals } from "../../src/services/Signals.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { settings } from "../../src/testing/Fixtures.ts"
import { listening, signalbox, start } from "../lib/cli.ts"
import { aSignal, onFile, sender } from "../services/ports.ts"

const folder = mkdtempSync(join(tmpdir(), "public-"))
const db = join(folder, "signalbox.db")
const server: { at: string; child?: ReturnType<typeof start>; token: string } = { at: "", token: "" }

beforeAll(async () => {
  server.token = await Effect.runPromise(
    Effect.gen(function* () {
      const [ann, bob] = [yield* sender("ann"), yield* sender("bob")]
      const signals = yield* Signals
      const open = yield* signals.create(ann.account, aSignal({ public: true, displayName: "Ann Trades" }))
      const hidden = yield* signals.create(ann.account, aSignal())
      const store = yield* StrategyStore
      const published = { public: true, displayName: "Ann Trades", active: true }
      const name = `Wave\u001b[2J\u202e${"x".repeat(200)}`
      yield* store.create(ann.account, settings({ ...published, name, signalId: open.id }))
      yield* store.create(ann.account, settings({ ...published, name: "Hidden", signalId: hidden.id }))
      yield* store.create(bob.account, settings({ name: "Bob's" }))
      return Redacted.value((yield* (yield* Accounts).issue("ann", "full", Option.none())).secret)
    }).pipe(Effect.provide(onFile(db)), Effect.scoped)
  )
  server.child = start("serve", "--port", "0", "--prices", "none", "--db", db)
  server.at = await listening(server.child.stderr)
}, 60_000)

afterAll(async () => {
  server.child?.kill()
  await server.child?.exited
  rmSync(folder, { recursive: true })
})

const run = (...words: ReadonlyArray<string>) => signalbox(...words, "--server", server.at, "--db", db)
const asBob = (...words: ReadonlyArray<string>) => run(...words, "--account", "bob")

test("public strategies are listed with publisher and record, and hostile names stay in their line", async () => {
  const { code, error, out } = await asBob("public", "list", "strategies", "--sort", "oldest")
  expect([code, error]).toEqual([0, ""])
  expect(out).not.toMatch(/[\u001b\u202e]/)
  expect(out.split("\n").map((line) => line.split(/\s{2,}/).slice(0, 7))).toEqual([
    ["id", "published by", "trades", "since published", "record", "published", "copies"],
    ["1", "Ann Trades (1)", "paper", "no trade yet", "short record", "0 days ago", "0"],
    ["2", "Ann Trades (1)", "paper", "no trade yet", "short record", "0 days ago", "0"],
    [""]
  ])
  for (const line of out.split("\n")) expect(line.length).toBeLessThan(160)
}, 60_000)

test("a list goes on where its cursor says, as text and as JSON", async () => {
  const first = await asBob("public", "list", "strategies", "--limit", "1", "--json")
  const { data, next_cursor } = JSON.parse(first.out)
  expect([data.length, typeof next_cursor]).toEqual([1, "string"])
  const second = JSON.parse(
    (await asBob("public", "list", "strategies", "--limit", "1", "--cursor", next_cursor, "--json")).out
  )
  expect(second.data).toHaveLength(1)
  expect(second.data[0].strategy_id).not.toBe(data[0].strategy_id)
  expect((await asBob("public", "list", "strategies", "--limit", "1")).out).toContain("add --cursor ")
}, 60_000)

test("a public strategy and a public signal are shown, without their owner's account", async () => {
  const [strategy, signal, gone] = await Promise.all([
    asBob("public", "show", "strategy", "2"),
    asBob("public", "show", "signal", "1"),
    asBob("public", "show", "strategy", "3")
  ])
  expect(strategy.out).toContain("Strategy 2, Hidden, published by Ann Trades (1)")
  expect(strategy.out).toContain("It follows a private signal, which does not come along with a copy.")
  expect(signal.out).toContain("To follow it, set signal_id of a strategy to 1.")
  expect(strategy.out + signal.out).not.toMatch(/\bann\b/)
  expect([gone.code, gone.out]).toEqual([1, ""])
}, 60_000)

test("a copy takes overrides, and a sync takes the rest of what the original changed", async () => {
  const made = await asBob("strategy", "copy", "1", "--name", "Mine", "--set", "buy_percentage=5", "--json")
  expect(made).toMatchObject({ code: 0, error: "" })
  const { strategy_id: id, ...copy } = JSON.parse(made.out)
  expect(copy).toMatchObject({ name: "Mine", buy_percentage: 5, copied_from: 1, public: false, signal_id: 1 })
  const changed = await fetch(`${server.at}/v1/strategies/1`, {
    method: "PUT",
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
    body: JSON.stringify({ buy_percentage: 50, stop_loss: true, stop_loss_percentage: 4 })
  })
  expect(changed.status).toBe(200)
  const dry = await run("strategy", "sync", String(id), "--dry-run")
  expect(dry.out).toContain("    stop_loss_percentage: 4")
  expect(dry.out).toContain("stays as it was chosen here:\n    buy_percentage: 5 -> 50")
  const synced = JSON.parse((await run("strategy", "sync", String(id), "--json")).out)
  expect(synced).toMatchObject({ buy_percentage: 5, stop_loss_percent: 4 })
  expect((await run("strategy", "sync", String(id))).out).toContain("nothing to take over")
}, 60_000)

test("a signal that cannot come along is warned of", async () => {
  const { out } = await asBob("strategy", "copy", "2")
  expect(out).toMatch(/is a copy of strategy 2: on paper, and private\.\nWarning: /)
}, 60_000)

test.each([
  [["strategy", "copy", "1", "--account", "bob", "--set", "stop_los=true"], 2, "did you mean stop_loss?"],
  [["strategy", "copy", "3", "--account", "ann"], 1, "there is no such strategy"],
  [["strategy", "copy", "1"], 2, "there are several accounts"],
  [["strategy", "sync", "3"], 1, "is not a copy"],
  [["public", "list", "signals", "--account", "bob", "--pair", "BTC/USDT"], 2, "signals have no --pair"],
  [["public", "list", "strategies", "--account", "bob", "--sort", "luck"], 1, "sort"],
  [["public", "list", "strategies", "--account", "bob", "--limit", "0"], 2, "--limit takes a number"],
  [["public", "lst"], 2, "did you mean signalbox public list?"]
])(
  "%j ends with %d and says why",
  async (words, code, why) => {
    const ended = await (words[1] === "lst" ? signalbox(...words) : run(...words))
    expect([ended.code, ended.out]).toEqual([code, ""])
    expect(ended.error).toContain(why)
  },
  60_000
)

test("without a server the command says what to start", async () => {
  const ended = await signalbox(
    "public",
    "list",
    "signals",
    "--account",
    "bob",
    "--server",
    "http://127.0.0.1:9",
    "--db",
    db
  )
  expect(ended).toMatchObject({ code: 1, out: "" })
  expect(ended.error).toContain("no server answers at http://127.0.0.1:9: start it")
}, 60_000)
