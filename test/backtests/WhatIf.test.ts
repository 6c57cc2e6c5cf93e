// A what-if in a child process says what the same functions say in this one, and each try is counted.
import { afterAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer } from "effect"
import * as Children from "../../src/backtests/Children.ts"
import { between } from "../../src/domain/candles/CandleRange.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import * as Memory from "../../src/Memory.ts"
import { Backtester } from "../../src/services/Backtester.ts"
import { factsOf } from "../../src/services/feeds/MarketFacts.ts"
import { Markets } from "../../src/services/Markets.ts"
import * as Backtest from "../../src/trading/Backtest.ts"
import type { WhatIfView } from "../../src/trading/whatIf/WhatIfView.ts"
import { BEGIN, lifeAt, stored, writeCandles } from "../lib/life.ts"

const folder = mkdtempSync(join(tmpdir(), "whatif-"))
const database = join(folder, "x.db")
const half = join(folder, "half", "x.db")
const bare = join(folder, "bare", "x.db")
afterAll(() => rmSync(folder, { recursive: true }))

const life = lifeAt((order) => ({ slip: order.side === "buy" ? 1.002 : 0.999, fee: 2 }))
/** Its candles but for the first five hours. */
const lateLife = {
  ...life,
  series: life.series.map((one) => ({
    ...one,
    columns: between(one.columns, BEGIN + 300 * 60_000, life.until)
  }))
}
const wanted = { from: BEGIN / 1000, to: life.until / 1000 - 1 }

type Scene = Effect.Effect.Success<ReturnType<typeof stored>> & {
  readonly tried: (changes: object, span?: object) => Effect.Effect<WhatIfView, unknown>
}

const onStored = <A, E>(
  use: (scene: Scene) => Effect.Effect<A, E, Markets>,
  file = database,
  candles = life
): Promise<A> =>
  Effect.gen(function* () {
    if (file !== bare) writeCandles(file, candles)
    const { account, strategy } = yield* stored(life)
    const backtester = yield* Backtester
    const tried = (changes: object, span: object = wanted) =>
      Effect.map(
        backtester.whatIf(account, strategy, Effect.succeed({ changes, ...span })),
        (text): WhatIfView => JSON.parse(text)
      )
    return yield* use({ account, strategy, tried })
  }).pipe(
    Effect.provide(Layer.provideMerge(Children.layer({ database: file }), Memory.ports)),
    Effect.scoped,
    Effect.runPromise
  )

test("the changed settings come to what their back-test comes to, beside what happened and the present ones", async () => {
  const { expected, same, view } = await onStored(({ tried }) =>
    Effect.gen(function* () {
      const facts = factsOf(yield* (yield* Markets).catalogue)
      const alerts = life.alerts.map(({ alert }) => alert)
      const run = (minProfitPercent: number) =>
        Backtest.run({ ...life, ...facts, settings: { ...life.settings, minProfitPercent }, alerts })
      return {
        expected: [run(3), run(1.5)],
        same: yield* tried({}),
        view: yield* tried({ sell_minprofitpercent: 1.5 })
      }
    })
  )
  const sum = (trades: Backtest.BacktestResult["trades"]) =>
    Decimal.toNumber(Decimal.round(Decimal.sum(trades.map(({ pnl }) => pnl)), 8))
  const [present, changed] = expected
  expect(view.present).toMatchObject({ net_pnl: sum(present?.trades ?? []), trades: present?.trades.length })
  expect(view.changed).toMatchObject({ net_pnl: sum(changed?.trades ?? []), trades: changed?.trades.length })
  expect(view.real).toMatchObject({ net_pnl: sum(life.trades), trades: life.trades.length })
  expect(view.changed.net_pnl).not.toBe(view.present.net_pnl)
  expect(view.changes).toEqual([{ setting: "sell_minprofitpercent", from: "3", to: "1.5" }])
  expect(view.changed.points.at(-1)?.[1]).toBeCloseTo(10_000 + view.changed.net_pnl, 6)
  expect(same.changed).toEqual(same.present)
  expect(same.luck).toBeNull()
}, 60_000)

test("each other settings are counted once, and only on stretches that overlap", async () => {
  const counts = await onStored(({ tried }) =>
    Effect.gen(function* () {
      const found: Array<unknown> = []
      for (const changes of [
        { buy_percentage: 40 },
        { buy_percentage: 30 },
        { buy_percentage: 40 },
        { name: "Other", buy_percentage: 30 },
        {}
      ]) {
        const { luck, tries_total } = yield* tried(changes)
        found.push([luck?.tries, tries_total])
      }
      const half = { from: wanted.from, to: wanted.from + 6 * 3600 }
      const { luck } = yield* tried({ buy_percentage: 20 }, half)
      return [...found, [luck?.tries, luck?.verdict]]
    })
  )
  expect(counts).toEqual([
    [1, 1],
    [2, 2],
    [2, 2],
    [2, 2],
    [undefined, 2],
    [3, "too_few"]
  ])
}, 60_000)

test("without a beginning it begins with the bot, or with the first candle on record where that is later", async () => {
  const whole = await onStored(({ tried }) => tried({ buy_percentage: 40 }, {}))
  expect([whole.from, whole.notices]).toEqual([BEGIN / 1000, []])
  expect(whole.to).toBeGreaterThan(wanted.to)
  const late = await onStored(({ tried }) => tried({ buy_percentage: 40 }, {}), half, lateLife)
  expect(late.from).toBeGreaterThanOrEqual(BEGIN / 1000 + 300 * 60)
  expect(late.real.trades).toBeLessThan(whole.real.trades)
  expect(late.notices.join()).toContain("the first candle on record is of")
}, 60_000)

test("without candles nothing is tried and nothing counted: the reason names the pair and the time", async () => {
  const message = await onStored(
    ({ tried }) => Effect.map(Effect.flip(tried({ buy_percentage: 40 })), String),
    bare
  )
  const day = new Date(BEGIN).toISOString().slice(0, 10)
  expect(message).toContain(`there are no candles of BTC/USDT on binance from ${day} 00:00`)
  expect(message).toContain("signalbox candles download binance BTC/USDT --from DAY")
}, 60_000)
