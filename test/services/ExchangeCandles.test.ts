// The chart of a rule on a server that has stored next to nothing: the exchange is asked for candles, seldom, and a chart
// waits for one that does not answer only so long.
import { expect } from "bun:test"
import { Effect, Fiber, Layer, Option, TestClock } from "effect"
import * as Either from "effect/Either"
import { AccountId } from "../../src/domain/Account.ts"
import { between } from "../../src/domain/candles/CandleRange.ts"
import { Candles } from "../../src/services/feeds/Candles.ts"
import * as RuleCharts from "../../src/services/feeds/RuleCharts.ts"
import { MemoryState } from "../../src/services/records/MemoryState.ts"
import { ClosedCandles, HistoryFailed } from "../../src/services/rules/ClosedCandles.ts"
import { Signals } from "../../src/services/Signals.ts"
import { rule, signalDraft } from "../../src/testing/Fixtures.ts"
import { it } from "../lib/effect.ts"
import { barsOf, walk } from "../trading/ruleWorld.ts"

const MINUTE = 60_000
const ANN = AccountId.make(1)
const NOW = Date.UTC(2026, 10, 23, 12, 34, 5)
const LENGTH = 1_500
const FIRST = Math.floor(NOW / MINUTE) * MINUTE - LENGTH * MINUTE
const SHOWN = 120
/** What the exchange has, with the candle under way. */
const all = walk(LENGTH + 1, FIRST)

/** A server that has been up for three minutes, and an exchange that answers as `mode` says. */
const world = (mode: { at: "well" | "down" | "silent" }) => {
  const requests: Array<readonly [number, number]> = []
  const source = {
    follow: () => Effect.void,
    next: Effect.never,
    history: (_: unknown, from: number, until: number) =>
      Effect.suspend(() => {
        requests.push([from, until])
        if (mode.at === "down") return new HistoryFailed({ reason: "it is down", isLasting: false })
        return mode.at === "silent" ? Effect.never : Effect.succeed(barsOf(between(all, from, until)))
      })
  }
  const candles = Layer.succeed(Candles, {
    range: (_, { until }) =>
      Effect.succeed({
        source: "live" as const,
        spanMs: MINUTE,
        columns: between(all, NOW - 3 * MINUTE, until)
      })
  })
  const made = Effect.gen(function* () {
    yield* TestClock.setTime(NOW)
    const crossing = rule({
      timeframe: "1m",
      on: [{ type: "buy", when: "crossover(close, sma(close, 20))" }]
    })
    const { id } = yield* Effect.orDie((yield* Signals).create(ANN, signalDraft({ rule: crossing })))
    const chartOf = yield* RuleCharts.make
    return {
      chart: Effect.orDie(chartOf(ANN, id, Either.right({ market: undefined, shown: SHOWN }))),
      requests
    }
  })
  const stores = Signals.layerMemory.pipe(Layer.provide(MemoryState.layer))
  return Effect.provide(
    made,
    Layer.mergeAll(stores, candles, Layer.succeed(ClosedCandles, Option.some(source)))
  )
}

it.effect("a server that is new draws the exchange's candles, warm, and asks only for new ones again", () =>
  Effect.gen(function* () {
    const { chart, requests } = yield* world({ at: "well" })
    const first = yield* chart
    expect(first.source).toBe("exchange")
    expect(first.chart.candles.length).toBe(SHOWN)
    expect(first.chart.fires.length).toBeGreaterThan(2)
    expect(first.chart.forming?.at).toBe(Math.floor(NOW / MINUTE) * MINUTE)
    expect(first.chart.readyAt).toBeLessThanOrEqual((first.chart.candles.at[0] ?? 0) + MINUTE)
    yield* chart
    expect(requests.length).toBe(1)
    yield* TestClock.adjust("2 minutes")
    yield* chart
    const closed = Math.floor(NOW / MINUTE) * MINUTE
    expect(requests.slice(1)).toEqual([[closed, closed + 2 * MINUTE]])
  })
)

it.effect("an exchange that is down is not asked again at once, and what is stored is drawn", () =>
  Effect.gen(function* () {
    const mode: Parameters<typeof world>[0] = { at: "down" }
    const { chart, requests } = yield* world(mode)
    expect(yield* chart).toMatchObject({ source: "live", chart: { candles: { length: 2 } } })
    yield* chart
    expect(requests.length).toBe(1)
    mode.at = "well"
    yield* TestClock.adjust("31 seconds")
    expect((yield* chart).source).toBe("exchange")
  })
)

it.effect("a chart waits 6 s for an exchange that does not answer, also behind another chart", () =>
  Effect.gen(function* () {
    const { chart, requests } = yield* world({ at: "silent" })
    const charts = yield* Effect.fork(Effect.all([chart, chart, chart], { concurrency: "unbounded" }))
    yield* TestClock.adjust("6 seconds")
    const found = yield* Fiber.join(charts)
    expect(found.map(({ source }) => source)).toEqual(["live", "live", "live"])
    expect(requests.length).toBe(1)
  })
)
