import { describe, expect, test } from "bun:test"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as AlertNames from "../../src/domain/alert/AlertNames.ts"
import * as AlertTargets from "../../src/domain/alert/AlertTargets.ts"
import * as Candle from "../../src/domain/Candle.ts"
import * as CandleFile from "../../src/domain/candles/CandleFile.ts"
import * as CandleTime from "../../src/domain/candles/CandleTime.ts"
import * as ArmingRequest from "../../src/domain/requests/ArmingRequest.ts"
import * as BacktestRequest from "../../src/domain/requests/BacktestRequest.ts"
import * as StrategyRequest from "../../src/domain/requests/StrategyRequest.ts"
import type { Violation } from "../../src/domain/requests/Violations.ts"
import { isSound, ofLast } from "../../src/domain/Ticker.ts"
import * as AlertsFile from "../../src/trading/backtest/AlertsFile.ts"
import { STRATEGY } from "../lib/strategy.ts"
import { settings } from "../trading/scenario.ts"

// The adversary asks for the largest numbers that a door takes, and for a step beyond them.

const ALL = {
  sell_minprofitpercent: 1,
  trailing_sell: true,
  trailing_sell_arm: 1,
  trailing_sell_percentage: 1,
  balance_take_profit: true,
  balance_take_profit_trigger: 1,
  balance_take_profit_cooldown: 0,
  balance_stop_loss: true,
  balance_stop_loss_trigger: 1,
  balance_stop_loss_cooldown: 0
}

const violations = (over: object): ReadonlyArray<Violation> =>
  Either.match(StrategyRequest.parseBody({ ...STRATEGY, ...ALL, ...over }), {
    onLeft: (found) => found,
    onRight: () => []
  })

describe("the bounds of a strategy's numbers", () => {
  test.each([
    [
      "sell_minprofitpercent",
      Number.MIN_VALUE,
      1e6,
      [0, 1_000_001, 1e308],
      "must be above 0 and at most 1000000"
    ],
    [
      "trailing_sell_arm",
      Number.MIN_VALUE,
      1e6,
      [0, 1_000_001, 1e308],
      "must be above 0 and at most 1000000"
    ],
    ["balance_take_profit_trigger", 0.01, 1e6, [0.0099, 1e-13, 1e308], "must be from 0.01 to 1000000"],
    ["balance_stop_loss_trigger", 0.01, 99.999, [0.0099, 1e-11, 100], "must be at least 0.01 and below 100"]
  ] as const)("%s", (field, least, most, beyond, text) => {
    expect(violations({ [field]: least })).toEqual([])
    expect(violations({ [field]: most })).toEqual([])
    for (const value of beyond) expect(violations({ [field]: value })).toEqual([{ field, text }])
  })
})

describe("numbers stored before the bounds existed", () => {
  const stored = settings({
    minProfitPercent: 1e308,
    trailingSell: { armPercent: 1e300, percent: 1 },
    balanceTakeProfit: { triggerPercent: 1e-13, cooldownMinutes: 0 },
    balanceStopLoss: { triggerPercent: 1e-11, cooldownMinutes: 0 }
  })
  const update = (body: Readonly<Record<string, unknown>>) => StrategyRequest.read(body, Option.some(stored))

  test("stay if an update does not name them", () => {
    const { settings: after, violations } = update({ active: false })
    expect(violations).toEqual([])
    expect(Option.getOrUndefined(after)).toEqual({ ...stored, active: false })
  })

  test("are checked if an update names them", () =>
    expect(update({ sell_minprofitpercent: 1e308 }).violations).toHaveLength(1))

  test("are reported by their request names", () =>
    expect(StrategyRequest.outOfBounds(stored).map(({ field }) => field)).toEqual([
      "sell_minprofitpercent",
      "trailing_sell_arm",
      "balance_take_profit_trigger",
      "balance_stop_loss_trigger"
    ]))

  test("are not reported if all are in bounds", () =>
    expect(StrategyRequest.outOfBounds(settings({ minProfitPercent: 5 }))).toEqual([]))
})

describe("prices and amounts end at 1e12 at every entrance", () => {
  const BEYOND = 1.000001e12

  test("for an alert's targets, as numbers and as texts", () => {
    for (const name of ["tp", "sl"] as const) {
      const read = (value: unknown) => {
        const flaws: Array<Violation> = []
        return [AlertTargets.read(name, value, AlertNames.NONE, { errors: flaws }), flaws.length] as const
      }
      expect(read(1e12)).toEqual([Option.some(1e12), 0])
      for (const value of [BEYOND, 1e308, `${BEYOND}`, "1e308"])
        expect(read(value)).toEqual([Option.none(), 1])
    }
  })

  test("for a target under another name, which is not read and causes a warning", () => {
    const warnings: Array<string> = []
    const names = AlertNames.read({ stop_loss_price: 1e308 })
    const found = AlertTargets.read("sl", undefined, names, { errors: [] })
    expect(found).toEqual(Option.none())
    AlertTargets.warn(names, { tp: false, sl: false }, warnings)
    expect(warnings).toHaveLength(1)
  })

  test("for a line of an alerts file", () => {
    const line = (tp: number) => `{"time":1,"coin":"BTC","quote_currency":"USDT","type":"buy","tp":${tp}}`
    const read = (tp: number) => AlertsFile.parse(new TextEncoder().encode(line(tp)), CandleTime.MADE_UP)
    expect(Either.isRight(read(1e12))).toBe(true)
    expect(Either.getLeft(read(1e308))).toEqual(
      Option.some({ line: 1, text: "tp must be a price above 0 and at most 1e12" })
    )
  })

  test("for a back-test's balance", () => {
    const candles = [{ pair: "BTC/USDT", csv: "1,1,1,1,1,1" }]
    const read = (balance: number) => BacktestRequest.read({ strategy: STRATEGY, candles, balance })
    expect(Either.isRight(read(1e12))).toBe(true)
    expect(Either.getLeft(read(BEYOND))).toEqual(
      Option.some([{ field: "balance", text: "must be an amount of 0 or more, at most 1e12" }])
    )
  })

  test("for the terms of arming", () => {
    const read = (capital: number) =>
      ArmingRequest.read({ account: 1, capital, max_order: 1, max_daily_loss: 1, protective_stop: false })
    expect(Either.isRight(read(1e12))).toBe(true)
    expect(Either.isLeft(read(BEYOND))).toBe(true)
  })

  test("for prices of feeds and candles", () => {
    expect([1e12, BEYOND].map((price) => isSound(ofLast(price, 1)))).toEqual([true, false])
    const candle = { at: 1, open: 1, high: 1e12, low: 1, close: 1, volume: 1 }
    expect([1e12, BEYOND].map((high) => Candle.isSound({ ...candle, high }))).toEqual([true, false])
    const file = (high: string) =>
      Either.isRight(CandleFile.parse(new TextEncoder().encode(`1,1,${high},1,1,1`), CandleTime.MADE_UP))
    expect(["1000000000000", "1000001000000", "1e300"].map(file)).toEqual([true, false, false])
  })
})
