// Parts, turns, added entries and sizes: what section by section of the rules an alert does to a position.
import { describe, expect, test } from "bun:test"
import * as Decimal from "../../src/domain/Decimal.ts"
import { marketKey } from "../../src/domain/Market.ts"
import type { Position } from "../../src/domain/Position.ts"
import { DEFAULT_PATIENCE } from "../../src/trading/AlertPatience.ts"
import * as Bot from "../../src/trading/Bot.ts"
import type { BotAlert } from "../../src/trading/Decision.ts"
import { explain } from "../../src/trading/Notes.ts"
import { route } from "../../src/trading/Routing.ts"
import { Live, SPOT, SWAP } from "./live.ts"
import { BTC, MINUTE, market, settings } from "./scenario.ts"

type Over = Parameters<typeof settings>[0]

/** A bot on both markets at a price of 100, which buys for a tenth unless told. */
const bot = (over: Over = {}, steps: Parameters<typeof market>[1] = {}): Live =>
  new Live(settings({ buyPercent: 10, ...over }), (id) => market(id, steps)).quote(SPOT, 100).quote(SWAP, 100)

/** The answer to an alert, with its orders filled. */
const told = (live: Live, type: BotAlert["type"], more: Partial<BotAlert> = {}): string => {
  const reason = live.alert(type, more)
  if (!reason.startsWith("waits")) live.fillAll()
  return reason
}
const heldOn = (live: Live, id = SPOT): Position | undefined => live.slot(id)?.position
const quantityOn = (live: Live, id = SPOT): number =>
  Decimal.toNumber(heldOn(live, id)?.quantity ?? Decimal.zero)
const cash = (live: Live): number => Decimal.toNumber(live.state.cash)
const rules = (live: Live): ReadonlyArray<string> =>
  live.decisions.flatMap(({ notes }) => notes.map(({ rule }) => rule))
const lastNote = (live: Live, rule: string) =>
  live.decisions.flatMap(({ notes }) => notes).findLast((note) => note.rule === rule)

describe("a part", () => {
  test("closes its percentage of what is held now, rounded down to the amount step", () => {
    const live = bot({}, { amountStep: "0.1" })
    told(live, "buy")
    expect(quantityOn(live)).toBe(10)
    expect(told(live, "sell", { closePercent: 33 })).toBe("reduced")
    expect(quantityOn(live)).toBe(6.7)
    expect(told(live, "sell", { closePercent: 50 })).toBe("reduced")
    expect(quantityOn(live)).toBe(3.4)
    expect(told(live, "sell")).toBe("closed")
  })

  test("of two thirds is two steps of three, as a double writes two thirds", () => {
    const live = bot({ buyPercent: 3 }, { amountStep: "1" })
    told(live, "buy")
    expect(told(live, "sell", { closePercent: (2 / 3) * 100 })).toBe("reduced")
    expect(quantityOn(live)).toBe(1)
  })

  test("of 100 percent closes all", () => {
    const live = bot()
    told(live, "buy")
    expect(told(live, "sell", { closePercent: 100 })).toBe("closed")
    expect(heldOn(live)).toBeUndefined()
  })

  test("leaves the average, and takes its share of cost and fees with it", () => {
    const live = bot({ takerFeePercent: 1 })
    told(live, "buy")
    const before = heldOn(live)
    live.quote(SPOT, 200)
    told(live, "sell", { closePercent: 25 })
    const after = heldOn(live)
    const figure = (value: Decimal.Decimal | undefined) => Decimal.toNumber(value ?? Decimal.zero)
    expect(figure(after?.basis)).toBeCloseTo(figure(before?.basis) * 0.75, 9)
    expect(figure(after?.openFees)).toBeCloseTo(figure(before?.entryFees) * 0.75, 9)
    expect(figure(after?.basis) / figure(after?.quantity)).toBeCloseTo(100, 9)
  })

  test("is gated before its minimum is asked", () => {
    const live = bot({ minProfitPercent: 5 }, { minCost: "500" })
    told(live, "buy")
    expect(told(live, "sell", { closePercent: 10 })).toBe("below_min_profit")
    expect(heldOn(live)?.owed).toBeUndefined()
  })

  test("under the minimum is owed, unrounded, and the next part takes it along", () => {
    const live = bot({}, { amountStep: "1", minCost: "250" })
    told(live, "buy")
    expect(told(live, "sell", { closePercent: 15 })).toBe("below_min_notional")
    expect(Decimal.toNumber(heldOn(live)?.owed ?? Decimal.zero)).toBe(1.5)
    expect(quantityOn(live)).toBe(10)
    expect(told(live, "sell", { closePercent: 15 })).toBe("reduced")
    expect([quantityOn(live), heldOn(live)?.owed]).toEqual([7, undefined])
  })

  test("that would leave less than the minimum closes all", () => {
    const live = bot({}, { minCost: "250" })
    told(live, "buy")
    expect(told(live, "sell", { closePercent: 80 })).toBe("closed")
    expect(heldOn(live)).toBeUndefined()
  })

  test("changes nothing of a waiting entry", () => {
    const live = bot({ trailingBuy: { percent: 5 } })
    told(live, "buy")
    expect(told(live, "sell", { closePercent: 50 })).toBe("pending_entry")
    expect(live.slot()?.trailingBuy).toBeDefined()
    expect(told(live, "sell", { closePercent: 100 })).toBe("entry_cancelled")
  })

  test("makes a trade of all exits, and the sum of its exit fills is what was bought", () => {
    const live = bot()
    told(live, "buy")
    live.quote(SPOT, 110)
    told(live, "sell", { closePercent: 50 })
    live.quote(SPOT, 120)
    told(live, "sell")
    const [trade] = live.decisions.flatMap(({ trades }) => trades)
    expect(trade?.exits).toBe(2)
    expect(
      trade?.exitFills?.map(({ price, quantity, reason }) => [price, Decimal.toNumber(quantity), reason])
    ).toEqual([
      [110, 5, "signal"],
      [120, 5, "signal"]
    ])
    expect([trade?.exitPrice, trade && Decimal.toNumber(trade.quantity), cash(live)]).toEqual([
      115, 10, 10_150
    ])
  })

  test("that is rejected live is sent again as a part, and never as more", () => {
    const live = bot().arm()
    told(live, "buy")
    live.alert("sell", { closePercent: 40 })
    const [order] = live.decisions.at(-1)?.orders ?? []
    expect(order?.part).toBe(true)
    if (order !== undefined) live.part(order, "1", 100, false)
    if (order !== undefined) live.end(order)
    expect(quantityOn(live)).toBe(9)
    const again = live.tick(SPOT, 101, 1).orders[0]
    expect([again?.part, again && Decimal.toNumber(again.quantity)]).toEqual([true, 3])
    if (again !== undefined) live.end(again, "Rejected")
    const third = live.tick(SPOT, 101, 3).orders[0]
    expect([third?.part, third && Decimal.toNumber(third.quantity)]).toEqual([true, 3])
    live.fillAll()
    expect([quantityOn(live), live.slot()?.retry]).toEqual([6, undefined])
    expect(live.tick(SPOT, 102, 4).orders).toEqual([])
  })
})

describe("a turn", () => {
  test("closes the other side and opens this one at the same price", () => {
    const live = bot()
    told(live, "long")
    live.quote(SWAP, 110)
    expect(told(live, "short", { reverse: true })).toBe("turned")
    expect(heldOn(live, SWAP)?.side).toBe("short")
    expect(live.decisions.flatMap(({ trades }) => trades)).toHaveLength(1)
    expect(rules(live).filter((rule) => rule === "opened")).toHaveLength(2)
    expect(Decimal.toNumber(heldOn(live, SWAP)?.basis ?? Decimal.zero)).toBeCloseTo(1010, 3)
  })

  test("is what on_opposite asks for, unless the alert forbids it", () => {
    const reverse = bot({ onOpposite: "reverse" })
    told(reverse, "long")
    expect(told(reverse, "short", { reverse: false })).toBe("opposite_position")
    expect(told(reverse, "short")).toBe("turned")
    const close = bot({ onOpposite: "close" })
    told(close, "long")
    expect(told(close, "short")).toBe("closed")
    expect(close.slot(SWAP)).toBeUndefined()
    const ignore = bot({ onOpposite: "ignore" })
    told(ignore, "long")
    expect(told(ignore, "short")).toBe("opposite_position")
  })

  test("opens as any entry where there is no other side", () => {
    const live = bot({ onOpposite: "close" })
    expect(told(live, "short", { reverse: true })).toBe("opened")
  })

  test("is gated, and then nothing happens", () => {
    const live = bot({ minProfitPercent: 5 })
    told(live, "long")
    expect(told(live, "short", { reverse: true })).toBe("below_min_profit")
    expect([heldOn(live, SWAP)?.side, live.slot(SWAP)?.turn]).toEqual(["long", undefined])
  })

  test("whose entry is refused is closed, and the timeline says why", () => {
    const live = bot()
    told(live, "long")
    expect(told(live, "short", { reverse: true, sl: 90 })).toBe("closed")
    expect(live.slot(SWAP)).toBeUndefined()
    expect(lastNote(live, "turn_dropped")).toMatchObject({ reason: "bad_target", alert: 2 })
  })

  test("arms the trailing buy in place of opening", () => {
    const live = bot()
    told(live, "long")
    live.chosen = settings({ buyPercent: 10, trailingBuy: { percent: 5 } })
    expect(told(live, "short", { reverse: true, sl: 120 })).toBe("turned")
    expect(live.slot(SWAP)?.trailingBuy).toMatchObject({ side: "short", sl: 120 })
  })

  test("of an inactive strategy, a closed market or a stale alert still closes", () => {
    const inactive = bot()
    told(inactive, "long")
    inactive.chosen = settings({ active: false, onOpposite: "reverse" })
    expect(told(inactive, "short")).toBe("closed")
    expect(lastNote(inactive, "turn_dropped")?.reason).toBe("strategy_inactive")
    let isOpen = true
    const closed = new Live(settings({ buyPercent: 10 }), (id) => ({ ...market(id), buyEnabled: isOpen }))
    closed.quote(SWAP, 100)
    told(closed, "long")
    isOpen = false
    expect(told(closed, "short", { reverse: true })).toBe("closed")
    expect(lastNote(closed, "turn_dropped")?.reason).toBe("market_closed_for_buying")
    const late = bot()
    told(late, "long")
    late.now = DEFAULT_PATIENCE.entryMs + 1
    const alert = { id: 9, type: "short" as const, pair: BTC, at: 0, reverse: true }
    const routed = route(late.context, late.state, alert, { patience: DEFAULT_PATIENCE, since: 0 })
    if (routed._tag !== "Slot") throw new Error(`it is ${routed._tag}`)
    const { entry, market: id } = routed
    expect(Bot.decide(late.context, late.state, { _tag: "Alert", alert, market: id, entry }).alert).toEqual({
      _tag: "Answered",
      reason: "closed"
    })
  })

  test("cancels a waiting entry of the other side", () => {
    const trailing = { trailingBuy: { percent: 5 } }
    const live = bot(trailing)
    told(live, "long")
    expect(told(live, "short", { reverse: true })).toBe("turned")
    expect(live.slot(SWAP)?.trailingBuy?.side).toBe("short")
    expect(told(live, "long", { reverse: true, sl: 200 })).toBe("entry_cancelled")
    expect(live.slot(SWAP)).toBeUndefined()
    const close = bot({ ...trailing, onOpposite: "close" })
    told(close, "long")
    expect(told(close, "short")).toBe("entry_cancelled")
    expect(close.slot(SWAP)).toBeUndefined()
  })

  test("does not close what was opened after its alert came", () => {
    const live = bot()
    told(live, "long", { id: 5 })
    expect(told(live, "short", { id: 4, reverse: true })).toBe("opposite_position")
  })

  test("looks at no other rule between its legs", () => {
    const live = bot({ balanceTakeProfit: { triggerPercent: 5, cooldownMinutes: 10 } })
    told(live, "long")
    live.quote(SWAP, 140)
    expect(told(live, "short", { reverse: true })).toBe("turned")
    expect(rules(live)).toContain("turning")
  })
})

describe("a live turn", () => {
  const turning = (more: Partial<BotAlert> = {}): Live => {
    const live = bot().arm()
    told(live, "long")
    expect(live.alert("short", { reverse: true, ...more })).toBe("turned")
    return live
  }
  const orderOf = (live: Live) => {
    const order = live.slot(SWAP)?.order
    if (order === undefined) throw new Error("there is no order")
    return order
  }

  test("opens once the closing order has ended, and counts as an entry pending", () => {
    const live = turning()
    expect(live.slot(SWAP)?.turn?.side).toBe("short")
    expect(live.alert("short")).toBe("waits for order")
    const decision = live.part(orderOf(live), "10", 101, true)
    expect(decision.orders.map(({ position, purpose }) => [position, purpose])).toEqual([["short", "entry"]])
    expect([live.slot(SWAP)?.turn, live.slot(SWAP)?.position]).toEqual([undefined, undefined])
  })

  test("survives a closing order that fills in part, and never opens twice", () => {
    const live = turning()
    live.part(orderOf(live), "4", 100, false)
    live.end(orderOf(live))
    expect(live.slot(SWAP)?.turn?.side).toBe("short")
    const rest = live.tick(SWAP, 100, 1).orders
    expect(rest.map(({ purpose, quantity }) => [purpose, Decimal.toNumber(quantity)])).toEqual([["exit", 6]])
    const opened = live.part(orderOf(live), "6", 100, true).orders
    expect(opened.map(({ position, purpose }) => [position, purpose])).toEqual([["short", "entry"]])
    live.fillAll()
    expect(live.tick(SWAP, 100, 2).orders).toEqual([])
  })

  test("survives a rejected closing order, which is sent again", () => {
    const live = turning()
    live.end(orderOf(live), "Rejected")
    expect(live.alert("short", { reverse: true })).toBe("pending_entry")
    expect(live.tick(SWAP, 100, 1).orders.map(({ purpose }) => purpose)).toEqual(["exit"])
    expect(live.fillAll().map(({ purpose }) => purpose)).toEqual(["exit", "entry"])
    expect(heldOn(live, SWAP)?.side).toBe("short")
  })

  test("is not cancelled by a part, as no waiting entry is", () => {
    const live = turning()
    live.end(orderOf(live), "Rejected")
    expect(live.alert("close_short", { closePercent: 50 })).toBe("pending_entry")
    expect(live.slot(SWAP)?.turn?.side).toBe("short")
    expect(live.alert("close_short")).toBe("entry_cancelled")
    expect(live.slot(SWAP)?.turn).toBeUndefined()
  })

  test("waits for a price where there is none, and any price is looked at", () => {
    const live = turning()
    const order = orderOf(live)
    live.blind(SWAP)
    expect(live.part(order, "10", 100, true).orders).toEqual([])
    expect(live.slot(SWAP)?.turn).toBeDefined()
    live.quote(SWAP, 100)
    expect(Bot.watch(live.context, live.state).get(marketKey(SWAP))).toMatchObject({
      below: Number.POSITIVE_INFINITY
    })
    expect(live.tick(SWAP, 100, 1).orders.map(({ position }) => position)).toEqual(["short"])
  })

  test("is forgotten where the strategy is switched off meanwhile", () => {
    const live = turning()
    const order = orderOf(live)
    live.chosen = settings({ buyPercent: 10, active: false })
    live.decide({ _tag: "SettingsChanged" })
    expect(live.part(order, "10", 100, true).orders).toEqual([])
    expect(live.slot(SWAP)).toBeUndefined()
  })

  test("whose entry became too old opens nothing, and says so", () => {
    const live = bot().arm()
    told(live, "long")
    const alert = { id: 9, type: "short" as const, pair: BTC, at: 0, reverse: true }
    live.decide({ _tag: "Alert", alert, market: SWAP, entry: { until: 300_000 } })
    live.now = 300_001
    expect(live.part(orderOf(live), "10", 100, true).orders).toEqual([])
    expect(lastNote(live, "turn_dropped")?.reason).toBe("stale")
  })

  test("whose entry becomes too old is given up at that time, though no price comes", () => {
    const live = bot().arm()
    told(live, "long")
    const alert = { id: 9, type: "short" as const, pair: BTC, at: 0, reverse: true }
    live.decide({ _tag: "Alert", alert, market: SWAP, entry: { until: 300_000 } })
    const order = orderOf(live)
    live.blind(SWAP)
    live.part(order, "10", 100, true)
    expect(Bot.watch(live.context, live.state).get(marketKey(SWAP))?.at).toBe(300_001)
    live.now = 300_001
    live.decide({ _tag: "Time" })
    expect(live.slot(SWAP)).toBeUndefined()
    expect(lastNote(live, "turn_dropped")?.reason).toBe("stale")
  })

  test("is forgotten by a closing alert for its side, and by a chart that turned back", () => {
    const cancelled = turning()
    cancelled.end(orderOf(cancelled), "Rejected")
    expect(cancelled.alert("close_short")).toBe("entry_cancelled")
    expect([cancelled.slot(SWAP)?.turn, heldOn(cancelled, SWAP)?.side]).toEqual([undefined, "long"])
    const back = turning()
    back.end(orderOf(back), "Rejected")
    expect(back.alert("long", { reverse: true })).toBe("entry_cancelled")
    expect(back.tick(SWAP, 100, 5).orders).toEqual([])
    expect(heldOn(back, SWAP)?.side).toBe("long")
  })

  test("is in the state that a restart reads", () => {
    const live = turning({ sl: 130 })
    expect(live.slot(SWAP)?.turn).toMatchObject({ alert: 2, side: "short", sl: 130 })
  })
})

describe("an added entry", () => {
  test("is made while the position has fewer than max_entries", () => {
    const live = bot({ maxEntries: 3 })
    told(live, "buy")
    expect([told(live, "buy"), told(live, "buy"), told(live, "buy")]).toEqual([
      "added",
      "added",
      "already_open"
    ])
    expect([heldOn(live)?.entries, heldOn(live)?.added]).toEqual([3, 2])
    expect(told(live, "buy", { sl: 90 })).toBe("targets_updated")
  })

  test("is made at once where first entries wait for the price to turn", () => {
    const live = bot({ maxEntries: 2 })
    told(live, "buy")
    live.chosen = settings({ buyPercent: 10, maxEntries: 2, trailingBuy: { percent: 5 } })
    expect(told(live, "buy")).toBe("added")
    expect(heldOn(live)?.entries).toBe(2)
  })

  test("uses up no retry of DCA, and DCA waits from it on", () => {
    const dca = { triggerPercent: 5, waitMinutes: 10, maxRetries: 1, orderSizePercent: 50 }
    const live = bot({ maxEntries: 2, dca })
    told(live, "buy")
    live.now = 5 * MINUTE
    told(live, "buy")
    expect(live.tick(SPOT, 80, 11).orders).toEqual([])
    expect(live.tick(SPOT, 80, 15).orders.map(({ purpose }) => purpose)).toEqual(["dca"])
  })

  test("replaces targets; those that are absent stay", () => {
    const live = bot({ maxEntries: 5 })
    told(live, "buy", { tp: 150, sl: 80 })
    told(live, "buy", { sl: 90 })
    expect([heldOn(live)?.tp, heldOn(live)?.sl]).toEqual([150, 90])
    told(live, "buy", { tps: [{ price: 120, percent: 50 }] })
    expect([heldOn(live)?.tp, heldOn(live)?.ladder?.steps.length]).toEqual([undefined, 1])
    const { base = Decimal.zero } = heldOn(live)?.ladder ?? {}
    expect(Decimal.toNumber(base)).toBeCloseTo(quantityOn(live), 9)
  })

  test("that is refused replaces good targets all the same, and never bad ones", () => {
    const live = bot({ maxEntries: 2, buyPercent: 100 })
    told(live, "buy")
    expect(told(live, "buy")).toBe("insufficient_balance")
    expect(told(live, "buy", { sl: 90 })).toBe("targets_updated")
    expect(told(live, "buy", { sl: 110 })).toBe("bad_target")
    live.state = { ...live.state, takeProfitUntil: MINUTE }
    expect([told(live, "buy"), told(live, "buy", { sl: 110 }), told(live, "buy", { sl: 91 })]).toEqual([
      "cooldown",
      "cooldown",
      "targets_updated"
    ])
    expect(heldOn(live)?.sl).toBe(91)
  })

  test("of a growing chart is that share of the slot's own quantity", () => {
    const live = bot({ maxEntries: 5 })
    told(live, "long")
    live.quote(SWAP, 125)
    expect(told(live, "long", { growth: 0.5 })).toBe("added")
    expect(quantityOn(live, SWAP)).toBe(15)
    expect(told(live, "long", { growth: 100 })).toBe("added")
    expect(cash(live)).toBeGreaterThanOrEqual(0)
    expect(cash(live)).toBeLessThan(1)
  })
})

test("an entry waits for a close that is decided and not sent yet, because that would sell what it buys", () => {
  const live = bot({ maxEntries: 3 }).arm()
  told(live, "long")
  expect(live.alert("close_long")).toBe("closed")
  const order = live.slot(SWAP)?.order
  if (order === undefined) throw new Error("there is no order")
  live.end(order, "Rejected")
  expect(live.alert("long")).toBe("waits for order")
  live.tick(SWAP, 100, 1)
  live.fillAll()
  expect(told(live, "long")).toBe("opened")
})

describe("the size of an entry", () => {
  test("by risk loses that percentage of equity at its stop, and is never more than buy_percentage", () => {
    const live = bot({ riskPercent: 1, buyPercent: 50 })
    told(live, "buy", { sl: 95 })
    expect(quantityOn(live)).toBe(20)
    const capped = bot({ riskPercent: 1, buyPercent: 10, stopLoss: { percent: 2 } })
    told(capped, "buy")
    expect(quantityOn(capped)).toBe(10)
    const byPercent = bot({ riskPercent: 0.1, buyPercent: 10, stopLoss: { percent: 2 } })
    told(byPercent, "buy")
    expect(quantityOn(byPercent)).toBe(5)
    const short = bot({ riskPercent: 1, buyPercent: 50 })
    told(short, "short", { sl: 110 })
    expect(quantityOn(short, SWAP)).toBe(10)
  })

  test("by risk needs a stop, after the targets and before the cash are asked", () => {
    const live = bot({ riskPercent: 1, trailingBuy: { percent: 5 } })
    expect(told(live, "buy")).toBe("no_stop")
    expect(told(live, "buy", { tp: 90 })).toBe("bad_target")
    live.state = { ...live.state, cash: Decimal.zero }
    expect(told(live, "buy")).toBe("no_stop")
    expect(told(live, "buy", { sl: 90 })).toBe("insufficient_balance")
  })

  test("by risk is worked out when the trailing buy fires", () => {
    const live = bot({ riskPercent: 1, buyPercent: 90, trailingBuy: { percent: 5 } })
    expect(told(live, "buy", { sl: 50 })).toBe("trailing_buy_armed")
    live.tick(SPOT, 80, 1)
    live.tick(SPOT, 90, 2)
    live.fillAll()
    expect(quantityOn(live)).toBe(2.5)
  })

  test("by risk of an added entry counts from its own stop, else from the one held", () => {
    const live = bot({ riskPercent: 1, buyPercent: 90, maxEntries: 3 })
    told(live, "buy", { sl: 80 })
    expect(quantityOn(live)).toBe(5)
    told(live, "buy")
    expect(quantityOn(live)).toBe(10)
    told(live, "buy", { sl: 90 })
    expect(quantityOn(live)).toBe(20)
  })

  test("is the alert's, for strategies of its signal's owner", () => {
    const live = bot()
    told(live, "buy", { buyPercentage: 20 })
    expect(quantityOn(live)).toBe(20)
    const foreign = bot()
    told(foreign, "buy", { buyPercentage: 20, foreign: true })
    expect(quantityOn(foreign)).toBe(10)
    const note = lastNote(foreign, "own_size")
    expect(note === undefined ? "" : explain(note)).toContain("10 %, not 20 %")
    expect(told(bot({ buyPercent: 0 }), "buy", { buyPercentage: 20 })).toBe("zero_buy_percentage")
    expect(told(bot(), "buy", { buyPercentage: 0 })).toBe("zero_buy_percentage")
  })

  test("of the alert is kept while the trailing buy waits", () => {
    const live = bot({ trailingBuy: { percent: 5 } })
    told(live, "buy", { buyPercentage: 20 })
    live.tick(SPOT, 100, 1)
    live.tick(SPOT, 105, 2)
    live.fillAll()
    expect(quantityOn(live)).toBeCloseTo(2000 / 105, 5)
  })
})

test("a close for whichever side is held closes a short too", () => {
  const live = bot()
  told(live, "short")
  expect(told(live, "close_long", { eitherSide: true })).toBe("closed")
  expect(told(live, "close_long", { eitherSide: true })).toBe("no_position")
})
