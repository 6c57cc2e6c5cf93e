// The chart of a signal's rule reads the candles that it needs, and no more than its bounds.
import { expect, test } from "bun:test"
import { Effect } from "effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import { AccountId } from "../../src/domain/Account.ts"
import type { Columns } from "../../src/domain/candles/CandleFile.ts"
import { Pair } from "../../src/domain/Market.ts"
import { RULE_TEMPLATES } from "../../src/domain/signalRule/RuleTemplates.ts"
import { type CandleRange, Candles } from "../../src/services/feeds/Candles.ts"
import * as RuleCharts from "../../src/services/feeds/RuleCharts.ts"
import { MemoryState } from "../../src/services/records/MemoryState.ts"
import { Signals } from "../../src/services/Signals.ts"
import { joined } from "../../src/trading/candles/Bars.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const ANN = AccountId.make(1)
const NOW = Date.UTC(2026, 10, 23, 12, 34, 5)

/** A wave of minutes, as a server has it that recorded all of them. */
const wave = ({ from, points, until }: CandleRange): Columns => {
  const length = Math.ceil((until - from) / MINUTE)
  const at = Float64Array.from({ length }, (_, row) => from + row * MINUTE)
  const close = at.map((it) => 1000 + 100 * Math.sin(it / (3 * HOUR)))
  const minutes = { at, open: close, high: close, low: close, close, length, volume: close }
  return joined(minutes, length > points ? HOUR : MINUTE)
}

const drawn = (template: string, shown = 300) => {
  const asked: Array<CandleRange> = []
  const candles = Layer.succeed(Candles, {
    range: (_, range) =>
      Effect.sync(() => {
        asked.push(range)
        return { source: "recorded" as const, spanMs: MINUTE, columns: wave(range) }
      })
  })
  const found = RULE_TEMPLATES.find(({ name }) => name === template)
  if (found === undefined) throw new Error(template)
  const markets = [{ exchange: "binance", kind: "spot", pairs: [Pair.make("BTC/USDT")] }] as const
  const program = Effect.gen(function* () {
    yield* TestClock.setTime(NOW)
    const draft = { name: "A rule", description: "", active: true, public: false }
    const { id } = yield* (yield* Signals).create(ANN, { ...draft, rule: { ...found.rule, markets } })
    const chartOf = yield* RuleCharts.make
    return yield* chartOf(ANN, id, Either.right({ market: undefined, shown }))
  })
  const stores = Signals.layerMemory.pipe(Layer.provide(MemoryState.layer))
  return Effect.runPromise(
    Effect.provide(program, Layer.mergeAll(stores, candles, TestContext.TestContext))
  ).then((chart) => ({ ...chart, asked }))
}

test("every template is warm at its first candle that is shown, where enough was recorded", async () => {
  for (const { name, rule } of RULE_TEMPLATES) {
    const { asked, chart } = await drawn(name, 100)
    expect([name, chart.candles.length]).toEqual([name, 100])
    const first = chart.candles.at[0] ?? 0
    expect([name, (chart.readyAt ?? Number.POSITIVE_INFINITY) <= first + 24 * HOUR]).toEqual([name, true])
    expect([name, chart.forming !== undefined]).toEqual([name, true])
    for (const { from, points, until } of asked) {
      expect(points).toBeLessThanOrEqual(60_003)
      expect(until).toBe(NOW + 1)
      expect([name, rule.timeframe, from % HOUR]).toEqual([name, rule.timeframe, 0])
    }
  }
})
