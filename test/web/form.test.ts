// The strategy form: values, errors, changes and warnings.
import { describe, expect, test } from "bun:test"
import * as Option from "effect/Option"
import * as StrategyRequest from "../../src/domain/requests/StrategyRequest.ts"
import { warnings } from "../../src/trading/backtest/Warnings.ts"
import { BLANK } from "../../src/web/page/strategies/blank.ts"
import { contradictions } from "../../src/web/page/strategies/contradictions.ts"
import * as Form from "../../src/web/page/strategies/form.ts"
import { named, pairsIn } from "../../src/web/page/strategies/pairs.ts"
import { created, stored } from "./stored.ts"

const full: Form.Form = {
  texts: {
    ...BLANK.texts,
    ...{
      name: "<b>Ünï</b> 😀",
      description: "All of it",
      signal_id: "7",
      maker_fee: "0.05",
      taker_fee: "0,15"
    },
    ...{
      trailing_buy_percentage: "1",
      dca_percentagetrigger: "2.5",
      dca_ordersize: "150",
      dca_maxretries: "3"
    },
    ...{ dca_aftertime: "0", trailing_sell_arm: "4", trailing_sell_percentage: "1.25" },
    ...{
      auto_close_position_value: "1440",
      balance_take_profit_trigger: "20",
      balance_take_profit_cooldown: "0"
    },
    ...{ balance_stop_loss_trigger: "10", balance_stop_loss_cooldown: "60" }
  },
  on: {
    ...{ active: false, public: true, strategy_trailing_buy_switch: true, strategy_dca_switch: true },
    ...{ trailing_sell: true, stop_loss: true, auto_close_position_enabled: true, balance_take_profit: true },
    ...{ balance_stop_loss: true, signal_ignores_sell_min_profit_percent: true }
  },
  exchanges: [
    { exchange_name: "binance", coin_pairs: ["BTC/USDT", "ETH/USDT"] },
    { exchange_name: "kraken", coin_pairs: ["BTC/USDT"] }
  ],
  steps: [
    { profit_percent: "2", close_percent: "40" },
    { profit_percent: "4,5", close_percent: "60" }
  ]
}
const plain: Form.Form = { ...BLANK, texts: { ...BLANK.texts, name: "A" }, exchanges: full.exchanges }

describe("a form", () => {
  test.each([full, plain])("comes back from the server as it was sent", (form) => {
    const settings = created(Form.bodyOf(form))
    const again = Form.formOf(stored(settings))
    expect(created(Form.bodyOf(again))).toEqual({ ...settings, ...feesOf(again) })
    expect(Form.changesOf(again, again)).toEqual({})
  })

  /** Fees that were left out are shown as the exchange's. */
  const feesOf = ({ texts }: Form.Form) => ({
    makerFeePercent: Number(texts.maker_fee),
    takerFeePercent: Number(texts.taker_fee)
  })

  test.each([
    ["nothing", full, full],
    ["everything on", plain, full],
    ["everything off", full, plain]
  ] as const)("sends only what changed, and the merge is what the form shows: %s", (_, from, to) => {
    const settings = created(Form.bodyOf(from))
    const before = Form.formOf(stored(settings))
    const changes = Form.changesOf(to, before)
    const { settings: merged, violations } = StrategyRequest.read(changes, Option.some(settings))
    expect(violations).toEqual([])
    expect(Form.bodyOf(Form.formOf(stored(Option.getOrThrow(merged))))).toEqual({
      ...Form.bodyOf(Form.formOf(stored(created(Form.bodyOf(to)))))
    })
  })

  test("changing a number sends one field; switching off sends only the switch; an emptied field is null", () => {
    const before = Form.formOf(stored(created(Form.bodyOf(full))))
    const change = (form: Form.Form) => Form.changesOf(form, before)
    expect(change(Form.withText(before, "stop_loss_percentage", "6"))).toEqual({ stop_loss_percentage: 6 })
    expect(change(Form.withText(before, "stop_loss_percentage", "5.0"))).toEqual({})
    expect(change(Form.withSwitch(before, "strategy_dca_switch", false))).toEqual({
      strategy_dca_switch: false
    })
    expect(change(Form.withText(before, "sell_minprofitpercent", " "))).toEqual({
      sell_minprofitpercent: null
    })
    expect(change(Form.withText(before, "signal_id", ""))).toEqual({ signal_id: null })
    const [first] = before.exchanges
    const exchanges = first === undefined ? [] : [first]
    const { default_exchange_name: _, ...changed } = change(Form.withExchanges(before, exchanges))
    expect(changed).toEqual({ exchanges })
  })

  test("bounds, dependent fields and listings are checked at once; hidden fields are not", () => {
    const wrong = (form: Form.Form) => Form.check(form)
    const dca = Form.withSwitch(plain, "strategy_dca_switch", true)
    expect(Object.keys(wrong(dca))).toEqual([
      "dca_percentagetrigger",
      "dca_ordersize",
      "dca_maxretries",
      "dca_aftertime"
    ])
    expect(wrong(dca)["dca_maxretries"]).toEqual(["is required: a whole number from 1 to 200"])
    const off = Form.withSwitch(Form.withText(plain, "stop_loss_percentage", "x"), "stop_loss", false)
    expect(wrong(off)).toEqual({})
    expect(wrong(Form.withText(plain, "buy_percentage", "100.1"))).toEqual({
      buy_percentage: ["must be from 0 to 100"]
    })
    expect(wrong(Form.withText(plain, "taker_fee", "11"))).toEqual({ taker_fee: ["must be from 0 to 10"] })
    expect(wrong(Form.withText(plain, "name", ""))).toEqual({ name: ["is required"] })
    const bare = Form.withExchanges(plain, [{ exchange_name: "okx", coin_pairs: [] }])
    expect(wrong(bare)).toEqual({ exchanges: ["choose at least one pair on okx, or remove it"] })
  })

  test("a summary of errors names fields as the form does, and in its order", () =>
    expect(
      Form.errorLines({
        colour: ["is not known"],
        stop_loss_percentage: ["must be below 100", "is required"],
        name: ["is required"]
      })
    ).toEqual([
      { name: "name", text: "Name is required" },
      { name: "stop_loss_percentage", text: "Stop loss: stop must be below 100; is required" },
      { name: "colour", text: "colour is not known" }
    ]))
})

test("an old value beyond its bounds does not prevent saving other settings", () => {
  const before = Form.formOf(stored({ ...created(Form.bodyOf(full)), minProfitPercent: 1e308 }))
  expect(Object.keys(Form.check(before))).toEqual(["sell_minprofitpercent"])
  const renamed = Form.withText(before, "name", "other")
  expect(Form.check(renamed, before)).toEqual({})
  expect(Form.changesOf(renamed, before)).toEqual({ name: "other" })
  const changed = Form.withText(renamed, "sell_minprofitpercent", "2e6")
  expect(Object.keys(Form.check(changed, before))).toEqual(["sell_minprofitpercent"])
})

test("contradictions are those that the server warns of, in its words", () => {
  const clashing: Form.Form = {
    ...full,
    texts: {
      ...full.texts,
      ...{
        dca_percentagetrigger: "9",
        dca_aftertime: "2000",
        sell_minprofitpercent: "",
        trailing_sell_arm: "1"
      },
      ...{ balance_stop_loss_trigger: "0.01" }
    },
    exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT", "ETH/BTC", "LTC/ETH"] }]
  }
  const zero = Form.withText(clashing, "buy_percentage", "0")
  const bare = Form.withText(clashing, "taker_fee", "")
  const halves = [1, 2].map((profit) => ({ profit_percent: String(profit), close_percent: "50" }))
  const followed = Form.withText(Form.withSteps(plain, halves), "break_even_after", "2")
  const gateless = Form.withSwitch(
    Form.withText(followed, "sell_minprofitpercent", "1"),
    "signal_ignores_sell_min_profit_percent",
    true
  )
  expect(contradictions(gateless, 0.1).map(({ code }) => code)).toEqual([
    "min_profit_unused",
    "break_even_after_all"
  ])
  for (const form of [clashing, zero, bare, full, plain, followed, gateless]) {
    const settings = created(Form.bodyOf(form))
    const fee = settings.takerFeePercent ?? 0.1
    expect(contradictions(form, 0.1).map(({ code, text }) => ({ code, text }))).toEqual([
      ...warnings(settings, fee)
    ])
  }
  expect(contradictions(clashing, 0.1)).toHaveLength(5)
  expect(contradictions(zero, 0.1)).toHaveLength(5)
})

test("pairs may be typed, alone or as a list, and anything else is a search", () => {
  expect(pairsIn("btc/usdt, ETH/USDT;sol/usdt\nLTC/USDT")).toEqual([
    "BTC/USDT",
    "ETH/USDT",
    "SOL/USDT",
    "LTC/USDT"
  ])
  for (const text of ["", "  ", "BTC", "BTC/USDT, ETH", "BTC/", "/USDT", "<b>/USDT", "A/B/C"])
    expect(pairsIn(text)).toEqual([])
})

test("the server's error about one pair is shown beside that pair", () => {
  const { exchanges } = full
  expect(named("[0].coin_pairs[1] is not active on binance", exchanges)).toBe(
    "ETH/USDT is not active on binance"
  )
  expect(named("[1] kraken is not active at the moment", exchanges)).toBe(
    "kraken is not active at the moment"
  )
  expect(named("[7].coin_pairs[0] is odd", exchanges)).toBe("[7].coin_pairs[0] is odd")
  expect(named("must list at most 200 pairs", exchanges)).toBe("must list at most 200 pairs")
})
