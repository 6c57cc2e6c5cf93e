// `explain`: a strategy's timeline as text and JSON.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { type RuleOrigin, textOf } from "../../src/domain/alert/RuleOrigin.ts"
import { Pair } from "../../src/domain/Market.ts"
import { Journal } from "../../src/services/Journal.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { Signals } from "../../src/services/Signals.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { note, step } from "../../src/testing/contracts/steps.ts"
import { draft, instruction, settings, signalDraft } from "../../src/testing/Fixtures.ts"
import { signalbox } from "../lib/cli.ts"
import { onFile, sender } from "../services/ports.ts"

let folder = ""
let told = 0
let quiet = 0
let ruled = 0
let foreign = 0

const MIDNIGHT = Date.UTC(2026, 10, 21)

const ORIGIN: RuleOrigin = {
  ...{ version: 2, by: "on[0]", exchange: "binance", kind: "spot", pair: Pair.make("BTC/USDT") },
  ...{ timeframe: "1h", at: MIDNIGHT, close: 60_120.5 },
  values: [
    { text: "rsi(close, 14)", value: 28.512345678 },
    { text: "sma(close, 900)", value: null }
  ]
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "explain-"))
  const scene = Effect.gen(function* () {
    const store = yield* StrategyStore
    const alice = yield* sender("alice")
    const bob = yield* sender("bob")
    const mine = yield* store.create(alice.account, settings({ name: "Swing\u001b[2J\nnow" }))
    const theirs = yield* store.create(bob.account, settings())
    const portfolio = yield* Portfolio
    yield* portfolio.commit([
      step(mine, 1, { notes: [note("one", MIDNIGHT - 1000), note("two", MIDNIGHT, 5)] }),
      step(mine, 2, { notes: [note("three", MIDNIGHT + 3_723_000)] })
    ])
    const byRule = yield* store.create(alice.account, settings({ name: "By a rule" }))
    const follower = yield* store.create(bob.account, settings({ name: "Follows alice" }))
    const signal = yield* (yield* Signals).create(alice.account, signalDraft({ public: true }))
    const raised = yield* (yield* Journal).append(
      draft(alice, {
        instruction: instruction({ signalId: signal.id }),
        incoming: { door: "rule", body: textOf(ORIGIN) }
      })
    )
    const notes = [note("Bought.", MIDNIGHT, raised.id), note("Sold.", MIDNIGHT + 1000, raised.id)]
    yield* portfolio.commit([step(byRule, 1, { notes }), step(follower, 1, { notes })])
    return [mine.id, theirs.id, byRule.id, follower.id] as const
  })
  const program = Effect.provide(scene, onFile(join(folder, "x.db")))
  ;[told, quiet, ruled, foreign] = await Effect.runPromise(Effect.scoped(program))
})
afterAll(() => rmSync(folder, { recursive: true }))

const explain = (...args: ReadonlyArray<string>) =>
  signalbox("explain", ...args, "--db", join(folder, "x.db"))

test("explain prints the timeline of any account's strategy oldest first, by days, and names cannot move the cursor", async () => {
  const { code, out } = await explain(String(told))
  expect(code).toBe(0)
  expect(out).toBe(
    [
      `Strategy ${told}, Swing [2J now; times are UTC.`,
      "",
      "2026-11-20",
      "  23:59:59  one",
      "",
      "2026-11-21",
      "  00:00:00  two",
      "  01:02:03  three",
      ""
    ].join("\n")
  )
})

test("--limit keeps the newest entries and says so; --json prints one document", async () => {
  const [short, json] = await Promise.all([
    explain(String(told), "--limit", "2"),
    explain(String(told), "--limit", "2", "--json")
  ])
  expect(short.out).toContain("Older entries are left out: --limit 2.")
  expect(short.out).not.toContain("one")
  const { data, ...head } = JSON.parse(json.out)
  expect(head).toEqual({ strategy_id: told, name: "Swing\u001b[2J\nnow" })
  expect(data).toMatchObject([
    { at: MIDNIGHT / 1000, alert_id: 5, reason: "opened", text: "two" },
    { at: MIDNIGHT / 1000 + 3723, alert_id: null, text: "three" }
  ])
})

test("an alert of a rule has the values that raised it, once, and not for those who only follow the signal", async () => {
  const [own, json, followed, followedJson] = await Promise.all([
    explain(String(ruled)),
    explain(String(ruled), "--json"),
    explain(String(foreign)),
    explain(String(foreign), "--json")
  ])
  expect(own.out.split("\n").slice(-4)).toEqual([
    "  00:00:00  Bought.",
    "            raised by on[0], version 2 of the rule, as the 1h candle of BTC/USDT on binance closed at 60120.5: rsi(close, 14) = 28.512346, sma(close, 900) = none",
    "  00:00:01  Sold.",
    ""
  ])
  const { data } = JSON.parse(json.out)
  expect(data).toMatchObject([
    { text: "Bought.", rule: { by: "on[0]" }, values: ORIGIN.values },
    { text: "Sold." }
  ])
  expect(data[1].values).toBeUndefined()
  expect(followed.out).toContain("Bought.")
  for (const { out } of [followed, followedJson]) expect(out).not.toMatch(/rsi|raised by|on\[0\]/)
})

test("an empty timeline exits with 1 and one line, a bad command line with 2", async () => {
  const [none, empty, limit] = await Promise.all([
    explain("99"),
    explain(String(quiet), "--json"),
    explain(String(told), "--limit", "0")
  ])
  expect(none).toEqual({ code: 1, out: "", error: "signalbox: there is no strategy 99\n" })
  expect(empty).toEqual({
    code: 1,
    out: "",
    error: `signalbox: strategy ${quiet} has done nothing yet\n`
  })
  expect(limit.code).toBe(2)
})
