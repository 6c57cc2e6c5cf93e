// `what-if`: a strategy's own past with other settings, from the database and the candles beside it.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { signalbox } from "../lib/cli.ts"
import { BEGIN, lifeAt, stored, writeCandles } from "../lib/life.ts"
import { onFile } from "../services/ports.ts"

const folder = mkdtempSync(join(tmpdir(), "what-if-"))
const db = join(folder, "x.db")
const bare = join(folder, "bare", "x.db")

beforeAll(async () => {
  const life = lifeAt((order) => ({ slip: order.side === "buy" ? 1.002 : 0.999 }))
  for (const file of [db, bare])
    await Effect.runPromise(Effect.scoped(Effect.provide(stored(life), onFile(file))))
  writeCandles(db, life)
})
afterAll(() => rmSync(folder, { recursive: true }))

const DAY = new Date(BEGIN).toISOString().slice(0, 10)
const whatIf = (...args: ReadonlyArray<string>) => signalbox("what-if", "1", "--to", DAY, ...args, "--db", db)

test("shows what happened beside both tests, and counts the tries across runs of the command", async () => {
  const first = await whatIf("--set", "sell_minprofitpercent=1.5", "--json")
  expect({ code: first.code, error: first.error }).toEqual({ code: 0, error: "" })
  const view = JSON.parse(first.out)
  expect(view.changes).toEqual([{ setting: "sell_minprofitpercent", from: "3", to: "1.5" }])
  expect(view.luck.tries).toBe(1)
  expect(view.real.trades).toBeGreaterThan(5)
  expect(view.real.net_pnl).toBeLessThan(view.present.net_pnl)
  expect(view.changed.net_pnl).not.toBe(view.present.net_pnl)
  const { code, out } = await whatIf("--set", "stop_loss=false", "--set", "sell_minprofitpercent=2")
  expect(code).toBe(0)
  expect(out).toMatch(/stop_loss +on +off/)
  expect(out).toMatch(/what happened \(paper\) +test, present settings +test, changed settings/)
  expect(out).toContain(
    "2 what-ifs were tried on this stretch. The best of 2 is lucky; by how much, so little cannot tell."
  )
  expect(out).toContain("Too few to tell what is luck")
}, 60_000)

test("a wrong setting is refused in the words of a sweep, with exit code 2", async () => {
  const errors = await Promise.all(
    [[], ["--set", "x"], ["--set", "stop_los=1"], ["--set", "name=B"]].map((args) => whatIf(...args))
  )
  expect(errors.map(({ code }) => code)).toEqual([2, 2, 2, 2])
  expect(errors.map(({ error }) => error.split("\n")[0])).toEqual([
    "signalbox: --set names a setting and its value: --set stop_loss_percentage=3",
    "signalbox: --set takes a setting and its value: --set stop_loss_percentage=3",
    expect.stringContaining("--set: there is no setting stop_los; the nearest are stop_loss"),
    "signalbox: --set: name is the same in every run and cannot be swept"
  ])
}, 60_000)

test("a value out of bounds, and a stretch without candles, exit with 1 and one line", async () => {
  const [wrong, unpriced] = await Promise.all([
    whatIf("--set", "buy_percentage=1000"),
    signalbox("what-if", "1", "--set", "buy_percentage=10", "--db", bare)
  ])
  expect([wrong.code, wrong.error]).toEqual([1, "signalbox: buy_percentage must be from 0 to 100\n"])
  expect(unpriced.code).toBe(1)
  expect(unpriced.error).toContain(`there are no candles of BTC/USDT on binance from ${DAY} 00:00`)
}, 60_000)
