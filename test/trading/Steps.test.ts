// Steps and the stop at break even: what a back-test sells and when, and what becomes of them with real money.
import { describe, expect, test } from "bun:test"
import * as Schema from "effect/Schema"
import { BotState } from "../../src/domain/Bot.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { Order } from "../../src/domain/Order.ts"
import type { Settings } from "../../src/domain/Strategy.ts"
import type { BotAlert, Decision } from "../../src/trading/Decision.ts"
import { explain } from "../../src/trading/Notes.ts"
import { Live, SPOT, SWAP } from "./live.ts"
import { alert, type Given, market, run, settings } from "./scenario.ts"

const STEPS: Partial<Settings> = {
  takeProfitSteps: [
    { profitPercent: 2, closePercent: 40 },
    { profitPercent: 4, closePercent: 30 },
    { profitPercent: 8, closePercent: 30 }
  ]
}

const sold = (given: Given) =>
  run(given).trades.flatMap(({ exitFills = [], exitPrice, exitReason, quantity }) =>
    exitFills.length === 0
      ? [`${Decimal.toText(quantity)}@${exitPrice} ${exitReason}`]
      : exitFills.map(({ price, quantity, reason }) => `${Decimal.toText(quantity)}@${price} ${reason}`)
  )

const FLAT = [100, 100, 100, 100] as const
const given = (
  over: Partial<Settings>,
  ...candles: ReadonlyArray<readonly [number, number, number, number]>
) => ({
  settings: over,
  candles: [FLAT, ...candles],
  alerts: [alert(1, "buy")]
})

describe("steps", () => {
  test("sell their shares of all that was bought, in order, several in one candle", () => {
    expect(sold(given(STEPS, [100, 109, 99, 105]))).toEqual([
      "40@102 take_profit",
      "30@104 take_profit",
      "30@108 take_profit"
    ])
  })

  test("are told with their number, their profit and their part", () => {
    const live = new Live(settings({ buyPercent: 10, minProfitPercent: 1, ...STEPS }))
    live.quote(SPOT, 100).alert("buy")
    live.fillAll()
    const words = (price: number) => {
      const { notes } = live.tick(SPOT, price)
      live.fillAll()
      return notes.map(explain)
    }
    expect(words(102)).toEqual([
      "Ordered to sell 4 BTC on BTC/USDT at 102, 40 % of the position: step 1 of 3 at 2 % profit (from 102); at that price 2 % profit after fees, average 100; 6 BTC are left."
    ])
    live.alert("buy", { tps: [{ price: 110, percent: 100 }] })
    expect(words(110)).toEqual([
      "Ordered to sell 6 BTC on BTC/USDT at 110: target 1 of 1 of the alert's ladder (from 110); at that price 10 % profit after fees, average 100."
    ])
  })

  test("take the place of the minimum profit, with a trailing sell beside them", () => {
    const trailing = { ...STEPS, minProfitPercent: 1, trailingSell: { armPercent: 3, percent: 1 } }
    expect(sold(given(trailing, [100, 103.5, 99, 103.5], [103.5, 103.5, 90, 90]))).toEqual([
      "40@102 take_profit",
      `60@${103.5 * 0.99} trailing_sell`
    ])
  })

  test("that are too small are left out, and the next one sells their share too", () => {
    const small = {
      takeProfitSteps: [
        { profitPercent: 1, closePercent: 3 },
        { profitPercent: 2, closePercent: 20 }
      ]
    }
    const [candles, alerts] = [
      [FLAT, [100, 105, 99, 104] as const, [104, 104, 104, 104] as const],
      [alert(1, "buy"), alert(2, "sell")]
    ]
    expect(sold({ settings: small, candles, alerts, market: { minCost: "500" } })).toEqual([
      "23@102 take_profit",
      "77@104 signal"
    ])
  })

  test("close all where the rest would be too small", () => {
    const most = { takeProfitSteps: [{ profitPercent: 2, closePercent: 98 }] }
    expect(sold({ ...given(most, [100, 103, 99, 103]), market: { minCost: "500" } })).toEqual([
      "100@102 take_profit"
    ])
  })

  test("move the stop to break even, fees included, and the trade says so", () => {
    const guarded = {
      ...STEPS,
      breakEvenAfter: 1,
      stopLoss: { percent: 10 },
      takerFeePercent: 0.1,
      makerFeePercent: 0.1
    }
    const fills = sold(given(guarded, [100, 103, 99, 103], [103, 103, 95, 96]))
    expect(fills.map((text) => text.split(" ")[1])).toEqual(["take_profit", "break_even"])
    const [trade] = run(given(guarded, [100, 103, 99, 103], [103, 103, 95, 96])).trades
    expect(trade?.exitReason).toBe("break_even")
    const rest = trade?.exitFills?.[1]
    const entry = 100 * 1.001
    expect(((rest?.price ?? 0) * 0.999) / entry).toBeCloseTo(1, 10)
  })

  test("do not move the stop where a nearer one holds", () => {
    const near = { ...STEPS, breakEvenAfter: 1 }
    const held = {
      ...given(near, [100, 103, 99.5, 103], [103, 103, 95, 96]),
      alerts: [alert(1, "buy", { sl: 99 })]
    }
    expect(sold(held).at(-1)).toBe("60@100 break_even")
    const raised = { ...held, alerts: [...held.alerts, alert(2, "buy", { sl: 101 })] }
    expect(sold(raised).at(-1)).toBe("60@101 sl")
  })
})

describe("a stop at break even under new settings", () => {
  const bought = (breakEvenAfter: number) => {
    const takeProfitSteps = [1, 50].map((profitPercent) => ({ profitPercent, closePercent: 20 }))
    const chosen = (after: number) => settings({ buyPercent: 10, takeProfitSteps, breakEvenAfter: after })
    const live = new Live(chosen(breakEvenAfter))
    live.quote(SPOT, 100).alert("buy")
    live.fillAll()
    live.tick(SPOT, 101, 1)
    live.fillAll()
    const tell = (after: number) => {
      live.chosen = chosen(after)
      return live.decide({ _tag: "SettingsChanged" })
    }
    return { live, tell }
  }

  test("that want more steps waits for them, and then until the price is beyond it", () => {
    const { live, tell } = bought(1)
    expect(live.slot()?.position?.breakEven).toBe(true)
    tell(2)
    live.tick(SPOT, 90, 2)
    live.alert("buy", { tps: [{ price: 91, percent: 20 }] })
    expect(listed(live.tick(SPOT, 91, 3))).toEqual(["sell limit 1.6@91 tp"])
    expect(live.fillAll().map(({ exitReason }) => exitReason)).toEqual(["tp"])
    expect(listed(live.tick(SPOT, 99, 4))).toEqual([])
    live.tick(SPOT, 100.01, 5)
    expect(listed(live.tick(SPOT, 100, 6))).toEqual(["sell market 6.4@100 break_even"])
  })

  test("that want fewer steps is there at once where the price is beyond it", () => {
    const { live, tell } = bought(2)
    expect(listed(live.tick(SPOT, 100, 2))).toEqual([])
    tell(1)
    expect(live.slot()?.position?.breakEven).toBeUndefined()
    live.tick(SPOT, 101, 3)
    expect(listed(live.tick(SPOT, 100, 4))).toEqual(["sell market 8@100 break_even"])
  })
})

const listed = ({ cancels, orders }: Decision) => [
  ...cancels.map(({ price }) => `take back ${price}`),
  ...orders.map(
    ({ exitReason, price, quantity, side, type }) =>
      `${side} ${type} ${Decimal.toText(quantity)}@${price} ${exitReason}`
  )
]
const there = (order: Order | undefined): Order => {
  if (order === undefined) throw new Error("there is no such order")
  return order
}
const stored = Schema.encodeSync(BotState)
const read = Schema.decodeUnknownSync(BotState)

/** A bot with real money, 10 at 100 and a stop at 95, restarted after each event. */
const armed = (
  over: Partial<Settings> = { stopLoss: { percent: 5 }, breakEvenAfter: 1 },
  short = false,
  targets: Partial<BotAlert> = {}
) => {
  const chosen = settings({ buyPercent: 10, ...STEPS, ...over })
  const live = new Live(chosen, (id) => market(id)).arm({ protect: true })
  const id = short ? SWAP : SPOT
  live.quote(id, 100).alert(short ? "short" : "buy", targets)
  const restarted = () => {
    live.state = read(JSON.parse(JSON.stringify(stored(live.state))))
    return live
  }
  live.part(there(live.slot(id)?.order), "10", 100, true)
  return { live, restarted, slot: () => live.slot(id), id }
}

describe("with real money", () => {
  test("a step takes the stop back, sells its part, and the stop follows: smaller, and at break even", () => {
    const { id, restarted, slot } = armed()
    expect(listed(restarted().tick(id, 102, 1))).toEqual(["take back 95"])
    expect(listed(restarted().end(there(slot()?.stop)))).toEqual(["sell limit 4@102 take_profit"])
    const filled = restarted().part(there(slot()?.order), "4", 102, true)
    expect(listed(filled)).toEqual(["sell stop 6@100 break_even"])
    expect(filled.notes.map(explain)).toContain(
      "The stop of BTC/USDT is at break even from here: at 100 closing the rest would neither win nor lose."
    )
    // The next step, and not the first once more.
    restarted().tick(id, 104, 2)
    expect(listed(restarted().end(there(slot()?.stop)))).toEqual(["sell limit 3@104 take_profit"])
  })

  test("a short mirrors it", () => {
    const { id, restarted, slot } = armed(undefined, true)
    restarted().tick(id, 98, 1)
    expect(listed(restarted().end(there(slot()?.stop)))).toEqual(["buy limit 4@98 take_profit"])
    expect(listed(restarted().part(there(slot()?.order), "4", 98, true))).toEqual([
      "buy stop 6@100 break_even"
    ])
  })

  test("a step that fills in part is done, and what it left goes with the later ones", () => {
    const { id, restarted, slot } = armed({})
    restarted().tick(id, 102, 1)
    const order = there(slot()?.order)
    restarted().part(order, "1", 102, false)
    expect(slot()?.position?.stepsDone).toBe(1)
    restarted().end(order)
    expect(listed(restarted().tick(id, 103, 2))).toEqual([])
    expect(listed(restarted().tick(id, 104, 3))).toEqual(["sell limit 3@104 take_profit"])
    restarted().part(there(slot()?.order), "3", 104, true)
    expect(listed(restarted().tick(id, 108, 4))).toEqual(["sell limit 6@108 take_profit"])
  })

  test.each([
    ["the strategy's steps", {}, {}, "take_profit"],
    [
      "a ladder",
      { minProfitPercent: 90 },
      {
        tps: [
          { price: 102, percent: 40 },
          { price: 108, percent: 60 }
        ]
      },
      "tp"
    ]
  ])(
    "the last of %s, which closes all, is due until nothing is left, however little of it fills",
    (_, over, targets, reason) => {
      const { id, restarted, slot } = armed({ ...over }, false, targets)
      for (const [minute, price] of [102, 104].entries()) {
        restarted().tick(id, price, minute + 1)
        const order = slot()?.order
        if (order !== undefined) restarted().part(order, Decimal.toText(order.quantity), price, true)
      }
      const left = Decimal.toText(slot()?.position?.quantity ?? Decimal.zero)
      restarted().tick(id, 108, 3)
      const order = there(slot()?.order)
      restarted().part(order, "0.001", 108, false)
      restarted().end(order)
      const rest = Decimal.toText(Decimal.subtract(order.quantity, Decimal.unsafeFromText("0.001")))
      expect(left).toBe(Decimal.toText(order.quantity))
      expect(listed(restarted().tick(id, 109, 4))).toEqual([`sell limit ${rest}@108 ${reason}`])
      const done = restarted().part(there(slot()?.order), rest, 109, true)
      expect(done.trades.map(({ exitReason }) => `${exitReason}`)).toEqual([reason])
    }
  )

  test("a rejected step waits, and is decided again while its level is met", () => {
    const { id, live, restarted, slot } = armed({})
    restarted().tick(id, 102, 1)
    restarted().end(there(slot()?.order), "Rejected")
    expect(slot()?.position?.stepsDone).toBeUndefined()
    expect(listed(restarted().tick(id, 102.5))).toEqual([])
    expect(listed(restarted().tick(id, 102.5, 2))).toEqual(["sell limit 4@102 take_profit"])
    expect(live.slot(id)?.order?.step).toBe(1)
  })
})
