// A requested back-test of a rule over recorded candles: those from before the test are read to warm the rule up.
import { expect, test } from "bun:test"
import * as Either from "effect/Either"
import type { Columns } from "../../src/domain/candles/CandleFile.ts"
import { between } from "../../src/domain/candles/CandleRange.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import * as BacktestRequest from "../../src/domain/requests/BacktestRequest.ts"
import * as BacktestRun from "../../src/trading/backtest/BacktestRun.ts"
import { STRATEGY } from "../lib/strategy.ts"
import { document, walk } from "./ruleWorld.ts"
import { MINUTE, market } from "./scenario.ts"

const DAY = 86_400_000
const BEGAN = Date.UTC(2026, 0, 5)
const recorded = walk(3 * 1440, BEGAN)
const rule = document({
  timeframe: "5m",
  on: [{ type: "buy", when: "crossover(ema(close, 4), ema(close, 9))" }]
})

/** Runs the rule from a time (ms) on; returns the result and the span that was read. */
const tested = (from: number, rule: unknown, candles: Columns = recorded) => {
  const request = Either.getOrThrow(
    BacktestRequest.read({
      strategy: STRATEGY,
      candles: [{ pair: "BTC/USDT", exchange: "binance", from: from / 1000, to: (BEGAN + 3 * DAY) / 1000 }],
      rule
    })
  )
  const read: Array<number> = []
  const found = BacktestRun.run(request, {
    ground: {
      market: (id) => market(id),
      fees: () => ({ makerFeePercent: Decimal.zero, takerFeePercent: Decimal.zero })
    },
    most: 10_000,
    candles: (wanted) => {
      read.push(wanted.from)
      return Either.right(between(candles, wanted.from, wanted.until))
    },
    alerts: () => Either.right([]),
    now: BEGAN + 4 * DAY,
    elapsed: () => 0
  })
  return { view: Either.getOrThrowWith(found, (it) => new Error(JSON.stringify(it))), read }
}

test("candles from before the test warm the rule up, and none of them is traded", () => {
  const whole = tested(BEGAN, rule).view
  const later = tested(BEGAN + DAY, rule)
  expect(later.read[0]).toBeLessThan(BEGAN + DAY - 99 * 5 * MINUTE)
  expect(later.view.candles).toBe(2 * 1440)
  const expected = whole.rule?.alerts.filter(({ at }) => at * 1000 >= BEGAN + DAY) ?? []
  expect(expected.length).toBeGreaterThan(5)
  expect(later.view.rule?.alerts.map(({ at }) => at)).toEqual(expected.map(({ at }) => at))
  expect(later.view.rule?.notes[0]).toContain("it was warm from the beginning")
})

test("a function that never forgets has its candles read from its anchor on", () => {
  const never = document({ timeframe: "1h", on: [{ type: "buy", when: "obv > obv[3]" }] })
  const { read, view } = tested(BEGAN + DAY, never)
  expect(read).toEqual([Date.UTC(2024, 0, 1)])
  expect(view.rule?.notes.at(-1)).toContain("here they began at 2026-01-05 00:00 UTC")
})

test("a rule whose pairs have no candles is refused", () => {
  const elsewhere = document({ markets: [{ exchange: "binance", pairs: ["ETH/USDT"] }] })
  expect(() => tested(BEGAN, elsewhere)).toThrow("looks at no pair that has candles here")
})
