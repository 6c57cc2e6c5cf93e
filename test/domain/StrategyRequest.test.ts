import { describe, expect, test } from "bun:test"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import { parseBody, read } from "../../src/domain/requests/StrategyRequest.ts"
import { FullView, ListView, rows, UpdateView } from "../../src/domain/requests/StrategyView.ts"
import type { Settings } from "../../src/domain/Strategy.ts"

const least = {
  name: "Mine",
  description: "",
  active: true,
  public: false,
  default_quote_currency: "USDT",
  default_exchange_name: "binance",
  buy_percentage: 10,
  exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT"] }]
}

const created = (body: object): Settings =>
  Either.getOrThrowWith(parseBody({ ...least, ...body }), (all) => new Error(JSON.stringify(all))).settings

const updated = (stored: object, body: Record<string, unknown>): Settings => {
  const { settings, violations } = read(body, Option.some(created(stored)))
  return Option.getOrThrowWith(settings, () => new Error(JSON.stringify(violations)))
}

const refused = (body: Record<string, unknown>, stored?: object): ReadonlyArray<string> => {
  const before = stored === undefined ? Option.none<Settings>() : Option.some(created(stored))
  return [...new Set(read(body, before).violations.map(({ field }) => field))].sort()
}

const features = {
  strategy_trailing_buy_switch: { trailing_buy_percentage: 1 },
  strategy_dca_switch: { dca_aftertime: 0, dca_maxretries: 3, dca_percentagetrigger: 5, dca_ordersize: 100 },
  trailing_sell: { trailing_sell_arm: 3, trailing_sell_percentage: 1 },
  stop_loss: { stop_loss_percentage: 10 },
  balance_take_profit: { balance_take_profit_trigger: 5, balance_take_profit_cooldown: 60 },
  balance_stop_loss: { balance_stop_loss_trigger: 5, balance_stop_loss_cooldown: 60 },
  auto_close_position_enabled: { auto_close_position_value: 60 }
}

describe("the table of fields", () => {
  test("has the field sets of the API", () => {
    expect(Object.keys(FullView.fields)).toHaveLength(44)
    expect(Object.keys(ListView.fields)).toHaveLength(15)
    expect(Object.keys(UpdateView.fields)).toHaveLength(12)
    expect(rows.filter(({ model, request }) => model !== request)).toHaveLength(19)
  })
})

describe("a creation", () => {
  test("reports all missing required fields at once", () => {
    expect(refused({})).toEqual(Object.keys(least).sort())
  })

  for (const [toggle, values] of Object.entries(features)) {
    test(`with ${toggle} needs ${Object.keys(values).join(", ")}`, () => {
      expect(refused({ ...least, [toggle]: true })).toEqual(Object.keys(values).sort())
      expect(refused({ ...least, [toggle]: true, ...values })).toEqual([])
      expect(refused({ ...least, [toggle]: false })).toEqual([])
    })
  }

  test("checks values beside a switch that is off, and does not store them", () => {
    expect(created({ stop_loss: false, stop_loss_percentage: 5 }).stopLoss).toBeUndefined()
    expect(created({ stop_loss_percentage: 5 }).stopLoss).toBeUndefined()
    expect(refused({ ...least, stop_loss_percentage: 100 })).toEqual(["stop_loss_percentage"])
  })

  test("refuses settings under their response names, and gives the right ones", () => {
    for (const { model, request } of rows) {
      if (model !== request) expect(refused({ ...least, [model]: 1 })).toEqual([request])
    }
  })

  test.each([
    ["name", ["", "x".repeat(256), 5, null, "\u0000", "\ud800"]],
    ["description", ["x".repeat(501), null]],
    ["active", ["true", 1, null]],
    ["buy_percentage", [-0.1, 100.1, "10", Number.NaN, Number.POSITIVE_INFINITY]],
    ["default_quote_currency", ["EUR", "usdt"]],
    ["default_exchange_name", ["mtgox"]],
    ["maker_fee", [-1, 10.5, "0.1"]],
    ["sell_minprofitpercent", [0, -1]],
    ["signal_id", [0, 1.5, "1"]],
    ["exchanges", [[], {}, "binance", [{}], [{ exchange_name: "mtgox", coin_pairs: ["BTC/USDT"] }]]],
    ["dca_maxretries", [0, 201, 1.5]],
    ["dca_aftertime", [-1, 525_601]],
    ["dca_ordersize", [0, 1001]],
    ["trailing_buy_percentage", [0, 100]],
    ["auto_close_position_value", [0, 525_601]]
  ])("refuses a wrong %s", (field, values) => {
    for (const value of values) expect(refused({ ...least, [field]: value })).toEqual([field])
  })

  test("never makes the parser throw, and is never echoed", () =>
    FastCheck.assert(
      FastCheck.property(
        FastCheck.dictionary(
          FastCheck.constantFrom(...rows.map(({ request }) => request), "__proto__", "constructor"),
          FastCheck.oneof(FastCheck.jsonValue(), FastCheck.constant("SECRET"), FastCheck.constant(["SECRET"]))
        ),
        (body) => {
          const { violations } = read({ ...body }, Option.none())
          expect(JSON.stringify(violations)).not.toContain("SECRET")
          for (const { text } of violations) expect(text.length).toBeLessThanOrEqual(200)
        }
      ),
      { numRuns: 500 }
    ))
})

describe("an update", () => {
  for (const [toggle, values] of Object.entries(features)) {
    test(`turns ${toggle} on only with its values, and off without`, () => {
      const on = { [toggle]: true, ...values }
      const [first = ""] = Object.keys(values)
      expect(refused({ [toggle]: true }, {})).toEqual(Object.keys(values).sort())
      expect(refused({ [toggle]: true }, on)).toEqual([])
      expect(refused({ [first]: null }, on)).toEqual([first])
      expect(updated(on, { [toggle]: false })).toEqual(created({}))
      expect(updated(on, {})).toEqual(created(on))
    })
  }

  test("may change single values of a feature that is on", () => {
    expect(
      updated({ stop_loss: true, stop_loss_percentage: 5 }, { stop_loss_percentage: 7 }).stopLoss
    ).toEqual({
      percent: 7
    })
  })

  test("with null detaches the signal and unsets the minimum profit", () => {
    const after = updated(
      { signal_id: 5, sell_minprofitpercent: 2 },
      { signal_id: null, sell_minprofitpercent: null }
    )
    expect(after).toEqual(created({}))
  })
})
