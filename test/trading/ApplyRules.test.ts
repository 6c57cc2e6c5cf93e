import { describe, expect, test } from "bun:test"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { MarketId } from "../../src/domain/Market.ts"
import type { Decision } from "../../src/trading/Decision.ts"
import { Live, SPOT, SWAP } from "./live.ts"
import { BTC, ETH, MINUTE, settings } from "./scenario.ts"

// Each rule is looked at over all slots before the next, at an event that concerns several: the time, new settings, a
// start after prices went on without us.

const ordered = ({ orders }: Decision) =>
  orders.map(({ exitReason, kind, pair, price }) => `${pair} ${kind} ${exitReason} ${price}`)
const noted = ({ notes }: Decision) => notes.map(({ reason, rule }) => `${rule} ${reason ?? ""}`.trim())

/** 30 BTC sold at 100 on the perpetual, then 11.526315 bought at 190 on spot: 4,810.00015 USDT are left. */
const hedged = (over: Parameters<typeof settings>[0] = {}) => {
  const bot = new Live(settings({ buyPercent: 30, ...over }))
  bot.quote(SWAP, 100).alert("short")
  bot.fillAll()
  bot.quote(SWAP, 190).quote(SPOT, 190).alert("buy")
  bot.fillAll()
  return bot
}

describe("an event that concerns all slots", () => {
  test("liquidates first and checks the balance stop loss on the rest", () => {
    const bot = hedged({ balanceStopLoss: { triggerPercent: 50, cooldownMinutes: 0 } })
    bot.now = MINUTE
    bot.quote(SPOT, 400).quote(SWAP, 400)
    // 3,420 with the loss beyond the margin, 9,420 without it
    expect(ordered(bot.decide({ _tag: "Time" }))).toEqual(["BTC/USDT swap liquidation 400"])
    bot.fillAll()
    expect([bot.slot(SWAP)?.position, bot.state.closing]).toEqual([undefined, undefined])
    expect(bot.slot(SPOT)?.position).toBeDefined()
  })

  test("closes the rest in the same decision if the stop loss holds on it too", () => {
    const bot = hedged({ balanceStopLoss: { triggerPercent: 50, cooldownMinutes: 0 } })
    bot.now = MINUTE
    bot.quote(SPOT, 10).quote(SWAP, 400)
    const decision = bot.decide({ _tag: "Time" })
    expect(ordered(decision)).toEqual(["BTC/USDT swap liquidation 400", "BTC/USDT spot balance_stop_loss 10"])
    expect(noted(decision)).toEqual(["closed liquidation", "balance_stop_loss"])
    bot.fillAll()
    // 4,810.00015 + 11.526315 x 10
    expect([Decimal.toText(bot.state.cash), Decimal.toText(bot.state.baseline)]).toEqual([
      "4925.2633",
      "4925.2633"
    ])
  })

  test("the price of one market liquidates other positions before a balance rule closes everything", () => {
    const bot = hedged({ balanceStopLoss: { triggerPercent: 50, cooldownMinutes: 0 } })
    bot.now = MINUTE
    bot.quote(SWAP, 400)
    expect(ordered(bot.tick(SPOT, 190))).toEqual(["BTC/USDT swap liquidation 400"])
  })

  test("while everything is closed, a position whose exit was rejected is liquidated once its margin is lost", () => {
    const bot = new Live(
      settings({ buyPercent: 30, balanceStopLoss: { triggerPercent: 10, cooldownMinutes: 0 } })
    ).arm()
    bot.quote(SWAP, 100).alert("short")
    bot.fillAll()
    const [order] = bot.tick(SWAP, 150).orders
    expect(order?.exitReason).toBe("balance_stop_loss")
    if (order === undefined) return
    bot.end(order, "Rejected")
    expect(ordered(bot.tick(SWAP, 250, 1))).toEqual(["BTC/USDT swap liquidation 250"])
  })

  test("applies the rules in sequence, and each rule to the slots in the strategy's sequence", () => {
    const bot = new Live(settings({ buyPercent: 20, stopLoss: { percent: 5 }, autoClose: { minutes: 1 } }))
    const eth: MarketId = { exchange: "binance", pair: ETH, kind: "spot" }
    for (const id of [SPOT, SWAP, eth]) bot.quote(id, 100)
    for (const [type, pair] of [
      ["buy", ETH],
      ["long", BTC],
      ["buy", BTC]
    ] as const) {
      bot.alert(type, { pair })
      bot.fillAll()
    }
    bot.now = MINUTE
    bot.quote(SWAP, 94)
    expect(ordered(bot.decide({ _tag: "Time" }))).toEqual([
      "BTC/USDT swap stop_loss 94",
      "BTC/USDT spot auto_close 100",
      "ETH/USDT spot auto_close 100"
    ])
  })
})
