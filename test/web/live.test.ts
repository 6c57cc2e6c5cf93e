// The page's data for trading with real money: terms, confirmation, losses and orders.
import { describe, expect, test } from "bun:test"
import { OrderStatus } from "../../src/domain/Order.ts"
import { BLANK, type Draft, isNamed, termsOf } from "../../src/web/page/strategy/arming/draft.ts"
import { lossText } from "../../src/web/page/strategy/arming/loss.ts"
import { feesOf, type Order, purposeOf, shortId, statusOf } from "../../src/web/page/strategy/orders.ts"
import { type Entry, groupOf, toneOf } from "../../src/web/page/strategy/timeline.ts"

const typed = (more: Partial<Draft>): Draft => ({
  account: "3",
  capital: "500",
  max_order: "120",
  max_daily_loss: "25",
  protective_stop: true,
  ...more
})

describe("the terms of arming", () => {
  test("are what was typed, and nothing else", () =>
    expect(termsOf(typed({ capital: " 1,000,000.5 ", max_order: "0,5" }))).toEqual({
      terms: {
        account: 3,
        capital: 1_000_000.5,
        max_order: 0.5,
        max_daily_loss: 25,
        protective_stop: true
      }
    }))
  test("have no defaults, and each missing one is reported", () =>
    expect(termsOf(BLANK)).toEqual({
      errors: {
        account: ["choose the account to trade with"],
        capital: ["is required"],
        max_order: ["is required"],
        max_daily_loss: ["is required"]
      }
    }))
  test.each(["0", "-5", "much", "1e999", "1,000", "  "])("do not accept %p as an amount", (text) => {
    for (const name of ["capital", "max_order", "max_daily_loss"] as const)
      expect(termsOf(typed({ [name]: text }))).toEqual({ errors: { [name]: [expect.any(String)] } })
  })
  test("explain an amount that could be read in two ways", () =>
    expect(termsOf(typed({ capital: "10,000" }))).toEqual({
      errors: {
        capital: [
          "must be an amount above 0 and at most 1e12; 10,000 could be 10000 or 10: write the one that you mean"
        ]
      }
    }))
})

test("the typed name must match, except for spaces", () => {
  expect(isNamed("  Trend   follower ", "Trend follower")).toBe(true)
  expect(isNamed("e\u0301t\u00e9", "\u00e9te\u0301")).toBe(true)
  for (const other of ["", "trend follower", "Trend", "Trend follower 2"])
    expect([other, isNamed(other, "Trend follower")]).toEqual([other, false])
})

test("today's loss is shown with its limit", () => {
  expect(lossText(14.2, 25, "USDT")).toBe("14.20 USDT of 25.00 USDT")
  expect(lossText(0, 25, "USDT")).toBe("nothing; daily limit 25.00 USDT")
  expect(lossText(-3.2, 25, "USDT")).toBe("nothing, up by 3.20 USDT; daily limit 25.00 USDT")
  expect(lossText(null, 25, "USDT")).toBe("unknown without prices; daily limit 25.00 USDT")
})

const fill = (fee_amount: number, fee_asset: string): Order["fills"][number] => ({
  ...{ id: "1", at: 1, quantity: 1, price: 1, fee: 1 },
  fee_amount,
  fee_asset
})

describe("an order in the list", () => {
  test("stands out while its status is unknown", () => {
    const tones = OrderStatus.literals.map((status) => [status, statusOf({ status })[0]] as const)
    expect(tones.filter(([, tone]) => tone === "alarm")).toEqual([["unknown", "alarm"]])
    for (const status of OrderStatus.literals) expect(statusOf({ status })[1]).toMatch(/^[a-z ]+$/)
  })
  test("is named a stop, not an exit, while it rests as one", () => {
    expect(purposeOf({ purpose: "exit", type: "stop" })).toBe("Protective stop")
    expect(purposeOf({ purpose: "exit", type: "limit" })).toBe("Exit")
    expect(purposeOf({ purpose: "dca", type: "market" })).toBe("DCA")
  })
  test("adds up its fees by asset", () =>
    expect(feesOf({ fills: [fill(0.25, "BNB"), fill(0.1, "BTC"), fill(0.5, "BNB")] })).toEqual([
      ["BNB", 0.75],
      ["BTC", 0.1]
    ]))
  test("is shown by the start of its client id", () => {
    expect(shortId("9f86d081884c7d659a2feaa0c55ad015")).toBe("9f86d081…")
    expect(shortId("short")).toBe("short")
  })
})

test("each event of real money has a name and a colour in the timeline", () => {
  const line = (rule: string): Entry => ({
    ...{ id: 1, at: 1, alert_id: null, reason: null, text: "", facts: {} },
    rule
  })
  const told = ["armed", "disarmed", "back_on_paper", "halted", "resumed", "daily_loss", "astray", "found"]
  for (const rule of [...told, "written_off"]) {
    expect([rule, groupOf(line(rule))]).not.toEqual([rule, "Note"])
    expect([rule, toneOf(line(rule))]).not.toEqual([rule, "quiet"])
  }
  expect(groupOf(line("stop_placed"))).toBe("Stop")
})
