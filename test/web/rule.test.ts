// The form of a rule: what is loaded is saved again to the letter, and what is typed becomes the rule that it says.
import { describe, expect, test } from "bun:test"
import * as Either from "effect/Either"
import { read } from "../../src/domain/signalRule/RuleReading.ts"
import { RULE_TEMPLATES } from "../../src/domain/signalRule/RuleTemplates.ts"
import { blankEntry, draftOf, type Rule, ruleOf } from "../../src/web/page/signals/rule/draft.ts"

const RULE: Rule = {
  markets: [
    { exchange: "binance", kind: "spot", pairs: ["BTC/USDT", "ETH/USDT"] },
    { exchange: "bybit", kind: "swap", pairs: ["BTC/USDT"] }
  ],
  timeframe: "4h",
  params: { fast: 9, level: -0.5 },
  on: [
    {
      type: "long",
      when: "close >\n  open",
      sl: "low",
      buy_percentage: "5",
      tps: [{ price: "close + 1", percent: 50 }],
      reverse: true
    },
    { type: "close_long", when: "close < open", close_percent: "50" }
  ],
  schedule: [{ type: "buy", cron: "0 9 * * 1", timezone: "Europe/Berlin" }]
}

describe("the form of a rule", () => {
  test("saves a rule as it was loaded", () => {
    expect(ruleOf(draftOf(RULE))).toEqual(RULE)
    const witness = { ...RULE, witness: "stand_in", witness_seconds: 60 } as const
    expect(ruleOf(draftOf(witness))).toEqual(witness)
    expect(ruleOf({ ...draftOf(witness), witness: "" })).toEqual(RULE)
    expect(Either.isRight(read(ruleOf(draftOf(RULE))))).toBe(true)
  })
  test("takes steps of targets line by line, and sends a step without a part for the server to refuse", () => {
    const [entry] = draftOf(RULE).entries
    const typed = (steps: string, reverse: "" | "yes" | "no" = "") => {
      const entries = entry === undefined ? [] : [{ ...entry, steps, reverse }]
      return ruleOf({ ...draftOf(RULE), entries }).on[0]
    }
    const steps = " 50 % at close + atr(14)\n\n25% at 70000\n25 AT high"
    expect(typed(steps)?.tps).toEqual([
      { price: "close + atr(14)", percent: 50 },
      { price: "70000", percent: 25 },
      { price: "high", percent: 25 }
    ])
    expect([typed("")?.tps, typed("")?.reverse, typed("", "no")?.reverse]).toEqual([
      undefined,
      undefined,
      false
    ])
    const wrong = { ...RULE, on: [typed("at close")] }
    expect(Either.isLeft(read(JSON.parse(JSON.stringify(wrong))))).toBe(true)
  })
  test("sends what is no number of seconds to wait, and the server names the field and its bounds", () => {
    const rule = { ...RULE, witness: "tell" } as const
    for (const seconds of ["5", "241", "90.5", "soon", "-10", "1e9", "1e999"]) {
      const sent = JSON.parse(JSON.stringify(ruleOf({ ...draftOf(rule), seconds })))
      const errors = Either.match(read(sent), { onLeft: (all) => all, onRight: () => [] })
      expect([seconds, ...errors.map(({ text }) => text)]).toEqual([
        seconds,
        "must be a whole number from 10 to 240"
      ])
    }
    expect(ruleOf({ ...draftOf(rule), seconds: "  " })).toEqual(rule)
  })
  test("saves each template as it is", () => {
    for (const { rule } of RULE_TEMPLATES) {
      const whole = { ...rule, markets: RULE.markets }
      expect(ruleOf(draftOf(whole))).toEqual(whole)
    }
  })
  test("takes markets, numbers and times as people type them", () => {
    const typed = {
      ...draftOf(RULE),
      markets: "binance btc/usdt, eth/usdt\n\n bybit swap BTC/USDT ",
      params: "fast=9;slow = 21",
      times: "sell 30 17 * * 5\nbuy 0 9 1 * * Asia/Tokyo"
    }
    expect(ruleOf(typed)).toMatchObject({
      markets: RULE.markets,
      params: { fast: 9, slow: 21 },
      schedule: [
        { type: "sell", cron: "30 17 * * 5", timezone: "UTC" },
        { type: "buy", cron: "0 9 1 * *", timezone: "Asia/Tokyo" }
      ]
    })
  })
  test("sends what is wrong for the server to refuse, and never guesses a number", () => {
    const draft = { ...draftOf(RULE), params: "fast = nine, slow", entries: [blankEntry(0)], markets: "" }
    const sent = read(JSON.parse(JSON.stringify(ruleOf(draft))))
    expect(Either.isLeft(sent)).toBe(true)
    for (const times of ["byu 0 9 * * 1", "0 9 * * 1", "buy 0 9 * * 1 UTC UTC"])
      expect(Either.isLeft(read(ruleOf({ ...draftOf(RULE), times })))).toBe(true)
    expect(ruleOf(draft).params).toEqual({ fast: Number.NaN, slow: Number.NaN })
  })
})
