// Strategies and signals as files: what is exported is applied elsewhere, a file is applied whole or not at all, and
// what a stranger's file holds is refused by name.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Either, type Layer } from "effect"
import * as RecordFile from "../../src/cli/apply/RecordFile.ts"
import * as Catalogue from "../../src/domain/catalogue/Catalogue.ts"
import { toText } from "../../src/domain/Decimal.ts"
import { Pair } from "../../src/domain/Market.ts"
import { Journal } from "../../src/services/Journal.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { Signals } from "../../src/services/Signals.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { bot, step } from "../../src/testing/contracts/steps.ts"
import { rule as aRule, draft, instruction, settings } from "../../src/testing/Fixtures.ts"
import { protocols } from "../exchanges/protocols.ts"
import { Stub } from "../exchanges/Stub.ts"
import { listening, signalbox, signalboxWith, start } from "../lib/cli.ts"
import { STRATEGY } from "../lib/strategy.ts"
import { aSignal, onFile, sender } from "../services/ports.ts"

const folder = mkdtempSync(join(tmpdir(), "apply-"))
afterAll(() => rmSync(folder, { recursive: true }))
const here = (name: string) => join(folder, name)
/** No test reaches an exchange. */
const UNREACHED = { SIGNALBOX_EXCHANGE_URLS: "binance=http://127.0.0.1:1" }
const [first, second] = [here("first.db"), here("second.db")]
const file = (name: string, content: unknown): string => {
  const path = here(name)
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content))
  return path
}
type OnFile = Layer.Layer.Success<ReturnType<typeof onFile>>
const on = <A, E>(db: string, self: Effect.Effect<A, E, OnFile>) =>
  Effect.runPromise(Effect.provide(self, onFile(db)))

beforeAll(() =>
  on(
    first,
    Effect.gen(function* () {
      const { account } = yield* sender("ann")
      const signals = yield* Signals
      yield* signals.create(account, aSignal({ name: "twice" }))
      yield* signals.create(account, aSignal({ name: "twice" }))
    })
  )
)

const strategies = (db: string) =>
  on(
    db,
    Effect.map(
      Effect.flatMap(StrategyStore, ({ all }) => all),
      (all) => all.map(({ id, revision, settings }) => ({ id, revision, ...settings }))
    )
  )

describe.serial("files", () => {
  test("a signal and its strategy are created, changed and left alone by name, and a dry run does nothing", async () => {
    const main = file("main.json", aSignal({ name: "Main" }))
    const swing = file("swing.json", [
      { ...STRATEGY, name: "Swing", signal: "Main", stop_loss: true, stop_loss_percentage: 5 },
      { ...STRATEGY, name: "Dip \u001b[2J" }
    ])
    const run = (...words: ReadonlyArray<string>) => signalbox(...words, "--db", first)
    const early = await run("strategy", "apply", swing)
    expect([early.code, early.out]).toEqual([1, ""])
    expect(early.error).toContain('"Swing": signal "Main" is no signal of the account: make it first')
    expect((await run("signal", "apply", main)).out).toContain("Main (3): created")
    expect((await run("signal", "apply", main)).out).toBe(`${main}:\n  Main (3): unchanged\n`)

    const dry = await run("strategy", "apply", "--dry-run", swing)
    expect([dry.code, dry.error]).toEqual([0, ""])
    expect(dry.out).toContain("Swing: would be created")
    expect(await strategies(first)).toEqual([])
    const made = await run("strategy", "apply", swing)
    expect([made.code, made.error]).toEqual([0, ""])
    expect(made.out).toContain("Swing (1): created")
    expect(made.out).not.toContain("\u001b")
    const stored = await strategies(first)
    expect(stored).toMatchObject([
      { id: 1, name: "Swing", signalId: 3, stopLoss: { percent: 5 }, revision: 0 },
      { id: 2, name: "Dip \u001b[2J" }
    ])

    const changed = file("changed.json", { ...STRATEGY, name: "Swing", signal: "Main", max_entries: 2 })
    const again = JSON.parse((await run("strategy", "apply", changed, "--json")).out)
    expect(again).toEqual([
      {
        file: changed,
        applied: true,
        records: [
          {
            strategy_id: 1,
            name: "Swing",
            action: "update",
            changes: [
              { field: "stop_loss", from: true, to: false },
              { field: "stop_loss_percentage", from: 5, to: null },
              { field: "max_entries", from: null, to: 2 }
            ]
          }
        ],
        errors: []
      }
    ])
    const [swingNow] = await strategies(first)
    expect(swingNow).toMatchObject({ maxEntries: 2, revision: 1 })
    expect(swingNow).not.toHaveProperty("stopLoss")
    expect((await run("strategy", "apply", changed)).out).toBe(`${changed}:\n  Swing (1): unchanged\n`)
  }, 60_000)

  test("a signal's rule is exported and applied to the letter, and what GET answers is taken", async () => {
    const rule = { ...aRule(), on: [{ type: "buy", when: " close>open " }] }
    const made = file("rule.json", { ...aSignal({ name: "Ruled" }), rule })
    const db = here("ruled.db")
    await on(db, sender("ann"))
    const run = (...words: ReadonlyArray<string>) => signalbox(...words, "--db", db)
    expect((await run("signal", "apply", made)).out).toContain("Ruled (1): created\n    ")
    expect((await run("signal", "apply", made)).out).toContain("Ruled (1): unchanged")
    const { out } = await run("signal", "export", "1")
    expect(JSON.parse(out)).toEqual({ ...aSignal({ name: "Ruled" }), rule })
    const got = { ...JSON.parse(out), id: 1, has_rule: true, rule_version: 1, rule_made_at: 5, created_at: 5 }
    expect((await run("signal", "apply", file("got.json", got))).out).toContain("Ruled (1): unchanged")
    const wrong = { ...rule, on: [{ type: "buy", when: "close >" }] }
    const refused = await run(
      "signal",
      "apply",
      file("wrong.json", { ...aSignal({ name: "Ruled" }), rule: wrong })
    )
    expect(refused.error).toContain(
      "signal 1 of the file: rule on[0].when: column 8: expected a number, a name or ("
    )
    expect((await run("signal", "apply", file("none.json", { ...got, rule: null }))).out).toContain("rule: ")
    expect(JSON.parse((await run("signal", "export", "1")).out)).toEqual(aSignal({ name: "Ruled" }))
  })
  test("an exported strategy is applied to another database, where its signal has another id", async () => {
    const [strategy, signal] = await Promise.all([
      signalbox("strategy", "export", "1", "2", "--db", first),
      signalbox("signal", "export", "3", "--db", first)
    ])
    expect(JSON.parse(signal.out)).toEqual(aSignal({ name: "Main" }))
    expect(JSON.parse(strategy.out)).toMatchObject([{ name: "Swing", signal_id: 3, signal: "Main" }, {}])
    await on(second, sender("bob"))
    const [strategyFile, signalFile] = [file("s.json", strategy.out), file("g.json", signal.out)]
    expect((await signalbox("signal", "apply", signalFile, "--db", second)).code).toBe(0)
    expect((await signalbox("strategy", "apply", strategyFile, "--db", second)).code).toBe(0)
    const withoutIds = async (db: string) =>
      (await strategies(db)).map(({ revision: _, signalId: __, ...rest }) => rest)
    expect(await withoutIds(second)).toEqual(await withoutIds(first))
    const followed = async (db: string) => (await strategies(db)).map(({ signalId }) => Number(signalId))
    expect([await followed(first), await followed(second)]).toEqual([
      [3, Number.NaN],
      [1, Number.NaN]
    ])
  }, 60_000)

  test("a name that two have is refused with both ids, and one bad strategy keeps out its whole file", async () => {
    await on(
      second,
      Effect.gen(function* () {
        const { account } = yield* sender("bob")
        const store = yield* StrategyStore
        yield* store.create(account, settings({ name: "Swing" }))
      })
    )
    const before = await strategies(second)
    const good = { ...STRATEGY, name: "Good" }
    const files = [
      file("two.json", [good, { ...STRATEGY, name: "Swing" }]),
      file("bad.json", [
        { ...good, name: "Other" },
        { ...good, name: "X\n\u001b[31m", stop_los: true, buy_percentage: "10" }
      ]),
      file("pairs.json", {
        ...good,
        exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT", "NOPE/USDT"] }]
      }),
      file("same.json", [
        { ...good, name: "Same" },
        { ...good, name: "Same" }
      ])
    ]
    const { code, error, out } = await signalboxWith(UNREACHED, "strategy", "apply", ...files, "--db", second)
    expect([code, out]).toEqual([1, ""])
    expect(error).toContain('"Swing": name is that of several strategies, 1 and 3: rename all but one')
    expect(error).toContain('"X  [31m": stop_los no strategy has this field: did you mean stop_loss?')
    expect(error).toContain('"X  [31m": buy_percentage must be a number')
    expect(error).toContain("[0].coin_pairs[1] is not available on binance (NOPE/USDT)")
    expect(error).toMatch(/binance was asked for its markets, and could not be refreshed: /)
    expect(error).toContain('"Same": is in the file more than once')
    expect(error).toContain("nothing of 4 of 4 files was applied")
    expect(error).not.toContain("\u001b")
    expect(await strategies(second)).toEqual(before)
    const twice = file("twice.json", { ...aSignal({ name: "twice" }), colour: "red" })
    const refused = await signalbox("signal", "apply", twice, "--db", first)
    expect(refused.code).toBe(1)
    expect(refused.error).toContain("name is that of several signals, 1 and 2: rename all but one")
    expect(refused.error).toContain("colour no signal has this field")
  }, 60_000)
})

test("an exchange is asked for a pair that is not known, once for all files, and what it lists is applied", async () => {
  const db = here("unknown.db")
  await on(db, sender("ann"))
  const known = Catalogue.markets("binance").map(({ kind, pair, ...steps }) => ({
    ...{ kind, pair },
    ...{ priceStep: toText(steps.priceStep), amountStep: toText(steps.amountStep) },
    ...{ minAmount: toText(steps.minAmount), minCost: toText(steps.minCost) }
  }))
  const [one] = known
  if (one === undefined) throw new Error("binance is shipped with nothing")
  const offered = [...known, { ...one, pair: Pair.make("NEW1/USDT") }]
  const stub = await Stub.start(protocols.binance, offered, { door: false })
  const listing = (...coin_pairs: ReadonlyArray<string>) => [{ exchange_name: "binance", coin_pairs }]
  const listed = file("new.json", { ...STRATEGY, name: "New", exchanges: listing("NEW1/USDT") })
  const never = file("never.json", { ...STRATEGY, name: "Never", exchanges: listing("NOPE/USDT") })
  const run = (...files: ReadonlyArray<string>) =>
    signalboxWith(
      { SIGNALBOX_EXCHANGE_URLS: `binance=${stub.url}` },
      ...["strategy", "apply", ...files, "--db", db]
    )
  try {
    const { code, error, out } = await run(never, listed, never)
    expect([code, out]).toEqual([1, expect.stringContaining("New (1): created")])
    expect(error).toContain("[0].coin_pairs[0] is not available on binance (NOPE/USDT)")
    expect(error).toContain("binance was asked for its markets just now")
    expect(stub.requests.filter(({ path }) => path === "/api/v3/exchangeInfo")).toHaveLength(1)
    expect(await strategies(db)).toMatchObject([{ id: 1, name: "New" }])
    const again = await run(listed)
    expect([again.code, again.out]).toEqual([0, `${listed}:\n  New (1): unchanged\n`])
    expect(stub.requests.filter(({ path }) => path === "/api/v3/exchangeInfo")).toHaveLength(1)
  } finally {
    await stub.stop()
  }
}, 60_000)

test("a running server changes settings, answers what it refuses, and of two commands at once one makes the strategy", async () => {
  const db = here("served.db")
  await on(db, sender("ann"))
  const server = start("serve", "--port", "0", "--prices", "none", "--db", db)
  try {
    await listening(server.stderr)
    const one = file("one.json", { ...STRATEGY, name: "One", buy_percentage: 10 })
    const apply = (path: string) => signalbox("strategy", "apply", path, "--json", "--db", db)
    const both = await Promise.all([apply(one), apply(one)])
    expect(both.map(({ code, error }) => [code, error])).toEqual([
      [0, ""],
      [0, ""]
    ])
    const actions = both.map(({ out }) => JSON.parse(out)[0].records[0].action).sort()
    expect(actions).toEqual(["create", "unchanged"])
    expect(await strategies(db)).toMatchObject([{ id: 1, name: "One", buyPercent: 10 }])
    expect((await apply(file("eleven.json", { ...STRATEGY, name: "One", buy_percentage: 11 }))).code).toBe(0)
    expect(await strategies(db)).toMatchObject([{ id: 1, buyPercent: 11, revision: 1 }])
  } finally {
    server.kill()
    await server.exited
  }
}, 60_000)

test("without a server, a strategy whose bot would have to act is left to one", async () => {
  const db = here("busy.db")
  await on(
    db,
    Effect.gen(function* () {
      const ann = yield* sender("ann")
      const { account } = ann
      const signal = yield* (yield* Signals).create(account, aSignal({ name: "Main" }))
      const store = yield* StrategyStore
      const held = yield* store.create(account, settings({ name: "Held" }))
      yield* store.create(account, settings({ name: "Behind", signalId: signal.id }))
      yield* (yield* Portfolio).commit([step(held, 1, { bot: bot(held.id, 1) })])
      yield* (yield* Journal).append(draft(ann, { instruction: instruction({ signalId: signal.id }) }))
    })
  )
  const before = await strategies(db)
  const files = ["Held", "Behind"].map((name) => file(`${name}.json`, { ...STRATEGY, name }))
  const { code, error } = await signalbox("strategy", "apply", ...files, "--db", db)
  expect(code).toBe(1)
  expect(error).toContain("strategy 1, Held, has a position or an order: start the server (signalbox serve)")
  expect(error).toContain("strategy 2, Behind, has alerts to judge: start the server")
  expect(await strategies(db)).toEqual(before)
}, 60_000)

describe("a stranger's file is refused", () => {
  const read = (path: string) =>
    Effect.runPromise(Effect.either(Effect.mapError(RecordFile.read(path), ({ message }) => message)))
  test.each([
    ["that is endless", "/dev/zero", "is longer than 2 MiB: split it"],
    ["that is missing", here("missing"), "there is no such file"],
    ["that is a folder", folder, "cannot be read"],
    ["that is empty", file("empty", ""), "is not JSON in UTF-8"],
    ["with other text", file("yaml", "name: x"), "is not JSON in UTF-8"],
    ["with bytes that are no UTF-8", file("latin", "x"), "is not JSON in UTF-8"],
    ["nested without end", file("deep", "[".repeat(100_000)), "is nested too deeply"],
    ["with a text", file("text", '"x"'), "must hold one JSON object, or a list of objects"],
    ["with nothing in it", file("none", "[]"), "must hold one JSON object, or a list of objects"],
    ["with a list in a list", file("lists", "[[]]"), "must hold one JSON object, or a list of objects"],
    [
      "with too many",
      file(
        "many",
        Array.from({ length: 101 }, () => ({}))
      ),
      "holds more than 100 records"
    ]
  ])("%s", async (_, path, text) => {
    if (path.endsWith("latin")) writeFileSync(path, new Uint8Array([0x7b, 0xff, 0x7d]))
    const result = await read(path)
    expect(Either.isLeft(result) && result.left).toContain(text)
  })

  test("a byte order mark at its start is no part of its JSON", async () => {
    expect(await read(file("bom", '\ufeff{"name":"x"}'))).toEqual(Either.right([{ name: "x" }]))
  })
})
