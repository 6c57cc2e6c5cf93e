// `explain`: a strategy's timeline as text and JSON.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { note, step } from "../../src/testing/contracts/steps.ts"
import { settings } from "../../src/testing/Fixtures.ts"
import { signalbox } from "../lib/cli.ts"
import { onFile, sender } from "../services/ports.ts"

let folder = ""
let told = 0
let quiet = 0

const MIDNIGHT = Date.UTC(2026, 10, 21)

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
    return [mine.id, theirs.id] as const
  })
  const program = Effect.provide(scene, onFile(join(folder, "x.db")))
  ;[told, quiet] = await Effect.runPromise(Effect.scoped(program))
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
