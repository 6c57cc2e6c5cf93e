import { describe, expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import * as Decimal from "../../src/domain/Decimal.ts"
import { marketKey } from "../../src/domain/Market.ts"
import { ofLast } from "../../src/domain/Ticker.ts"
import { type Level, levelsOf } from "../../src/trading/rules/Levels.ts"
import { type Window, windowOf } from "../../src/trading/Watch.ts"
import { Live, SPOT, SWAP } from "./live.ts"
import { BTC, MINUTE, settings } from "./scenario.ts"
import { world } from "./world.ts"

const all = (live: Live, id = SPOT): ReadonlyArray<Level> => {
  const slot = live.state.slots[marketKey(id)]
  return slot === undefined ? [] : levelsOf(live.context, live.state, slot, live.context.quote(id))
}

/** Rules with their prices to 6 places, and the minute from which they act. */
const told = (live: Live, id = SPOT) =>
  all(live, id).map(
    ({ from, price, rule }) =>
      `${rule} ${Number(price.toFixed(6))}${from === undefined ? "" : ` from ${from / MINUTE}`}`
  )

const bought = (chosen: Parameters<typeof settings>[0], type: "buy" | "long" | "short" = "buy") => {
  const live = new Live(settings({ takerFeePercent: 0, makerFeePercent: 0, ...chosen }))
  for (const id of [SPOT, SWAP]) live.quote(id, 100)
  live.alert(type)
  live.fillAll()
  return live
}

describe("the levels of a slot", () => {
  test("contain the stop, the target and a DCA entry that waits", () => {
    const dca = { waitMinutes: 30, maxRetries: 2, triggerPercent: 3, orderSizePercent: 100 }
    const live = bought({ stopLoss: { percent: 5 }, minProfitPercent: 10, dca })
    expect(told(live)).toEqual(["stop_loss 95", "take_profit 110", "dca 97 from 30"])
    live.now = 30 * MINUTE
    expect(told(live)).toEqual(["stop_loss 95", "take_profit 110", "dca 97"])
  })

  test("show every step to come with what it closes, and go on with the next one", () => {
    const takeProfitSteps = [
      { profitPercent: 2, closePercent: 40 },
      { profitPercent: 4, closePercent: 30 },
      { profitPercent: 8, closePercent: 30 }
    ]
    const live = bought({ takeProfitSteps, breakEvenAfter: 1 })
    const shown = () =>
      all(live).map(({ price, rule, step }) => [
        rule,
        Number(price.toFixed(6)),
        ...(step === undefined
          ? []
          : [step.number, step.count, Decimal.toText(step.quantity), step.closesAll])
      ])
    expect(shown()).toEqual([
      ["take_profit", 102, 1, 3, "40", false],
      ["take_profit", 104, 2, 3, "30", false],
      ["take_profit", 108, 3, 3, "30", true]
    ])
    live.tick(SPOT, 102)
    live.fillAll()
    expect(shown()).toEqual([
      ["break_even", 100],
      ["take_profit", 104, 2, 3, "30", false],
      ["take_profit", 108, 3, 3, "30", true]
    ])
  })

  test("are the same without a price", () => {
    const live = bought({ stopLoss: { percent: 5 }, minProfitPercent: 10 })
    const slot = live.state.slots[marketKey(SPOT)]
    const blind = slot === undefined ? [] : levelsOf(live.context, live.state, slot, undefined)
    expect(blind).toEqual(all(live))
  })

  test("omit a DCA entry that can never come", () => {
    const dca = { waitMinutes: 30, maxRetries: 2, triggerPercent: 3, orderSizePercent: 100 }
    const live = bought({ dca })
    live.chosen = settings({ ...live.chosen, active: false })
    expect(told(live)).toEqual([])
  })

  test("show a trail where it arms, then where it turns, then the profit it waits for", () => {
    const live = bought({ trailingSell: { armPercent: 4, percent: 1 }, minProfitPercent: 3.5 })
    expect(told(live)).toEqual(["trailing_arm 104"])
    live.tick(SPOT, 106)
    expect(told(live)).toEqual(["trailing_sell 104.94"])
    live.tick(SPOT, 103)
    expect(told(live)).toEqual(["trailing_sell 103.5"])
  })

  test("show an alert's targets in place of the rules, and the liquidation of a short", () => {
    const live = bought({ stopLoss: { percent: 5 }, minProfitPercent: 10 }, "short")
    expect(told(live, SWAP)).toEqual(["liquidation 200", "stop_loss 105", "take_profit 90"])
    live.alert("short", { tp: 80, sl: 120 })
    expect(told(live, SWAP)).toEqual(["liquidation 200", "sl 120", "tp 80"])
  })

  test("show where an armed entry enters, from the best price so far", () => {
    const live = new Live(settings({ trailingBuy: { percent: 2 } }))
    live.quote(SPOT, 100)
    live.alert("buy")
    live.tick(SPOT, 90)
    expect(told(live)).toEqual(["trailing_buy 91.8"])
  })

  test("are empty while an order is in flight", () => {
    const live = bought({ stopLoss: { percent: 5 } })
    live.tick(SPOT, 94)
    expect(live.state.slots[marketKey(SPOT)]?.order).toBeDefined()
    expect(told(live)).toEqual([])
  })
})

/** A bot that a world has been going through for a while. */
const lived = (seed: number, length: number): Live => {
  const { backtest } = world(seed, 1)
  const { balanceStopLoss: _, balanceTakeProfit: __, ...chosen } = backtest.settings
  const live = new Live(chosen, backtest.market)
  const alerts = [...backtest.alerts].sort((left, right) => left.at - right.at)
  const columns = backtest.series[0]?.columns
  for (let row = 0; row < Math.min(length, columns?.length ?? 0); row++) {
    live.now = columns?.at[row] ?? 0
    for (const id of [SPOT, SWAP]) {
      live.quote(id, columns?.open[row] ?? 1)
      live.decide({ _tag: "Price", market: id, rules: "all" })
      live.fillAll()
    }
    while ((alerts[0]?.at ?? Number.POSITIVE_INFINITY) <= live.now) {
      const next = alerts.shift()
      if (next?.pair === BTC) live.alert(next.type, next)
      live.fillAll()
    }
  }
  return live
}

/**
 * Whether a level is met already, as that of an averaging entry for which cash came free since: whatever comes next is
 * looked at.
 */
const isOutside = (price: number, { above, below }: Pick<Window, "above" | "below">) =>
  price <= below || price >= above

const worlds = FastCheck.record({
  seed: FastCheck.integer({ min: 1, max: 1_000_000 }),
  length: FastCheck.integer({ min: 10, max: 200 })
})

test("the nearest levels are the bounds of the bot's own watch window", () => {
  let seen = 0
  FastCheck.assert(
    FastCheck.property(worlds, ({ length, seed }) => {
      const live = lived(seed, length)
      for (const id of [SPOT, SWAP]) {
        const slot = live.state.slots[marketKey(id)]
        const ticker = live.context.quote(id)
        if (slot === undefined || slot.order !== undefined || ticker === undefined) continue
        const { above, below, trail } = windowOf(live.context, live.state, slot)
        const close = ticker.last
        if (slot.position === undefined || isOutside(close, { above, below })) continue
        // A DCA that waits bounds the window too, unless the price is at its level already.
        const isAhead = (price: number) => (slot.position?.side === "long" ? price < close : price > close)
        const own = all(live, id).filter(
          ({ from, price, rule }) =>
            (from === undefined || isAhead(price)) && !(rule === "trailing_sell" && trail !== undefined)
        )
        const lows = own.filter(({ price }) => price < close).map(({ price }) => price)
        const highs = own.filter(({ price }) => price > close).map(({ price }) => price)
        if (lows.length > 0) expect(below / Math.max(...lows)).toBeCloseTo(1, 9)
        if (highs.length > 0) expect(above / Math.min(...highs)).toBeCloseTo(1, 9)
        seen += own.length
      }
    }),
    { numRuns: 150 }
  )
  expect(seen).toBeGreaterThan(50)
})

test("the bot acts at a level, and not just before the nearest one", () => {
  let acted = 0
  FastCheck.assert(
    FastCheck.property(worlds, ({ length, seed }) => {
      const live = lived(seed, length)
      for (const id of [SPOT, SWAP]) {
        const close = live.context.quote(id)?.last ?? 0
        const now = all(live, id).filter(({ from }) => from === undefined)
        const distance = ({ price }: Level) => Math.abs(Math.log(price / close))
        const [nearest] = [...now].sort((left, right) => distance(left) - distance(right))
        const slot = live.state.slots[marketKey(id)]
        if (slot === undefined || nearest === undefined || distance(nearest) < 1e-6) continue
        const before = live.state
        if (isOutside(close, windowOf(live.context, before, slot))) {
          expect(live.decide({ _tag: "Price", market: id, rules: "all" }).notes.length).toBeGreaterThan(0)
          live.state = before
          continue
        }
        const half = ofLast(Math.sqrt(nearest.price * close), live.now)
        live.quote(id, half)
        expect(live.decide({ _tag: "Price", market: id, rules: "all" }).orders).toEqual([])
        live.state = before
        live.quote(id, nearest.price)
        const { notes, orders } = live.decide({ _tag: "Price", market: id, rules: "all" })
        expect(orders.length + notes.length).toBeGreaterThan(0)
        live.state = before
        live.quote(id, close)
        acted++
      }
    }),
    { numRuns: 150 }
  )
  expect(acted).toBeGreaterThan(30)
})
