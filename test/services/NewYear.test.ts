// The adversary: the end of a UTC year, at which functions that never forget have another anchor, and servers that end before it
// and begin after it, at any candle and after any pause.
import { expect } from "bun:test"
import { Clock, Effect, Layer, Option, TestClock } from "effect"
import { originOf } from "../../src/domain/alert/RuleOrigin.ts"
import { between } from "../../src/domain/candles/CandleRange.ts"
import { Journal } from "../../src/services/Journal.ts"
import { type CandleSource, ClosedCandles } from "../../src/services/rules/ClosedCandles.ts"
import { RuleDesk } from "../../src/services/rules/RuleDesk.ts"
import { Signals } from "../../src/services/Signals.ts"
import { rule as aRule, signalDraft } from "../../src/testing/Fixtures.ts"
import { barAt } from "../../src/trading/indicators/Plan.ts"
import { it } from "../lib/effect.ts"
import { barsOf, closing, runOf, seriesOf } from "../trading/ruleWorld.ts"
import { BTC } from "../trading/scenario.ts"
import { memory, sender } from "./ports.ts"

const SPAN = 4 * 3_600_000
const FIRST = Date.UTC(2021, 2, 1)
const NEW_YEAR = Date.UTC(2025, 0, 1)
const MADE = NEW_YEAR - 4 * SPAN
const END = NEW_YEAR + 30 * SPAN

/** Closes that turn often and never in the same way. */
const columns = closing(
  Array.from(
    { length: (END - FIRST) / SPAN },
    (_, row) => 100 + 30 * Math.sin(row / 50) + 9 * Math.sin(row / 3) + ((row * 7_919) % 13)
  ),
  FIRST,
  240
)
const bars = barsOf(columns)
const SERIES = { exchange: "binance", kind: "spot", pair: BTC, timeframe: "4h" } as const
const RULE = aRule({
  timeframe: "4h",
  on: [
    "obv % 3 < 1",
    "crossover(close, sar(0.02, 0.02, 0.2))",
    "supertrend(1, 3).direction < 0",
    "barssince(close > 125) % 7 == 3",
    'request("1d", obv) % 2 == 0 and close > open',
    "close > vwap"
  ].map((when) => ({ type: "buy" as const, when }))
})
const EXPECTED = runOf(RULE, seriesOf(columns), { from: MADE + 1, until: END + 1 }).raised.map(
  ({ at, by }) => `${(at - NEW_YEAR) / SPAN} ${by}`
)

/** A server from the present up to a close, which is told of each candle. */
const served = (until: number) => {
  const asked: Array<number> = []
  const source: CandleSource = {
    follow: () => Effect.void,
    next: Effect.never,
    history: (_, from, to) =>
      Effect.sync(() => {
        asked.push(from)
        return barsOf(between(bars, from, to))
      })
  }
  return Effect.gen(function* () {
    const desk = yield* RuleDesk
    yield* desk.settled
    const begun = asked.length
    for (let at = yield* Clock.currentTimeMillis; at < until; ) {
      at += SPAN
      yield* TestClock.setTime(at)
      const row = bars.at.indexOf(at - SPAN)
      yield* desk.take([
        {
          ...{ _tag: "Closed", series: SERIES, from: at - SPAN, until: at, isFinal: false },
          bars: row < 0 ? [] : [barAt(bars, row)]
        }
      ])
      yield* desk.settled
    }
    expect([begun, asked.length]).toEqual([1, 1])
  }).pipe(
    Effect.provide(
      Layer.fresh(RuleDesk.layer.pipe(Layer.provide(Layer.succeed(ClosedCandles, Option.some(source)))))
    )
  )
}

/** The alerts of a rule whose server ends after a candle, and whose next one begins some candles later. */
const lived = (ends: number, pause: number) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(MADE)
    const { account } = yield* sender("ann")
    yield* (yield* Signals).create(account, signalDraft({ rule: RULE }))
    yield* served(ends)
    yield* TestClock.setTime(ends + pause * SPAN)
    yield* served(END)
    const journal = yield* Journal
    const alerts = yield* journal.list(account, { limit: 1_000 })
    const bodies = yield* journal.incoming(
      account,
      alerts.map(({ id }) => id)
    )
    return alerts
      .map(({ id }) => Option.getOrThrow(originOf(bodies.get(id)?.body ?? "")))
      .map(({ at, by }) => `${(at - NEW_YEAR) / SPAN} ${by}`)
  }).pipe(Effect.provide(Layer.fresh(memory)))

it.effect(
  "a rule that never forgets raises over New Year what a back-test raises, whenever its server ended and began again",
  () =>
    Effect.gen(function* () {
      const fired = new Set(EXPECTED.map((name) => name.split(" ")[1]))
      expect([fired.size, EXPECTED.length > 15]).toEqual([RULE.on.length, true])
      for (const [ends, pause] of [
        [-3, 0],
        [-3, 12],
        [-1, 0],
        [-1, 1],
        [0, 0],
        [0, 1],
        [1, 0],
        [2, 20]
      ] as const)
        expect([ends, pause, (yield* lived(NEW_YEAR + ends * SPAN, pause)).sort()]).toEqual([
          ends,
          pause,
          [...EXPECTED].sort()
        ])
    }),
  60_000
)
