// `alerts export`: the lines are exactly what `backtest --alerts` reads, and belong to the chosen account only.
import { Database } from "bun:sqlite"
import { afterAll, beforeAll, expect, test } from "bun:test"
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Either, Option, TestClock, TestContext } from "effect"
import { MADE_UP } from "../../src/domain/candles/CandleTime.ts"
import { type MarketId, Pair } from "../../src/domain/Market.ts"
import * as Tape from "../../src/prices/Tape.ts"
import { Journal } from "../../src/services/Journal.ts"
import { Signals } from "../../src/services/Signals.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { draft, instruction, settings } from "../../src/testing/Fixtures.ts"
import * as AlertsFile from "../../src/trading/backtest/AlertsFile.ts"
import { signalbox } from "../lib/cli.ts"
import { STRATEGY } from "../lib/strategy.ts"
import { aSignal, onFile, sender } from "../services/ports.ts"

const folder = mkdtempSync(join(tmpdir(), "alerts-"))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string) => join(folder, name)
const db = file("signalbox.db")

const BEGIN = Date.UTC(2026, 9, 31, 23, 57)
const MINUTE = 60_000
const BTC: MarketId = { exchange: "binance", pair: Pair.make("BTC/USDT"), kind: "spot" }

/** Alice's strategy 1 follows her first signal, and strategy 2 none. Her second signal and Bob's get alerts too. */
const onRecord = Effect.gen(function* () {
  const [signals, store, journal] = [yield* Signals, yield* StrategyStore, yield* Journal]
  const [alice, bob] = [yield* sender("alice"), yield* sender("bob")]
  const mine = yield* signals.create(alice.account, aSignal())
  const other = yield* signals.create(alice.account, aSignal())
  const theirs = yield* signals.create(bob.account, aSignal())
  yield* store.create(alice.account, settings({ signalId: mine.id }))
  yield* store.create(alice.account, settings())
  const send = (
    who: typeof alice,
    signal: typeof mine,
    at: number,
    changes: Parameters<typeof instruction>[0]
  ) =>
    journal.append(
      draft(who, { receivedAt: at, instruction: instruction({ signalId: signal.id, ...changes }) })
    )
  yield* send(alice, mine, BEGIN + 1.5 * MINUTE, {})
  yield* send(alice, other, BEGIN + 2 * MINUTE, { type: "short" })
  yield* send(alice, mine, BEGIN + 3.5 * MINUTE, { tp: Option.some(1e-7), sl: Option.some(120.25) })
  yield* send(bob, theirs, BEGIN + 4 * MINUTE, { coin: "ETH" })
  yield* send(alice, mine, BEGIN + 10 * MINUTE, { type: "sell" })
})

/** Twelve minutes of trades around 100, 101, ..., recorded from the end of the first on, with a break in the fifth. */
const trading = Effect.gen(function* () {
  const tape = yield* Tape.Tape
  tape.whole([BTC])
  for (let second = 0; second < 12 * 60; second += 10) {
    const at = BEGIN + second * 1_000
    if (second === 4 * 60 + 30) tape.broken([BTC])
    if (second === 4 * 60 + 50) tape.whole([BTC])
    tape.traded(BTC, 100 + Math.floor(second / 60) + (second % 60) / 60, 0.1, at)
    yield* TestClock.adjust("10 seconds")
  }
})

beforeAll(async () => {
  await Effect.runPromise(Effect.scoped(Effect.provide(onRecord, onFile(db))))
  const recorded = Effect.scoped(Effect.provide(trading, Tape.layer({ folder })))
  await Effect.runPromise(
    Effect.provide(Effect.zipRight(TestClock.setTime(BEGIN), recorded), TestContext.TestContext)
  )
  const strategy = { ...STRATEGY, sell_minprofitpercent: 5 }
  writeFileSync(file("s.json"), JSON.stringify(strategy))
})

const exported = (...args: ReadonlyArray<string>) => signalbox("alerts", "export", "--db", db, ...args)

test("a back-test of recorded alerts on recorded prices takes two commands", async () => {
  const sent = await exported("--strategy", "1", "--out", file("alerts.jsonl"))
  expect(sent).toEqual({ code: 0, out: `${file("alerts.jsonl")}: 3 alerts\n`, error: "" })
  const tested = await signalbox(
    ...["backtest", "--strategy", file("s.json"), "--candles", "BTC/USDT", "--alerts", file("alerts.jsonl")],
    ...["--db", db, "--json"]
  )
  expect(tested).toMatchObject({ code: 0, error: "" })
  const { candles, ignored, open, trades } = JSON.parse(tested.out)
  // Minutes 1 to 10 without the fourth, in which the stream broke.
  expect(candles).toBe(9)
  // The bot buys when the second minute opens at 102. 102 x 1.001 x 1.05 = 107.2071, a target of 107.21, reached in the
  // seventh minute. The alert in between has a target behind the price; after the exit nothing is held.
  expect(trades).toMatchObject([
    {
      opened_at: BEGIN + 2 * MINUTE,
      closed_at: BEGIN + 7 * MINUTE,
      entry_price: 102,
      exit_price: 107.21,
      exit_reason: "take_profit"
    }
  ])
  expect(open).toEqual([])
  expect(ignored).toEqual([
    { time: BEGIN + 3.5 * MINUTE, reason: "bad_target" },
    { time: BEGIN + 10 * MINUTE, reason: "no_position" }
  ])
})

test("the exported lines are what a back-test reads: oldest first, of the chosen account only", async () => {
  const { code, error, out } = await exported("--strategy", "1")
  expect([code, error]).toEqual([0, ""])
  const lines = out.trimEnd().split("\n")
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { time: BEGIN + 1.5 * MINUTE, signal_id: 1, coin: "BTC", quote_currency: "USDT", type: "buy" },
    {
      time: BEGIN + 3.5 * MINUTE,
      signal_id: 1,
      coin: "BTC",
      quote_currency: "USDT",
      type: "buy",
      tp: 1e-7,
      sl: 120.25
    },
    { time: BEGIN + 10 * MINUTE, signal_id: 1, coin: "BTC", quote_currency: "USDT", type: "sell" }
  ])
  expect(Either.getOrThrow(AlertsFile.parse(Buffer.from(out), MADE_UP))).toEqual([
    { at: BEGIN + 1.5 * MINUTE, pair: BTC.pair, type: "buy" },
    { at: BEGIN + 3.5 * MINUTE, pair: BTC.pair, type: "buy", tp: 1e-7, sl: 120.25 },
    { at: BEGIN + 10 * MINUTE, pair: BTC.pair, type: "sell" }
  ])
})

test("alerts are chosen by signal, account and days; --out writes a private file, and --json counts them", async () => {
  const times = ({ out }: { readonly out: string }) =>
    out.split("\n").flatMap((line) => (line === "" ? [] : [(JSON.parse(line).time - BEGIN) / MINUTE]))
  const [signal, alice, bob, october, november, json] = await Promise.all([
    exported("--signal", "2"),
    exported("--account", "alice"),
    exported("--account", "bob"),
    exported("--account", "alice", "--to", "2026-10-31"),
    exported("--signal", "1", "--from", "2026-11-01"),
    exported("--account", "bob", "--from", "2026-11-02", "--out", file("none.jsonl"), "--json")
  ])
  expect([signal, alice, bob, october, november].map(times)).toEqual([
    [2],
    [1.5, 2, 3.5, 10],
    [4],
    [1.5, 2],
    [3.5, 10]
  ])
  expect(JSON.parse(json.out)).toEqual({ file: file("none.jsonl"), alerts: 0 })
  expect(readFileSync(file("none.jsonl"), "utf8")).toBe("")
  expect(statSync(file("none.jsonl")).mode & 0o777).toBe(0o600)
})

test("the export works while another process writes to the database", async () => {
  const writer = new Database(db)
  writer.run("PRAGMA busy_timeout = 0")
  writer.run("BEGIN IMMEDIATE")
  writer.run("UPDATE signals SET name = 'busy'")
  const { code, out } = await exported("--signal", "1")
  writer.run("ROLLBACK")
  writer.close()
  expect([code, out.split("\n").length]).toEqual([0, 4])
})

test("an unknown record exits with 1, a bad command line with 2", async () => {
  const told = await Promise.all([
    exported("--strategy", "9"),
    exported("--strategy", "2"),
    exported("--signal", "9"),
    exported("--account", "eve"),
    exported(),
    exported("--signal", "1", "--account", "alice"),
    exported("--signal", "1", "--json"),
    exported("--signal", "1", "--from", "today"),
    exported("--signal", "1", "--out", file("no/such/folder.jsonl"))
  ])
  expect(told.map(({ code, error, out }) => [code, out, error.replace("signalbox: ", "").trimEnd()])).toEqual(
    [
      [1, "", "there is no strategy 9"],
      [1, "", "strategy 2 follows no signal: choose one with --signal"],
      [1, "", "there is no signal 9"],
      [1, "", "there is no account eve"],
      [2, "", "there are several accounts: choose with --strategy, --signal or --account"],
      [2, "", "give one of --strategy, --signal and --account"],
      [2, "", "--json needs --out: without it the output already is JSON, one alert a line"],
      [2, "", "--from takes a day, like 2026-11-01"],
      [1, "", `${file("no/such/folder.jsonl")}: cannot be written`]
    ]
  )
  expect(existsSync(file("no"))).toBe(false)
})
