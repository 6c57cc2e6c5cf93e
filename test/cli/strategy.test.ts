// Commands about real money, beside a server that the test plays. The tests of the engine cover what a real server does
// with such a command.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { createHash } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer, Redacted } from "effect"
import * as Terms from "../../src/cli/strategy/Terms.ts"
import { ExchangeAccountId } from "../../src/domain/Arming.ts"
import type { StoredCommand } from "../../src/domain/Command.ts"
import { unsafeFromText as decimal } from "../../src/domain/Decimal.ts"
import { ExchangeAccounts } from "../../src/services/ExchangeAccounts.ts"
import { Commands } from "../../src/services/money/Commands.ts"
import { Halts } from "../../src/services/money/Halts.ts"
import { Vault } from "../../src/services/money/Vault.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import * as Sqlite from "../../src/sqlite/Sqlite.ts"
import { bot, fill, order, step } from "../../src/testing/contracts/steps.ts"
import { settings } from "../../src/testing/Fixtures.ts"
import { signalbox, start } from "../lib/cli.ts"
import { onFile, sender } from "../services/ports.ts"

const folder = mkdtempSync(join(tmpdir(), "strategy-"))
const db = join(folder, "signalbox.db")
afterAll(() => rmSync(folder, { recursive: true }))

const KEY = "a-key-that-nobody-sees"
const credentials = { apiKey: Redacted.make(KEY), secret: Redacted.make(KEY) }
const SINCE = Date.UTC(2026, 10, 22, 7)
const live = {
  account: ExchangeAccountId.make(1),
  tag: "00112233aabbccdd",
  since: SINCE,
  capital: decimal("1000.10"),
  maxOrder: decimal("100"),
  maxDailyLoss: decimal("0.1"),
  protect: true
}
const accounts = Sqlite.layerExchangeAccounts.pipe(Layer.provide(Vault.layerMemory))
const on = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  self.pipe(Effect.provide(Layer.provideMerge(accounts, onFile(db))), Effect.scoped)

beforeAll(() =>
  Effect.runPromise(
    Effect.gen(function* () {
      const [ann, bob] = [yield* sender("ann"), yield* sender("bob")]
      const kept = yield* ExchangeAccounts
      yield* kept.add(ann.account, { name: "main", exchange: "binance", sandbox: false, credentials })
      yield* kept.add(ann.account, { name: "1", exchange: "okx", sandbox: true, credentials })
      yield* kept.add(bob.account, { name: "his", exchange: "kraken", sandbox: false, credentials })
      const store = yield* StrategyStore
      const one = yield* store.create(ann.account, settings({ name: "Swing\u001b[2J" }))
      yield* store.create(ann.account, settings({ name: "Dip", active: false }))
      yield* store.create(bob.account, settings())
      const portfolio = yield* Portfolio
      const sent = { ...order("1-2-0"), live: { account: live.account, tag: live.tag }, at: SINCE }
      yield* portfolio.commit([
        step(one, 1, {
          bot: bot(one.id, 1, { live: { ...live, leaving: true } }),
          orders: [order("1-1-0"), sent],
          statuses: [{ order: sent.id, status: "partly_filled" }],
          fills: [fill("1-2-0", SINCE)]
        })
      ])
    }).pipe(on)
  )
)

const run = (...words: ReadonlyArray<string>) => signalbox(...words, "--db", db)
const terms = ["--account", "main", "--capital", "0.1", "--max-order", "0.05", "--max-daily-loss", "0.01"]
const pending = () => Effect.runPromise(on(Effect.flatMap(Commands, (mandates) => mandates.pending)))

test("all accounts' strategies are listed with how they trade", async () => {
  const { code, error, out } = await run("strategy", "list")
  expect([code, error]).toEqual([0, ""])
  expect(out.split("\n").map((line) => line.split(/\s{2,}/))).toEqual([
    ["id", "account", "mode", "trades with", "active", "name"],
    ["1", "ann", "leaving", "main", "yes", "Swing [2J"],
    ["2", "ann", "paper", "no", "Dip"],
    ["3", "bob", "paper", "yes", "Swing"],
    [""]
  ])
  const [first, second] = JSON.parse((await run("strategy", "list", "--json")).out)
  expect(first).toMatchObject({
    strategy_id: 1,
    mode: "leaving",
    armed: { account: 1, account_name: "main", exchange: "binance", capital: 1000.1, max_daily_loss: 0.1 },
    open: [{ market: "binance:BTC/USDT:spot", quantity: 0.1, astray: false }]
  })
  expect(second).toMatchObject({ mode: "paper", armed: null, open: [] })
  expect(JSON.stringify(first)).not.toContain(live.tag)
}, 30_000)

test("show prints the mode, the terms and the open positions of one strategy", async () => {
  const { out } = await run("strategy", "show", "1")
  expect(out).toBe(
    [
      "Strategy 1, Swing [2J, of ann",
      "Buys for 10 % of the equity with an entry alert. Takes no profit by itself; has no stop loss. Closing alerts close at any profit or loss.",
      "Strategy 1 trades with real money on binance (account main): capital 1000.1 USDT, at most 100 an order, 0.1 a day, stop loss at the exchange too, since 2026-11-22 07:00 UTC.",
      "It was disarmed: it makes no more entries, and trades on paper again once it is flat.",
      "Open:",
      "  long 0.1 on binance:BTC/USDT:spot",
      ""
    ].join("\n")
  )
  expect((await run("strategy", "show", "2")).out).toBe(
    "Strategy 2, Dip, of ann, inactive\nBuys for 10 % of the equity with an entry alert. Takes no profit by itself; has no stop loss. Closing alerts close at any profit or loss.\nIt trades on paper.\nNothing is open.\n"
  )
  expect(await run("strategy", "show", "9")).toEqual({
    code: 1,
    out: "",
    error: "signalbox: there is no strategy 9: signalbox strategy list\n"
  })
}, 30_000)

test("orders are listed newest first, with the client ids that the exchange knows", async () => {
  const id = createHash("sha256").update(`${live.tag}:1-2-0`).digest("hex").slice(0, 32)
  const { out } = await run("strategy", "orders", "1")
  expect(out.split("\n").map((line) => line.split(/\s{2,}/))).toEqual([
    ["time", "for", "side", "quantity", "price", "status", "filled", "market", "client id"],
    ...[
      ["2026-11-22 07:00", "partly_filled", "0.1", id],
      ["1970-01-01 00:00", "intended", "0", "paper"]
    ].map(([time = "", status = "", filled = "", client = ""]) =>
      [time, "entry", "buy", "0.100000000000000001", "60000.1", status, filled].concat([
        "binance BTC/USDT spot",
        client
      ])
    ),
    [""]
  ])
  const [only, none] = JSON.parse((await run("strategy", "orders", "1", "--limit", "1", "--json")).out)
  expect([only.client_id, only.fills.length, none]).toEqual([id, 1, undefined])
  expect((await run("strategy", "orders", "2")).out).toBe("Strategy 2 has sent no orders yet\n")
  expect(await run("strategy", "orders", "1", "--limit", "501")).toMatchObject({ code: 2 })
}, 30_000)

describe("strategy arm and disarm", () => {
  test("print all terms without --yes, and change nothing", async () => {
    const { code, error, out } = await run("strategy", "arm", "2", ...terms)
    expect([code, error]).toEqual([1, "signalbox: nothing was done: confirm with --yes\n"])
    expect(out.split("\n")).toEqual([
      "Strategy 2, Dip, trades with real money on binance (account main) from now on, until it is disarmed.",
      "It starts with 0.1 USDT, which is all that it may use; its performance begins anew with it.",
      "An entry uses up at most 0.05 USDT, fee included.",
      expect.stringContaining("Once a day (UTC) has lost 0.01 USDT"),
      expect.stringContaining("only while this server runs"),
      ""
    ])
    expect(await pending()).toEqual([])
  }, 30_000)

  test.each([
    [["arm", "9", ...terms], 1, "there is no strategy 9"],
    [["arm", "3", ...terms], 1, "no such exchange account, only 3 (his)"],
    [
      ["arm", "2", "--account", "his", ...terms.slice(2)],
      1,
      "no such exchange account, only 1 (main), 2 (1)"
    ],
    [["arm", "2", "--account", "1", ...terms.slice(2)], 1, "matches 1 (main) and 2 (1)"],
    [
      ["arm", "2", "--account", "main", "--capital", "1e3", ...terms.slice(4)],
      2,
      "--capital takes an amount above 0"
    ],
    [["arm", "2", ...terms, "--yes"], 1, "no server uses this database"],
    [["disarm", "1"], 1, "no server uses this database"],
    [["disarm", "1", "--close"], 1, "nothing was done: confirm with --yes"],
    [["disarm", "1", "--forget"], 1, "nothing was done: confirm with --yes"]
  ] as const)(
    "answer %p with exit code %d: %s",
    async (words, code, text) => {
      const ended = await run("strategy", ...words)
      expect([ended.code, ended.error]).toEqual([code, expect.stringContaining(text)])
      expect(await pending()).toEqual([])
    },
    30_000
  )
})

test.each([
  ...["0", "0.00", "-1", "1e3", "0x10", "1,5", "", " 1", "NaN", "Infinity", ".5", "5."],
  ...["0.000000001", "1000000000000000.1"]
])("%p is refused as an amount", async (amount) => {
  const said = { capital: "1", maxOrder: amount, maxDailyLoss: "1", protect: false }
  const read = await Effect.runPromise(Effect.either(Terms.read(ExchangeAccountId.make(1), said)))
  expect(read).toMatchObject({
    _tag: "Left",
    left: { message: expect.stringContaining("--max-order takes an amount") }
  })
})

describe("a command left for the server", () => {
  /** Answers the next command as a server would; returns it, and the exit of the program. */
  const served = (isDone: boolean, ...words: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const mandates = yield* Commands
      const ended = yield* Effect.fork(Effect.promise(() => run(...words)))
      let found: StoredCommand | undefined
      while (found === undefined) {
        yield* mandates.changed
        found = (yield* mandates.pending)[0]
      }
      yield* mandates.answer(found.id, { isDone, text: "as the server says" })
      return { mandate: found, ended: yield* ended }
    }).pipe(Effect.provide(Sqlite.layerLock({ filename: db })), on, Effect.runPromise)

  test("holds the terms to the last digit and the strategy's owner, and the answer is printed", async () => {
    const { ended, mandate } = await served(true, "strategy", "arm", "2", ...terms, "--yes")
    expect(ended).toEqual({ code: 0, out: "as the server says\n", error: "" })
    const { wish } = mandate
    expect(mandate).toMatchObject({ account: 1, strategy: 2 })
    expect(wish).toMatchObject({ _tag: "Arm", terms: { account: 1, protect: false } })
    if (wish._tag === "Arm")
      expect([wish.terms.capital, wish.terms.maxOrder, wish.terms.maxDailyLoss]).toEqual(
        ["0.1", "0.05", "0.01"].map(decimal)
      )
  }, 30_000)

  test("exits with 1 if the server refuses it", async () => {
    const { ended, mandate } = await served(false, "strategy", "disarm", "3", "--close", "--yes", "--json")
    expect(ended).toEqual({ code: 1, out: "", error: "signalbox: as the server says\n" })
    expect(mandate).toMatchObject({
      account: 2,
      strategy: 3,
      wish: { _tag: "Disarm", close: true, forget: false }
    })
  }, 30_000)
})

test("halt reports success only after a running server has had time to notice it", async () => {
  const halting = start("halt", "--account", "bob", "--db", db)
  const { value } = await halting.stdout.getReader().read()
  const told = Date.now()
  expect(new TextDecoder().decode(value)).toStartWith("Entries of account bob are halted")
  const [halt] = await Effect.runPromise(on(Effect.flatMap(Halts, ({ all }) => all)))
  expect(told - (halt?.at ?? told)).toBeGreaterThanOrEqual(100)
  await halting.exited
  expect(await run("resume", "--account", "bob")).toMatchObject({ code: 0 })
}, 20_000)

test("halt applies to everybody unless an account is named, and resume reports what is still halted", async () => {
  const at = /since \d{4}-\d\d-\d\d \d\d:\d\d UTC/
  const halted = await run("halt", "--reason", "the exchange is in trouble.")
  expect([halted.code, halted.out.replace(at, "AT")]).toEqual([
    0,
    "Entries of everybody are halted AT: the exchange is in trouble. Exits go on.\nTo end it: signalbox resume\n"
  ])
  // The first halt stays.
  expect((await run("halt")).out).toContain("the exchange is in trouble")
  const anns = await run("halt", "--account", "ann", "--json")
  expect(JSON.parse(anns.out)).toMatchObject([{ account: "ann", cause: "command", text: "by a command" }])
  expect((await run("explain", "1")).error).toContain("has done nothing yet")
  const found = await run("doctor", "--port", "0")
  expect(found.out).toMatch(
    /warn {2}halt {6}entries of everybody are halted since .*: the exchange is in trouble/
  )
  expect(found.out).toContain(`signalbox resume --account ann --db ${db}`)
  expect(found.out).toContain("strategy 1 trades with real money, and no server manages their open positions")
  const resumed = await run("resume")
  expect(resumed.out.replace(at, "AT")).toBe(
    "The halt for everybody has ended.\nStill halted:\n  Entries of account ann are halted AT: by a command. Exits go on. To end it: signalbox resume --account ann\n"
  )
  expect(JSON.parse((await run("resume", "--account", "ann", "--json")).out)).toEqual({
    resumed: true,
    halts: []
  })
  expect((await run("resume")).out).toBe("There was no halt for everybody.\nNo entries are halted.\n")
  expect(await run("halt", "--account", "eve")).toMatchObject({ code: 1 })
  expect(await run("halt", "--reason", " ")).toMatchObject({ code: 2 })
}, 40_000)

test("a starting server logs what is halted and what trades with real money", async () => {
  const copy = join(folder, "served.db")
  await Bun.write(copy, Bun.file(db))
  expect(await signalbox("halt", "--reason", "first look", "--db", copy)).toMatchObject({ code: 0 })
  const server = start("serve", "--port", "0", "--prices", "none", "--db", copy)
  let told = ""
  try {
    for await (const chunk of server.stderr) {
      told += new TextDecoder().decode(chunk)
      if (told.includes("makes no more entries\n")) break
    }
  } finally {
    server.kill("SIGKILL")
    await server.exited
  }
  expect(told).toMatch(
    /\nsignalbox: Entries of everybody are halted since .{16} UTC: first look\. Exits go on\. To end it: signalbox resume\n/
  )
  expect(told).toContain(
    "\nsignalbox: strategy 1 trades with real money on binance (account main): capital 1000.1 USDT, at most 100 an order, 0.1 a day, stop loss at the exchange too; it was disarmed, and makes no more entries\n"
  )
}, 40_000)
