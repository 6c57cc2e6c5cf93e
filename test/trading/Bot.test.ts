import { describe, expect, test } from "bun:test"
import type { AlertType } from "../../src/domain/Alert.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { Fill } from "../../src/domain/Fill.ts"
import { marketKey, Pair } from "../../src/domain/Market.ts"
import { DEFAULT_PATIENCE } from "../../src/trading/AlertPatience.ts"
import * as Bot from "../../src/trading/Bot.ts"
import { explain } from "../../src/trading/Notes.ts"
import type { Approved } from "../../src/trading/Risk.ts"
import { route } from "../../src/trading/Routing.ts"
import { Live, SPOT, SWAP } from "./live.ts"
import { BTC, MINUTE, market, settings } from "./scenario.ts"

const inState = (state: "none" | "armed long" | "armed short" | "long" | "short"): Live => {
  const trailing = state.startsWith("armed") ? { trailingBuy: { percent: 5 } } : {}
  const live = new Live(settings({ buyPercent: 10, minProfitPercent: 5, ...trailing }))
  live.quote(SPOT, 100).quote(SWAP, 100)
  if (state !== "none") live.alert(state.endsWith("long") ? "long" : "short")
  live.fillAll()
  return live
}

describe("what an alert does to what the bot holds, on the perpetual (rule 3.11 of the guide)", () => {
  const entries: ReadonlyArray<AlertType> = ["long", "close_long", "short", "close_short"]
  const table = {
    none: ["opened", "no_position", "opened", "no_position"],
    "armed long": ["pending_entry", "entry_cancelled", "opposite_position", "no_position"],
    "armed short": ["opposite_position", "no_position", "pending_entry", "entry_cancelled"],
    long: ["already_open", "below_min_profit", "opposite_position", "no_position"],
    short: ["opposite_position", "no_position", "already_open", "below_min_profit"]
  } as const
  for (const state of ["none", "armed long", "armed short", "long", "short"] as const) {
    test(state, () => {
      expect(entries.map((type) => inState(state).alert(type))).toEqual([...table[state]])
      expect(inState(state).alert("sell")).toBe("no_position")
    })
  }

  test("targets for an open position: bad_target comes before already_open and changes nothing", () => {
    const live = inState("long")
    expect(live.alert("long", { tp: 120 })).toBe("targets_updated")
    expect(live.alert("long", { tp: 99, sl: 90 })).toBe("bad_target")
    expect(live.alert("long", { sl: 90 })).toBe("targets_updated")
    const position = live.state.slots[marketKey(SWAP)]?.position
    expect([position?.tp, position?.sl]).toEqual([120, 90])
  })
})

describe("the first of several reasons wins (rule 3.12 of the guide)", () => {
  const alert = { id: 1, type: "buy" as const, pair: BTC, at: 0 }
  const reasonOf = (live: Live, more: object = {}, since = live.context.now) => {
    const routed = route(
      live.context,
      live.state,
      { ...alert, ...more },
      { patience: DEFAULT_PATIENCE, since }
    )
    return routed._tag === "Answered" ? routed.reason : routed._tag
  }
  const foreign = { pair: Pair.make("DOGE/USDT") }

  test("stale, then inactive, not listed, quote, no price", () => {
    const late = new Live(settings({ active: false }))
    late.now = 300_001
    expect(reasonOf(late, foreign)).toBe("stale")
    expect(reasonOf(new Live(settings({ active: false })), foreign)).toBe("strategy_inactive")
    expect(reasonOf(new Live(), foreign)).toBe("pair_not_listed")
    expect(reasonOf(new Live(settings({ quote: "USD" })))).toBe("quote_not_default")
    expect(reasonOf(new Live())).toBe("Waiting")
    const waited = new Live()
    waited.now = 15_000
    expect(reasonOf(waited, {}, 5_000)).toBe("no_price")
    expect(reasonOf(new Live().quote(SPOT, 100))).toBe("Slot")
  })

  test("a futures alert is pair_not_listed where the exchange has no perpetual", () => {
    const live = new Live(settings(), (id) => (id.kind === "spot" ? market(id) : undefined))
    expect(reasonOf(live, { type: "long" })).toBe("pair_not_listed")
    expect(reasonOf(live.quote(SPOT, 100), { type: "buy" })).toBe("Slot")
  })

  test("for an entry market closed, then cooldown, zero, target, balance, minimum", () => {
    const closed = new Live(settings({ buyPercent: 0 }), (id) => ({ ...market(id), buyEnabled: false }))
    expect(closed.quote(SPOT, 100).alert("buy")).toBe("market_closed_for_buying")
    const zero = new Live(settings({ buyPercent: 0 }))
    expect(zero.quote(SPOT, 100).alert("buy", { tp: 1 })).toBe("zero_buy_percentage")
    const live = new Live(settings({ buyPercent: 0.001 }), (id) => market(id, { minCost: "10" }))
    expect(live.quote(SPOT, 100).alert("buy", { tp: 1 })).toBe("bad_target")
    expect(live.alert("buy")).toBe("below_min_notional")
    live.state = { ...live.state, cash: Decimal.zero }
    expect(live.alert("buy")).toBe("insufficient_balance")
    live.state = { ...live.state, takeProfitUntil: MINUTE }
    expect(live.alert("buy", { tp: 1 })).toBe("cooldown")
  })

  test("a closing alert closes the position from before it, listed or not, active or not", () => {
    const live = inState("long")
    live.chosen = settings({ active: false, exchanges: [] })
    expect(live.alert("close_long", { id: 1 })).toBe("pair_not_listed")
    expect(live.alert("close_long", { id: 9 })).toBe("closed")
  })

  test("a closing alert waits for a price only while a position is open", () => {
    const live = inState("long")
    const blind = { ...live.context, quote: () => undefined }
    const waiting = { patience: DEFAULT_PATIENCE, since: live.context.now }
    const closing = { ...alert, id: 9, type: "close_long" as const }
    expect(route(blind, live.state, closing, waiting)._tag).toBe("Waiting")
    expect(route(blind, live.state, { ...closing, type: "sell" }, waiting)).toEqual({
      _tag: "Answered",
      reason: "no_position"
    })
  })
})

test("a closing alert cancels a waiting entry without a price", () => {
  const live = inState("armed long")
  const blind = { ...live.context, quote: () => undefined }
  const alert = { id: 9, type: "close_long" as const, pair: BTC, at: 0 }
  expect(Bot.decide(blind, live.state, { _tag: "Alert", alert, market: SWAP }).alert).toEqual({
    _tag: "Answered",
    reason: "entry_cancelled"
  })
})

describe("an order in flight", () => {
  const part = (order: Approved, quantity: string, price: number, at: number): Fill => {
    const amount = Decimal.unsafeFromText(quantity)
    const notional = Decimal.multiply(amount, Decimal.fromNumber(price))
    return { ...order, order: order.id, quantity: amount, price, notional, fee: Decimal.zero, at }
  }
  const ordered = (live: Live): Approved => {
    const order = live.decisions.at(-1)?.orders[0]
    if (order === undefined) throw new Error("nothing was ordered")
    return order
  }

  test("bars every other decision for its slot, and reserves its cash", () => {
    const live = new Live(settings({ stopLoss: { percent: 5 } }))
    live.quote(SPOT, 100).quote(SWAP, 100)
    expect(live.alert("buy")).toBe("opened")
    expect(live.alert("buy")).toBe("waits for order")
    expect(live.alert("sell")).toBe("waits for order")
    expect(live.alert("long")).toBe("insufficient_balance")
    expect(live.tick(SPOT, 50).orders).toEqual([])
  })

  test("is followed at once by a rule that holds after the fill", () => {
    const live = new Live(settings({ stopLoss: { percent: 5 } }))
    live.quote(SPOT, 100)
    live.alert("buy")
    live.quote(SPOT, 94)
    const [entry, exit] = live.fillAll()
    expect([entry?.purpose, exit?.exitReason, exit?.price]).toEqual(["entry", "stop_loss", 94])
    expect(Bot.isFlat(live.state)).toBe(true)
  })

  test("filled in parts is one entry; a repeated fill counts once; the rest may be cancelled", () => {
    const live = new Live(settings({ buyPercent: 50 }))
    live.quote(SPOT, 100)
    live.alert("buy")
    const order = ordered(live)
    live.decide({ _tag: "Filled", market: SPOT, fill: part(order, "20", 100, 1), done: false })
    live.decide({ _tag: "Filled", market: SPOT, fill: part(order, "10", 101, 2), done: false })
    live.decide({ _tag: "Cancelled", market: SPOT, order: order.id })
    const twice = live.decide({ _tag: "Filled", market: SPOT, fill: part(order, "10", 101, 2), done: true })
    expect(twice.changes).toEqual([])
    const position = live.state.slots[marketKey(SPOT)]?.position
    expect(position && [Decimal.toText(position.quantity), position.entries]).toEqual(["30", 1])
    expect(Decimal.toText(live.state.cash)).toBe("6990")
  })

  test("an exit filled in parts leaves the rest open; a rest too small to sell is dust and closes the trade", () => {
    const live = new Live(settings({ stopLoss: { percent: 5 } }), (id) => market(id, { minCost: "10" }))
    live.quote(SPOT, 100)
    live.alert("buy")
    live.fillAll()
    live.tick(SPOT, 95)
    const order = ordered(live)
    live.decide({ _tag: "Filled", market: SPOT, fill: part(order, "60", 95, 2), done: false })
    expect(live.decisions.at(-1)?.trades).toEqual([])
    const last = live.decide({ _tag: "Filled", market: SPOT, fill: part(order, "39.95", 95, 3), done: true })
    expect(last.trades.map((trade) => [trade.exitReason, Decimal.toText(trade.proceeds)])).toEqual([
      ["stop_loss", "9495.25"]
    ])
    expect(
      last.postings.at(-1)?.lines.map(({ account, amount }) => [account, Decimal.toText(amount)])
    ).toEqual([
      ["positions", "-5"],
      ["dust", "5"]
    ])
    expect(Bot.isFlat(live.state)).toBe(true)
  })

  test("a rejected entry leaves nothing; a rejected exit is tried again at the next price", () => {
    const live = new Live(settings({ stopLoss: { percent: 5 } }))
    live.quote(SPOT, 100)
    live.alert("buy")
    live.decide({ _tag: "Rejected", market: SPOT, order: ordered(live).id })
    expect(Bot.isFlat(live.state)).toBe(true)
    live.alert("buy")
    live.fillAll()
    live.tick(SPOT, 90)
    expect(live.decide({ _tag: "Rejected", market: SPOT, order: ordered(live).id }).orders).toEqual([])
    expect(live.tick(SPOT, 89).orders.length).toBe(1)
  })

  test("an exit by alert is made again after the exchange rejected it or filled only a part, and a turn goes on", () => {
    const live = new Live(settings({ buyPercent: 10 }))
    live.quote(SWAP, 100)
    live.alert("short")
    live.fillAll()
    expect(live.alert("long", { reverse: true })).toBe("turned")
    live.end(ordered(live), "Rejected")
    expect(live.tick(SWAP, 100).orders).toEqual([])
    live.tick(SWAP, 100, 1)
    expect([ordered(live).exitReason, Decimal.toText(ordered(live).quantity)]).toEqual(["signal", "10"])
    const again = ordered(live)
    live.part(again, "4", 100, false)
    live.end(again)
    live.tick(SWAP, 100)
    expect([ordered(live).exitReason, Decimal.toText(ordered(live).quantity)]).toEqual(["signal", "6"])
    live.fillAll()
    live.fillAll()
    expect(live.slot(SWAP)).toMatchObject({ position: { side: "long" } })
    expect(live.slot(SWAP)?.turn).toBeUndefined()
  })
})

describe("settings, deletion, both sides of the book", () => {
  test("deactivation or removal of the pair cancels a trailing buy while exits continue", () => {
    for (const over of [{ active: false }, { exchanges: [] }]) {
      const live = new Live(settings({ trailingBuy: { percent: 5 } }))
      live.quote(SPOT, 100)
      expect(live.alert("buy")).toBe("trailing_buy_armed")
      live.chosen = settings({ trailingBuy: { percent: 5 }, ...over })
      live.decide({ _tag: "SettingsChanged" })
      expect(Bot.isFlat(live.state)).toBe(true)
    }
  })

  test("new settings apply to open positions at once", () => {
    const live = inState("long")
    live.quote(SWAP, 96)
    live.chosen = settings({ stopLoss: { percent: 3 } })
    const { orders } = live.decide({ _tag: "SettingsChanged" })
    expect(orders.map((order) => [order.exitReason, order.price])).toEqual([["stop_loss", 96]])
  })

  test("a balance rule that new settings switch on is checked without open positions too", () => {
    const live = new Live()
    live.state = { ...live.state, cash: Decimal.unsafeFromText("11000") }
    live.chosen = settings({ balanceTakeProfit: { triggerPercent: 10, cooldownMinutes: 5 } })
    live.decide({ _tag: "SettingsChanged" })
    expect([Decimal.toText(live.state.baseline), live.state.takeProfitUntil]).toEqual(["11000", 5 * MINUTE])
    expect(live.quote(SPOT, 100).alert("buy")).toBe("cooldown")
  })

  test("deletion closes everything at the last price", () => {
    const live = inState("short")
    live.alert("buy")
    live.fillAll()
    const { orders } = live.decide({ _tag: "Ended" })
    expect(orders.map((order) => [order.kind, order.side, order.exitReason])).toEqual([
      ["spot", "sell", "strategy_deleted"],
      ["swap", "buy", "strategy_deleted"]
    ])
    live.fillAll()
    expect(Bot.isFlat(live.state)).toBe(true)
  })

  test("a long opens at the ask and closes at the bid; a short the other way round", () => {
    const book = { bid: 99, ask: 101, last: 100, at: 0 }
    const live = new Live(settings({ buyPercent: 10, stopLoss: { percent: 50 } }))
    live.quote(SPOT, book).quote(SWAP, book)
    live.alert("buy")
    live.fillAll()
    live.alert("short")
    live.fillAll()
    live.alert("sell")
    live.fillAll()
    live.alert("close_short")
    live.fillAll()
    const told = live.decisions.flatMap(({ trades }) =>
      trades.map((trade) => [trade.entryPrice, trade.exitPrice])
    )
    expect(told).toEqual([
      [101, 99],
      [99, 101]
    ])
  })

  test("time alone closes a position, and the notes say why", () => {
    const live = new Live(settings({ autoClose: { minutes: 3 } }))
    live.quote(SPOT, 100)
    live.alert("buy")
    live.fillAll()
    live.now = 3 * MINUTE
    const { notes, orders } = live.decide({ _tag: "Time" })
    expect(orders[0]?.exitReason).toBe("auto_close")
    expect(notes.map(explain)).toEqual([
      "Ordered to sell 100 BTC on BTC/USDT at 100: held for the longest time allowed, 3 min; at that price 0 % profit after fees, average 100."
    ])
  })
})
