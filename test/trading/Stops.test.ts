import { describe, expect, test } from "bun:test"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { MarketId } from "../../src/domain/Market.ts"
import type { Order } from "../../src/domain/Order.ts"
import * as Bot from "../../src/trading/Bot.ts"
import type { Decision } from "../../src/trading/Decision.ts"
import { watch } from "../../src/trading/Watch.ts"
import { Live, SPOT, SWAP } from "./live.ts"
import { MINUTE, market, settings } from "./scenario.ts"

type Over = Parameters<typeof settings>[0]
const told = ({ cancels, notes, orders }: Decision) => [
  ...notes.map(({ reason, rule }) => `${rule} ${reason ?? ""}`.trim()),
  ...cancels.map(({ price }) => `take back ${price}`),
  ...orders.map(({ exitReason, price, purpose, quantity, side, type }) =>
    `${purpose} ${side} ${type} ${Decimal.toText(quantity)}@${price} ${exitReason ?? ""}`.trim()
  )
]
const there = (order: Order | undefined): Order => {
  if (order === undefined) throw new Error("there is no such order")
  return order
}

/** A live bot with a stop at the exchange, and a position of 10 at 100. */
const guarded = (over: Over = {}, steps: Parameters<typeof market>[1] = {}, id: MarketId = SPOT) => {
  const chosen = settings({ buyPercent: 10, stopLoss: { percent: 5 }, ...over })
  const live = new Live(chosen, (id) => market(id, steps)).arm({ protect: true })
  live.quote(id, 100).alert(id === SPOT ? "buy" : "short")
  const filled = live.part(there(live.slot(id)?.order), "10", 100, true)
  return { live, filled, stop: () => there(live.slot(id)?.stop) }
}

describe("a protective stop at the exchange", () => {
  test("is placed once the position is open, at the level and on the market's steps", () => {
    expect(told(guarded().filled)).toEqual([
      "order_filled entry",
      "stop_placed",
      "exit sell stop 10@95 stop_loss"
    ])
    const coarse = guarded({ stopLoss: { percent: 4.44 } }, { priceStep: "0.5", amountStep: "3" })
    expect(told(coarse.filled).at(-1)).toBe("exit sell stop 9@95.5 stop_loss")
    const short = guarded({ stopLoss: { percent: 4.44 } }, { priceStep: "0.5" }, SWAP)
    expect(told(short.filled).at(-1)).toBe("exit buy stop 10@104.5 stop_loss")
  })

  test("is not placed below the market's minimum, without a level, or without consent", () => {
    expect(told(guarded({}, { minCost: "951" }).filled)).toEqual(["order_filled entry"])
    const live = new Live(settings({ buyPercent: 10 })).arm({ protect: true }).quote(SPOT, 100)
    live.alert("buy")
    expect(told(live.part(there(live.slot()?.order), "10", 100, true))).toEqual(["order_filled entry"])
    const plain = new Live(settings({ buyPercent: 10, stopLoss: { percent: 5 } })).arm().quote(SPOT, 100)
    plain.alert("buy")
    expect(told(plain.part(there(plain.slot()?.order), "10", 100, true))).toEqual(["order_filled entry"])
  })

  test("moves to an alert's stop price, after the old stop has ended", () => {
    const { live, stop } = guarded()
    const old = stop()
    live.alert("buy", { sl: 90 })
    expect(told(live.decisions.at(-1) ?? guarded().filled)).toEqual([
      "targets_updated",
      "stop_cancelled moved",
      "take back 95"
    ])
    // Nothing else is decided meanwhile, and it is asked for once.
    expect([told(live.tick(SPOT, 80, 1)), live.alert("sell")]).toEqual([[], "waits for order"])
    live.quote(SPOT, 100)
    expect(told(live.end(old))).toEqual(["stop_placed", "exit sell stop 10@90 sl"])
  })

  test("stays while nothing changes, and while the level moves by less than a step", () => {
    const { live, stop } = guarded({ stopLoss: { percent: 5 } }, { priceStep: "0.5" })
    const { id } = stop()
    live.chosen = settings({ buyPercent: 10, stopLoss: { percent: 4.9 } })
    expect(told(live.decide({ _tag: "SettingsChanged" }))).toEqual([])
    expect([told(live.tick(SPOT, 99, 1)), stop().id]).toEqual([[], id])
  })

  test("is cancelled when the rule is switched off, and placed when it is switched on", () => {
    const { live, stop } = guarded()
    live.chosen = settings({ buyPercent: 10 })
    expect(told(live.decide({ _tag: "SettingsChanged" }))).toEqual([
      "stop_cancelled not_needed",
      "take back 95"
    ])
    expect([told(live.end(stop())), live.slot()?.stop]).toEqual([[], undefined])
    live.chosen = settings({ buyPercent: 10, stopLoss: { percent: 10 } })
    expect(told(live.decide({ _tag: "SettingsChanged" }))).toEqual([
      "stop_placed",
      "exit sell stop 10@90 stop_loss"
    ])
  })

  test("stays while a DCA entry fills, and is then placed anew for the whole position", () => {
    const dca = { waitMinutes: 0, maxRetries: 3, triggerPercent: 2, orderSizePercent: 100 }
    const { live, stop } = guarded({ dca })
    expect(told(live.tick(SPOT, 98, 1))[1]).toStartWith("dca buy market")
    // While more of it is to come the old stop stays.
    expect(told(live.part(there(live.slot()?.order), "4", 98, false))).toEqual(["order_filled dca"])
    const bought = live.part(there(live.slot()?.order), "6", 98, true)
    expect(told(bought)).toEqual(["order_filled dca", "stop_cancelled moved", "take back 95"])
    expect(told(live.end(stop()))).toEqual(["stop_placed", "exit sell stop 20@94.05 stop_loss"])
  })

  test("closes the position with its fills, in parts too, and ends the trade", () => {
    const { live, stop } = guarded()
    live.quote(SPOT, 94.9)
    live.part(stop(), "4", 94.9, false)
    expect([Decimal.toText(stop().quantity), live.slot()?.stopEnding]).toEqual(["6", true])
    const last = live.part(stop(), "6", 94.8, true)
    expect(last.trades.map(({ exitPrice, exitReason }) => [exitReason, exitPrice])).toEqual([
      ["stop_loss", 94.84]
    ])
    expect([last.orders, Bot.isFlat(live.state)]).toEqual([[], true])
  })

  test("that filled in part keeps resting while the price is on the good side", () => {
    const { live, stop } = guarded()
    expect(told(live.part(stop(), "4", 95, false))).toEqual(["order_filled exit"])
    expect([Decimal.toText(stop().quantity), live.slot()?.stopEnding]).toEqual(["6", undefined])
  })

  test("that ended after a partial fill is followed by a sale if the rule holds, else by a new stop", () => {
    const low = guarded()
    low.live.quote(SPOT, 90)
    expect(told(low.live.part(low.stop(), "4", 94, true))).toEqual([
      "order_filled exit",
      "closed stop_loss",
      "exit sell market 6@90 stop_loss"
    ])
    const well = guarded()
    expect(told(well.live.part(well.stop(), "4", 95, true))).toEqual([
      "order_filled exit",
      "stop_placed",
      "exit sell stop 6@95 stop_loss"
    ])
  })
})

describe("an exit beside a stop", () => {
  test("at market cancels the stop first and is sent then, whatever the price by then", () => {
    const { live, stop } = guarded({ autoClose: { minutes: 3 } })
    expect(told(live.tick(SPOT, 101, 3))).toEqual(["stop_cancelled auto_close", "take back 95"])
    expect(told(live.tick(SPOT, 94, 4))).toEqual([])
    live.quote(SPOT, 99)
    expect(told(live.end(stop()))).toEqual(["closed auto_close", "exit sell market 10@99 auto_close"])
    live.part(there(live.slot()?.order), "10", 99, true)
    expect(Bot.isFlat(live.state)).toBe(true)
  })

  test("by an alert does the same, and is answered once", () => {
    const { live, stop } = guarded()
    expect(live.alert("sell")).toBe("closed")
    expect(told(live.decisions.at(-1) ?? guarded().filled)).toEqual(["stop_cancelled signal", "take back 95"])
    expect(live.alert("sell")).toBe("waits for order")
    expect(told(live.end(stop()))).toEqual(["closed signal", "exit sell market 10@100 signal"])
  })

  test("is dropped if the stop fills instead", () => {
    const { live, stop } = guarded()
    live.alert("sell")
    const filled = live.part(stop(), "10", 95, true)
    expect([
      filled.orders,
      filled.trades.map(({ exitReason }) => exitReason),
      Bot.isFlat(live.state)
    ]).toEqual([[], ["stop_loss"], true])
    const half = guarded()
    half.live.alert("sell")
    half.live.quote(SPOT, 96)
    expect(told(half.live.part(half.stop(), "4", 95, true))).toEqual([
      "order_filled exit",
      "closed signal",
      "exit sell market 6@96 signal"
    ])
  })

  test("at a limit is decided again: sent at its level, or guarded by a new stop and not tried again at once", () => {
    const { live, stop } = guarded({ minProfitPercent: 5 })
    expect(told(live.tick(SPOT, 107, 1))).toEqual(["stop_cancelled take_profit", "take back 95"])
    expect(told(live.end(stop()))).toEqual(["closed take_profit", "exit sell limit 10@105 take_profit"])

    const left = guarded({ minProfitPercent: 5 })
    left.live.tick(SPOT, 105, 1)
    left.live.quote(SPOT, 104)
    expect(told(left.live.end(left.stop()))).toEqual(["stop_placed", "exit sell stop 10@95 stop_loss"])
    left.live.now += 999
    expect(told(left.live.decide({ _tag: "Price", market: SPOT, rules: "all" }))).toEqual([])
    left.live.quote(SPOT, 105)
    expect(told(left.live.decide({ _tag: "Price", market: SPOT, rules: "all" }))).toEqual([])
    left.live.now += 1
    expect(told(left.live.decide({ _tag: "Price", market: SPOT, rules: "all" }))[0]).toBe(
      "stop_cancelled take_profit"
    )
  })

  test("by a balance rule, disarming or liquidation does the same", () => {
    const balance = guarded({ balanceStopLoss: { triggerPercent: 0.3, cooldownMinutes: 5 } })
    expect(told(balance.live.tick(SPOT, 96, 1))).toEqual([
      "balance_stop_loss",
      "stop_cancelled balance_stop_loss",
      "take back 95"
    ])
    expect(told(balance.live.end(balance.stop()))).toEqual(["exit sell market 10@96 balance_stop_loss"])
    const leaving = guarded()
    expect(told(leaving.live.decide({ _tag: "Disarmed", close: true, forget: false }))).toEqual([
      "disarmed close",
      "stop_cancelled disarmed",
      "take back 95"
    ])
    expect(told(leaving.live.end(leaving.stop()))).toEqual([
      "closed disarmed",
      "exit sell market 10@100 disarmed"
    ])
    const short = guarded({}, {}, SWAP)
    expect(told(short.live.tick(SWAP, 200, 1))[0]).toBe("stop_cancelled liquidation")
    short.live.end(short.stop())
    const closed = short.live.part(there(short.live.slot(SWAP)?.order), "10", 150, true, "1")
    // What the exchange did is what came back: a liquidation of ours is an order like any other.
    expect(closed.trades.map(({ pnl }) => Decimal.toText(pnl))).toEqual(["-501"])
  })

  test("a stop without a position is cancelled", () => {
    const { live, stop } = guarded()
    live.decide({ _tag: "Astray", market: SPOT })
    const forgotten = live.decide({ _tag: "Disarmed", close: false, forget: true })
    expect(told(forgotten)).toEqual(["disarmed", "stop_cancelled written_off", "written_off", "take back 95"])
    expect(Bot.isFlat(live.state)).toBe(false)
    live.end(stop())
    expect(Bot.isFlat(live.state)).toBe(true)
  })

  test("an astray position keeps its stop, whose fills count", () => {
    const { live, stop } = guarded()
    live.decide({ _tag: "Astray", market: SPOT })
    expect(told(live.tick(SPOT, 50, 1))).toEqual([])
    live.part(stop(), "10", 95, true)
    expect(Bot.isFlat(live.state)).toBe(true)
  })
})

describe("an order that is rejected", () => {
  const selling = () => {
    const live = new Live(settings({ buyPercent: 10, stopLoss: { percent: 5 } })).arm().quote(SPOT, 100)
    live.alert("buy")
    live.fillAll()
    live.tick(SPOT, 90, 1)
    return live
  }
  const look = (live: Live, price: number) => {
    live.quote(SPOT, price)
    return live.decide({ _tag: "Price", market: SPOT, rules: "all" }).orders.length
  }

  for (const how of ["Rejected", "Missing", "Cancelled"] as const) {
    test(`${how}: an exit waits one second, then two, up to a minute, whatever the prices do`, () => {
      const live = selling()
      for (const wait of [1, 2, 4, 8, 16, 32, 60, 60]) {
        live.end(there(live.slot()?.order), how)
        const until = live.now + wait * 1_000
        expect(watch(live.context, live.state).get("binance:BTC/USDT:spot")?.at).toBe(until)
        for (const price of [89, 50, 90]) expect(look(live, price)).toBe(0)
        live.now = until - 1
        expect(look(live, 80)).toBe(0)
        live.now = until
        expect(live.decide({ _tag: "Time" }).orders.length).toBe(1)
      }
    })
  }

  test("makes no exit wait for a clock that was set back", () => {
    const live = selling()
    live.now = 3_600_000
    live.end(there(live.slot()?.order), "Rejected")
    live.now = 0
    expect(watch(live.context, live.state).get("binance:BTC/USDT:spot")?.below).toBeGreaterThan(90)
    expect(look(live, 80)).toBe(1)
  })

  test("stops waiting after a fill; an exit the rule no longer wants is dropped", () => {
    const live = selling()
    live.end(there(live.slot()?.order))
    live.now += 1_000
    expect(look(live, 90)).toBe(1)
    live.part(there(live.slot()?.order), "4", 90, false)
    expect(live.slot()?.retry).toBeUndefined()
    live.end(there(live.slot()?.order))
    expect([look(live, 99), look(live, 90)]).toEqual([0, 1])
  })

  test("three times as the exit of a tiny fill leaves that fill as dust", () => {
    const live = new Live(settings({ buyPercent: 10, stopLoss: { percent: 5 } }), (id) =>
      market(id, { minAmount: "10" })
    ).arm()
    live.quote(SPOT, 100).alert("buy")
    const [entry] = live.decisions.at(-1)?.orders ?? []
    if (entry === undefined) throw new Error("nothing was entered")
    live.part(entry, "4", 100, true)
    expect(Decimal.toText(live.slot()?.position?.quantity ?? Decimal.zero)).toBe("4")
    for (let tried = 1; tried <= 3; tried++) {
      const [exit] = live.tick(SPOT, 90, tried).orders
      if (exit === undefined) throw new Error(`no exit at try ${tried}`)
      live.end(exit, "Rejected")
    }
    expect(live.slot()).toBeUndefined()
    const { notes, trades } = live.decisions.at(-1) ?? { notes: [], trades: [] }
    expect(notes.map(({ rule }) => rule)).toContain("dust")
    expect(trades.map(({ exitReason }) => exitReason)).toEqual(["stop_loss"])
    expect(live.tick(SPOT, 80, 9).orders).toEqual([])
  })

  test("bars DCA while an exit waits", () => {
    const dca = { waitMinutes: 0, maxRetries: 3, triggerPercent: 2, orderSizePercent: 100 }
    const live = selling()
    live.chosen = settings({ buyPercent: 10, stopLoss: { percent: 5 }, dca })
    live.end(there(live.slot()?.order))
    expect(look(live, 97)).toBe(0)
  })

  test("as a closing alert's exit is retried until it is done, in parts and after rejections", () => {
    const live = selling()
    live.end(there(live.slot()?.order))
    live.now += 61_000
    live.quote(SPOT, 100)
    expect(live.alert("sell")).toBe("closed")
    live.end(there(live.slot()?.order), "Rejected")
    expect([look(live, 120), live.alert("buy")]).toEqual([0, "already_open"])
    live.now += 1_000
    expect(look(live, 120)).toBe(1)
    live.part(there(live.slot()?.order), "3", 120, false)
    live.end(there(live.slot()?.order))
    expect(told(live.tick(SPOT, 121, live.now / MINUTE))).toEqual([
      "closed signal",
      "exit sell market 7@121 signal"
    ])
    live.part(there(live.slot()?.order), "7", 121, true)
    expect(Bot.isFlat(live.state)).toBe(true)
  })

  test("as a limit makes only limits wait; a stop loss does not wait for it", () => {
    const live = new Live(settings({ buyPercent: 10, minProfitPercent: 5, stopLoss: { percent: 5 } })).arm()
    live.quote(SPOT, 100).alert("buy")
    live.fillAll()
    live.tick(SPOT, 106, 1)
    expect(told(live.end(there(live.slot()?.order)))).toEqual(["order_cancelled exit"])
    expect([look(live, 107), look(live, 94)]).toEqual([0, 1])
  })

  test("as a stop waits, and no exit waits for it", () => {
    const { live, stop } = guarded()
    expect(told(live.end(stop(), "Rejected"))).toEqual(["order_rejected exit"])
    expect(look(live, 99)).toBe(0)
    live.now += 1_000
    expect(told(live.decide({ _tag: "Time" }))).toEqual(["stop_placed", "exit sell stop 10@95 stop_loss"])
    live.end(stop(), "Missing")
    expect(look(live, 94)).toBe(1)
  })

  test("on paper is decided anew at the next price", () => {
    const live = new Live(settings({ buyPercent: 10, stopLoss: { percent: 5 } })).quote(SPOT, 100)
    live.alert("buy")
    live.fillAll()
    live.tick(SPOT, 90, 1)
    live.end(there(live.slot()?.order), "Rejected")
    expect([live.slot()?.retry, look(live, 89)]).toEqual([undefined, 1])
  })
})
