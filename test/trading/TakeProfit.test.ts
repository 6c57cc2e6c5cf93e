import { describe, expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import * as Decimal from "../../src/domain/Decimal.ts"
import { marketKey } from "../../src/domain/Market.ts"
import type { PositionSide } from "../../src/domain/Order.ts"
import type { Trade } from "../../src/domain/Trade.ts"
import type { Decision } from "../../src/trading/Decision.ts"
import { explain } from "../../src/trading/Notes.ts"
import type { Approved } from "../../src/trading/Risk.ts"
import { levelsOf } from "../../src/trading/rules/Levels.ts"
import { leaves, watch } from "../../src/trading/Watch.ts"
import { Live, SPOT, SWAP } from "./live.ts"
import { settings } from "./scenario.ts"

// The adversary: an exchange whose taker fee is far above its maker fee, as Coinbase's is.
const COINBASE = { makerFeePercent: 0.6, takerFeePercent: 1.2 }

interface Case {
  readonly side: PositionSide
  readonly isLive: boolean
  readonly profit: number
  readonly fees: { readonly makerFeePercent: number; readonly takerFeePercent: number }
}

/** A position entered at 100 that waits for its minimum profit. */
const held = ({ fees, isLive, profit, side }: Case) => {
  const bot = new Live(settings({ ...fees, buyPercent: 10, minProfitPercent: profit }))
  if (isLive) bot.arm()
  const id = side === "long" ? SPOT : SWAP
  bot.quote(id, 100).alert(side === "long" ? "buy" : "short")
  pay(bot, bot.decisions[0])
  return { bot, id }
}

/** What an exchange makes of orders with real money: all pay the taker fee, a limit at the price that it asks for. */
const pay = (bot: Live, decision: Decision | undefined): void => {
  for (const order of decision?.orders ?? []) {
    const paid = Decimal.multiply(order.quantity, Decimal.fromNumber(order.price))
    const fee = Decimal.multiply(paid, feeOf(bot, order))
    bot.part(order, Decimal.toText(order.quantity), order.price, true, Decimal.toText(fee))
  }
}
const feeOf = (bot: Live, order: Approved) => {
  const { maker, taker } = bot.context.fees(order)
  return order.type === "limit" && order.live === undefined ? maker : taker
}

const tradeOf = (bot: Live): Trade => {
  const [trade] = bot.decisions.flatMap(({ trades }) => trades)
  if (trade === undefined) throw new Error("nothing was closed")
  return trade
}
const levelOf = (bot: Live, id: typeof SPOT) => {
  const slot = bot.state.slots[marketKey(id)]
  const levels = slot === undefined ? [] : levelsOf(bot.context, bot.state, slot, bot.context.quote(id))
  return levels.find(({ rule }) => rule === "take_profit")?.price ?? Number.NaN
}

describe("a take profit makes its promised profit after the fee of its order", () => {
  test("armed: a take profit of half a percent makes half a percent", () => {
    const { bot, id } = held({ side: "long", isLive: true, profit: 0.5, fees: COINBASE })
    // 101.2 x 1.005 / 0.988 = 102.9413..., rounded up to the step of a cent
    expect(levelOf(bot, id)).toBe(102.95)
    expect(bot.tick(id, 102.94).orders).toEqual([])
    const sold = bot.tick(id, 102.95)
    expect(sold.orders.map(({ price, type }) => `${type} ${price}`)).toEqual(["limit 102.95"])
    expect(sold.notes.map(explain)[0]).toContain(
      "minimum profit reached, 0.5 % (from 102.95); at that price 0.51 % profit after fees"
    )
    pay(bot, sold)
    expect(tradeOf(bot).profitPercent).toBeGreaterThanOrEqual(0.5)
  })

  test("on paper the order rests and pays the maker fee, so it sells at a lower price", () => {
    const { bot, id } = held({ side: "long", isLive: false, profit: 0.5, fees: COINBASE })
    // 101.2 x 1.005 / 0.994 = 102.3199...
    expect(levelOf(bot, id)).toBe(102.32)
    pay(bot, bot.tick(id, 102.32))
    expect(tradeOf(bot).profitPercent).toBeCloseTo(0.5, 3)
  })

  test("an armed short buys back at a lower price", () => {
    const { bot, id } = held({ side: "short", isLive: true, profit: 0.5, fees: COINBASE })
    // (200 - 101.2 x 1.005) / 1.012 = 97.1284..., rounded down
    expect(levelOf(bot, id)).toBe(97.12)
    pay(bot, bot.tick(id, 97.12))
    expect(tradeOf(bot).profitPercent).toBeGreaterThanOrEqual(0.5)
  })

  test("the exit of a bot that is being disarmed still counts as live", () => {
    const { bot, id } = held({ side: "long", isLive: true, profit: 0.5, fees: COINBASE })
    bot.decide({ _tag: "Disarmed", close: false, forget: false })
    expect(levelOf(bot, id)).toBe(102.95)
  })

  test("whatever the fees, side and mode, the profit is never less and never a step late, and the window has its level", () => {
    const fee = FastCheck.integer({ min: 0, max: 1_000 }).map((hundredths) => hundredths / 100)
    FastCheck.assert(
      FastCheck.property(
        FastCheck.record({
          side: FastCheck.constantFrom<PositionSide>("long", "short"),
          isLive: FastCheck.boolean(),
          profit: FastCheck.integer({ min: 1, max: 2_000 }).map((hundredths) => hundredths / 100),
          fees: FastCheck.record({ makerFeePercent: fee, takerFeePercent: fee })
        }),
        (one) => {
          const { bot, id } = held(one)
          const level = levelOf(bot, id)
          // A short cannot make what would take a price below zero.
          if (!(level > 0)) return
          const before = one.side === "long" ? level - 0.01 : level + 0.01
          const window = watch(bot.context, bot.state).get(marketKey(id))
          const at = (price: number) => ({ bid: price, ask: price, last: price, at: bot.now })
          expect(window !== undefined && leaves(window, at(before), bot.now)).toBe(false)
          expect(window !== undefined && leaves(window, at(level), bot.now)).toBe(true)
          expect(bot.tick(id, Number(before.toFixed(2))).orders).toEqual([])
          const sold = bot.tick(id, level)
          expect(sold.orders.map(({ exitReason }) => exitReason)).toEqual(["take_profit"])
          const [note] = sold.notes
          pay(bot, sold)
          const { profitPercent } = tradeOf(bot)
          expect(profitPercent).toBeGreaterThanOrEqual(one.profit - 1e-9)
          expect(note?.numbers?.["profit percent"]).toBeCloseTo(profitPercent, 6)
        }
      ),
      { numRuns: 300 }
    )
  })
})
