// A comparison in a child process says what the same function says in this one, over the candles beside the database.
import { afterAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer } from "effect"
import * as Children from "../../src/backtests/Children.ts"
import type { FillModel } from "../../src/domain/fills/FillModel.ts"
import * as Memory from "../../src/Memory.ts"
import { Backtester } from "../../src/services/Backtester.ts"
import { compared } from "../../src/services/compare/Comparing.ts"
import { gather } from "../../src/services/compare/Gathering.ts"
import { factsOf } from "../../src/services/feeds/MarketFacts.ts"
import { Markets } from "../../src/services/Markets.ts"
import { BEGIN, lifeAt, stored, writeCandles } from "../lib/life.ts"

const folder = mkdtempSync(join(tmpdir(), "comparison-"))
const database = join(folder, "x.db")
afterAll(() => rmSync(folder, { recursive: true }))

const life = lifeAt((order) => ({ slip: order.side === "buy" ? 1.002 : 0.999, fee: 2 }))
const wanted = { from: BEGIN, until: life.until }

/** The comparison of the stored life: by a child process, and here. */
const both = (paperFills?: FillModel) => {
  const ports = Memory.ports
  const layer = Layer.provideMerge(Children.layer({ database, paperFills }), ports)
  return Effect.gen(function* () {
    writeCandles(database, life)
    const { account, strategy } = yield* stored(life)
    const text = yield* (yield* Backtester).compare(account, strategy, wanted)
    const facts = factsOf(yield* (yield* Markets).catalogue)
    const here = compared(yield* gather(account, strategy, wanted), {
      ...facts,
      series: life.series,
      fillModel: paperFills
    })
    return { here, there: JSON.parse(text) }
  }).pipe(Effect.provide(layer), Effect.scoped, Effect.runPromise)
}

test("a child process compares all trades, and says the same as this process", async () => {
  const { here, there } = await both()
  expect(there).toEqual(JSON.parse(JSON.stringify(here)))
  expect(there.trades_total).toBeGreaterThan(5)
  expect(there.remainder).toBe(0)
  const parts: ReadonlyArray<{ readonly part: string; readonly amount: number }> = there.parts
  expect(parts.filter(({ amount }) => amount !== 0).map(({ part }) => part)).toEqual(["price", "fees"])
}, 60_000)

test("the server's paper fills are those of the test, in the child process too", async () => {
  const [plain, filled] = [await both(), await both({ slippagePercent: 0.2 })]
  expect(filled.there).toEqual(JSON.parse(JSON.stringify(filled.here)))
  expect(filled.there.test.pnl).not.toBe(plain.there.test.pnl)
  expect(filled.there.live).toEqual(plain.there.live)
}, 60_000)
