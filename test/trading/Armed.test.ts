import { describe, expect, test } from "bun:test"
import { ExchangeAccountId } from "../../src/domain/Arming.ts"
import type { Slot } from "../../src/domain/Bot.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { marketKey } from "../../src/domain/Market.ts"
import type { Order } from "../../src/domain/Order.ts"
import * as Bot from "../../src/trading/Bot.ts"
import type { Decision } from "../../src/trading/Decision.ts"
import { armedNote, onPaper } from "../../src/trading/LiveSwitch.ts"
import { explain } from "../../src/trading/Notes.ts"
import { approve } from "../../src/trading/Risk.ts"
import { watch } from "../../src/trading/Watch.ts"
import { Live, SPOT, SWAP } from "./live.ts"
import { MINUTE, market, settings } from "./scenario.ts"

const DAY = 1_440 * MINUTE
const money = Decimal.unsafeFromText
const told = ({ notes }: Decision) => notes.map((note) => `${note.rule} ${note.reason ?? ""}`.trim())
const ordered = ({ orders }: Decision) =>
  orders.map(
    (order) =>
      `${order.purpose} ${order.type} ${Decimal.toText(order.quantity)}@${order.price} ${order.exitReason ?? ""}`
  )
const orderOf = (slot: Slot | undefined): Order => {
  if (slot?.order === undefined) throw new Error("nothing is in flight")
  return slot.order
}
/** A live bot at a price of 100, with a position of what its settings buy. */
const holding = (over: Parameters<typeof settings>[0] = {}, terms: Parameters<Live["arm"]>[0] = {}) => {
  const live = new Live(settings({ buyPercent: 10, ...over })).arm(terms)
  live.quote(SPOT, 100).quote(SWAP, 100).alert("buy")
  live.fillAll()
  return live
}

describe("arming", () => {
  test("starts a period of its own with the capital, and so does returning to paper", () => {
    const live = new Live()
    live.now = 3 * DAY + 5
    live.arm({ capital: "500" })
    const { baseline, cash, period, startingBalance } = live.state
    expect([cash, baseline, startingBalance].map(Decimal.toText)).toEqual(["500", "500", "500"])
    expect([period, live.state.live?.day?.start, live.state.live?.since]).toEqual([2, 3 * DAY, 3 * DAY + 5])
    const paper = onPaper(live.state, money("10000"))
    expect([paper.period, paper.live, Decimal.toText(paper.cash)]).toEqual([3, undefined, "10000"])
    expect(live.state.live && explain(armedNote(live.state.live))).toBe(
      "Armed: trades with real money from here; capital 500, most an order 10000, most a day may lose 10000."
    )
  })

  test("ends the cooldown of a balance rule, which the next period does not inherit", () => {
    const live = holding({
      buyPercent: 50,
      balanceStopLoss: { triggerPercent: 10, cooldownMinutes: 60 }
    })
    live.tick(SPOT, 70, 1)
    live.fillAll()
    expect([live.state.stopLossUntil, live.alert("buy")]).toEqual([61 * MINUTE, "cooldown"])
    live.state = onPaper(live.state, money("10000"))
    expect([live.state.stopLossUntil, live.alert("buy")]).toEqual([undefined, "opened"])
  })

  test("stamps every order with its destination and every trade with its period", () => {
    const live = holding()
    const { orders } = live.decisions[0] ?? { orders: [] }
    expect(orders[0]?.live).toEqual({ account: ExchangeAccountId.make(7), tag: "00ff" })
    live.alert("sell")
    live.fillAll()
    const [trade] = live.decisions.flatMap(({ trades }) => trades)
    expect([trade?.period, trade?.live]).toEqual([2, true])
  })

  test("leaves no trace on a paper bot", () => {
    const live = new Live()
    live.quote(SPOT, 100).alert("buy")
    const [entry] = live.fillAll(live.decisions[0])
    live.alert("sell")
    live.fillAll()
    const [trade] = live.decisions.flatMap(({ trades }) => trades)
    expect([entry, trade].map((it) => it !== undefined && "live" in it)).toEqual([false, false])
    expect(trade !== undefined && "period" in trade).toBe(false)
  })
})

describe("entries that are barred", () => {
  const bars: Record<string, (live: Live) => void> = {
    halted: (live) => {
      live.halted = true
    },
    disarming: (live) => live.decide({ _tag: "Disarmed", close: false, forget: false }),
    daily_loss: (live) => {
      live.state = { ...live.state, cash: money("8899") }
    },
    over_max_order: (live) => live.arm({ maxOrder: "999" })
  }
  for (const [reason, bar] of Object.entries(bars)) {
    test(`${reason}: the alert is answered with it and no order is made`, () => {
      const live = new Live(settings({ buyPercent: 10 })).arm({ maxDailyLoss: "100" }).quote(SPOT, 100)
      bar(live)
      expect(live.alert("buy")).toBe(reason)
      expect(live.decisions.flatMap(({ orders }) => orders)).toEqual([])
    })

    test(`${reason}: the risk gate refuses an entry by itself and lets exits pass`, () => {
      const live = holding({}, { maxDailyLoss: "100" })
      const entry = live.decisions[0]?.orders[0]
      bar(live)
      if (reason === "daily_loss") live.decide({ _tag: "Time" })
      const held = live.slot()?.position
      if (entry === undefined || (held === undefined && reason !== "over_max_order"))
        throw new Error("nothing to try")
      const gate = (order: Order) =>
        approve(order, "other", live.state, { market: () => market(SPOT), halted: live.halted })
      expect(gate(entry)).toMatchObject({ left: reason })
      expect(gate({ ...entry, purpose: "dca" })).toMatchObject({ left: reason })
      const exit = { ...entry, purpose: "exit" as const, side: "sell" as const }
      if (held !== undefined)
        expect(
          approve(exit, "binance:BTC/USDT:spot", live.state, {
            market: () => market(SPOT),
            halted: live.halted
          })._tag
        ).toBe("Right")
    })
  }

  test("of several reasons the first of halted, disarming, daily_loss wins; over_max_order comes last", () => {
    const live = new Live(settings({ buyPercent: 0 }))
      .arm({ maxOrder: "1", maxDailyLoss: "1" })
      .quote(SPOT, 100)
    expect(live.alert("buy")).toBe("zero_buy_percentage")
    live.state = { ...live.state, cash: money("1") }
    expect(live.alert("buy")).toBe("daily_loss")
    live.decide({ _tag: "Disarmed", close: false, forget: false })
    expect(live.alert("buy")).toBe("disarming")
    live.halted = true
    expect(live.alert("buy")).toBe("halted")
    expect(live.alert("sell")).toBe("no_position")
  })

  test("perpetual_in_use comes after bad_target and before the sizes, and bars entries only", () => {
    const live = new Live(settings({ buyPercent: 10 })).arm().quote(SPOT, 100).quote(SWAP, 100)
    live.inUse.add(marketKey(SWAP))
    expect(live.alert("long", { tp: 90 })).toBe("bad_target")
    expect([live.alert("long"), live.alert("short")]).toEqual(["perpetual_in_use", "perpetual_in_use"])
    // Too small for any market, and told as what comes first.
    live.chosen = settings({ buyPercent: 0.0000001 })
    expect([live.alert("long"), live.alert("buy")]).toEqual(["perpetual_in_use", "below_min_notional"])
    live.chosen = settings({ buyPercent: 0 })
    expect(live.alert("long")).toBe("zero_buy_percentage")
    live.chosen = settings({ buyPercent: 10 })
    // The pair's spot market is nobody's; what is open is averaged into and closed, whoever is there by now.
    expect(live.alert("buy")).toBe("opened")
    live.inUse.clear()
    expect(live.alert("long")).toBe("opened")
    live.fillAll()
    live.inUse.add(marketKey(SWAP))
    live.chosen = settings({
      buyPercent: 10,
      dca: { waitMinutes: 0, maxRetries: 1, triggerPercent: 5, orderSizePercent: 50 }
    })
    expect(ordered(live.tick(SWAP, 94, 1))).toEqual(["dca market 5.319148@94 "])
    live.fillAll()
    expect(live.alert("close_long")).toBe("closed")
  })

  test("the largest order includes its fee", () => {
    const live = new Live(settings({ buyPercent: 10, takerFeePercent: 0.1 }))
    expect(live.arm({ maxOrder: "1000.99" }).quote(SPOT, 100).alert("buy")).toBe("over_max_order")
    expect(live.arm({ maxOrder: "1001" }).alert("buy")).toBe("opened")
  })

  test("a halt bars entries and DCA on paper too, while exits continue", () => {
    const live = new Live(
      settings({
        buyPercent: 10,
        stopLoss: { percent: 20 },
        dca: { waitMinutes: 0, maxRetries: 3, triggerPercent: 5, orderSizePercent: 100 }
      })
    )
    live.quote(SPOT, 100).quote(SWAP, 100).alert("buy")
    live.fillAll()
    live.halted = true
    expect(live.alert("long")).toBe("halted")
    expect(live.tick(SPOT, 90, 1).orders).toEqual([])
    expect(live.tick(SPOT, 80, 2).orders.map(({ purpose }) => purpose)).toEqual(["exit"])
  })

  test("DCA continues once the halt has ended", () => {
    const dca = { waitMinutes: 0, maxRetries: 3, triggerPercent: 5, orderSizePercent: 100 }
    const live = holding({ dca })
    live.halted = true
    expect(live.tick(SPOT, 90, 1).orders).toEqual([])
    live.halted = false
    expect(live.decide({ _tag: "SettingsChanged" }).orders.map(({ purpose }) => purpose)).toEqual(["dca"])
  })

  test("a halt, disarming and a tripped day cancel a waiting entry", () => {
    const armed = () => {
      const live = new Live(settings({ buyPercent: 10, trailingBuy: { percent: 5 } })).arm({
        maxDailyLoss: "50"
      })
      live.quote(SPOT, 100).quote(SWAP, 100)
      expect(live.alert("buy")).toBe("trailing_buy_armed")
      return live
    }
    const halted = armed()
    halted.halted = true
    expect(told(halted.decide({ _tag: "SettingsChanged" }))).toEqual(["entry_cancelled halted"])
    const leaving = armed()
    expect(told(leaving.decide({ _tag: "Disarmed", close: false, forget: false }))).toEqual([
      "disarmed",
      "entry_cancelled disarmed"
    ])
    const tripped = armed()
    tripped.state = { ...tripped.state, cash: money("9949") }
    expect(told(tripped.tick(SPOT, 100, 1))).toEqual(["daily_loss", "entry_cancelled daily_loss"])
    for (const live of [halted, leaving, tripped]) expect(Bot.isFlat(live.state)).toBe(true)
  })

  test("a trailing buy that fires during a halt, or has grown too large, is dropped", () => {
    const live = new Live(settings({ buyPercent: 10, trailingBuy: { percent: 5 } })).arm()
    live.quote(SPOT, 100).alert("buy")
    live.halted = true
    const halted = live.tick(SPOT, 106, 1)
    expect([told(halted), halted.orders]).toEqual([["entry_dropped halted"], []])
    live.halted = false
    live.alert("buy")
    const terms = live.state.live
    if (terms === undefined) throw new Error("not armed")
    live.state = { ...live.state, live: { ...terms, maxOrder: money("10") } }
    const over = live.tick(SPOT, 112, 2)
    expect([told(over), over.orders]).toEqual([["entry_dropped over_max_order"], []])
  })

  test("a DCA entry larger than the largest order is skipped once, with a note", () => {
    const dca = { waitMinutes: 0, maxRetries: 3, triggerPercent: 5, orderSizePercent: 300 }
    const live = holding({ dca }, { maxOrder: "1500" })
    const first = live.tick(SPOT, 95, 1)
    expect([told(first), first.orders]).toEqual([["dca_skipped over_max_order"], []])
    expect(first.notes.map(explain)).toEqual([
      "Skipped a DCA entry in BTC/USDT at 95: the order would be larger than the strategy was armed for; free cash 9000."
    ])
    expect(told(live.tick(SPOT, 94, 2))).toEqual([])
  })
})

describe("the loss limit of a day", () => {
  const day = (live: Live) => {
    const held = live.state.live?.day
    return held && [held.start / DAY, Decimal.toText(held.equity), held.tripped === true]
  }

  test("an open loss trips the day: it is noted, entries stop until the day is over, nothing is sold", () => {
    const live = holding({ buyPercent: 50, takerFeePercent: 0.1 }, { maxDailyLoss: "500" })
    const before = live.tick(SPOT, 90.5, 1)
    expect([before.trip, told(before)]).toEqual([undefined, []])
    const trip = live.tick(SPOT, 90, 2)
    expect(trip.trip && [Decimal.toText(trip.trip.lost), Decimal.toText(trip.trip.most)]).toEqual([
      expect.stringMatching(/^50\d\.\d+$/),
      "500"
    ])
    expect([told(trip), trip.orders]).toEqual([["daily_loss"], []])
    expect(day(live)).toEqual([0, "10000", true])
    expect(live.tick(SPOT, 80, 3).trip).toBeUndefined()
    live.quote(SWAP, 100)
    expect(live.alert("long")).toBe("daily_loss")
    live.now = DAY
    const rolled = live.decide({ _tag: "Time" })
    expect([rolled.trip, told(rolled)]).toEqual([undefined, []])
    expect(day(live)?.slice(0, 3)).toEqual([1, expect.stringMatching(/^8991$/), false])
    expect(live.alert("long")).toBe("opened")
  })

  test("a realised loss trips the day with its fill, before anything else is entered", () => {
    const live = holding({ buyPercent: 50, stopLoss: { percent: 10 } }, { maxDailyLoss: "600" })
    live.tick(SPOT, 90, 1)
    const order = orderOf(live.slot())
    const filled = live.part(order, "50", 85, true)
    expect(filled.trip && Decimal.toText(filled.trip.lost)).toBe("750")
    live.quote(SPOT, 85)
    expect(live.alert("buy")).toBe("daily_loss")
  })

  test("a new day begins with the first event after midnight, however late", () => {
    const live = holding({ buyPercent: 50 }, { maxDailyLoss: "1000" })
    live.tick(SPOT, 95, 1)
    const late = live.tick(SPOT, 70, (5 * DAY) / MINUTE + 7)
    expect(late.trip).toBeUndefined()
    expect(day(live)).toEqual([5, "8500", false])
    expect(live.tick(SPOT, 50, (5 * DAY) / MINUTE + 8).trip?.lost).toEqual(money("1000"))
  })

  test("no day begins or trips while an open position has no price", () => {
    const live = holding({ buyPercent: 40 }, { maxDailyLoss: "1000" })
    live.alert("long")
    live.fillAll()
    live.blind(SWAP)
    expect(live.tick(SPOT, 10, 1).trip).toBeUndefined()
    live.tick(SPOT, 10, DAY / MINUTE + 1)
    expect(day(live)).toEqual([0, "10000", false])
    live.quote(SWAP, 100)
    live.decide({ _tag: "Time" })
    expect(day(live)).toEqual([1, "6400", false])
  })

  test("the watch contains the price at which the day trips, and midnight", () => {
    const live = holding({ buyPercent: 50 }, { maxDailyLoss: "500" })
    const window = () => watch(live.context, live.state).get("binance:BTC/USDT:spot")
    expect([window()?.below.toFixed(6), window()?.at]).toEqual(["90.000000", DAY])
    live.tick(SPOT, 90, 1)
    expect([window()?.below, window()?.at]).toEqual([Number.NEGATIVE_INFINITY, DAY])
  })

  test("a bot armed anew may lose the full limit again", () => {
    const live = new Live(settings({ buyPercent: 10 })).arm({ maxDailyLoss: "1" }).quote(SPOT, 100)
    live.state = { ...live.state, cash: money("9000") }
    expect(live.alert("buy")).toBe("daily_loss")
    expect(live.arm({ maxDailyLoss: "1" }).alert("buy")).toBe("opened")
  })
})

describe("disarming", () => {
  test("leaves open positions to their rules, without DCA", () => {
    const dca = { waitMinutes: 0, maxRetries: 3, triggerPercent: 5, orderSizePercent: 100 }
    const live = holding({ dca, stopLoss: { percent: 20 } })
    expect(live.decide({ _tag: "Disarmed", close: false, forget: false }).orders).toEqual([])
    expect(live.tick(SPOT, 90, 1).orders).toEqual([])
    live.tick(SPOT, 80, 2)
    const [exit] = live.fillAll()
    expect([exit?.exitReason, exit?.live?.tag, Bot.isFlat(live.state)]).toEqual(["stop_loss", "00ff", true])
    expect(live.state.live?.leaving).toBe(true)
  })

  test("with close sells everything at once, and what an order in flight still buys as soon as it fills", () => {
    const live = holding()
    live.alert("long")
    const decision = live.decide({ _tag: "Disarmed", close: true, forget: false })
    expect(ordered(decision)).toEqual(["exit market 10@100 disarmed"])
    const bought = live.part(orderOf(live.slot(SWAP)), "10", 100, true)
    expect(ordered(bought)).toEqual(["exit market 10@100 disarmed"])
    for (const id of [SPOT, SWAP]) live.part(orderOf(live.slot(id)), "10", 100, true)
    expect(Bot.isFlat(live.state)).toBe(true)
    expect(live.decisions.flatMap(({ trades }) => trades).map((trade) => trade.exitReason)).toEqual([
      "disarmed",
      "disarmed"
    ])
  })

  test("sells a position without a price at the first price that comes", () => {
    const live = holding().blind(SPOT)
    expect(live.decide({ _tag: "Disarmed", close: true, forget: false }).orders).toEqual([])
    expect(ordered(live.tick(SPOT, 97, 1))).toEqual(["exit market 10@97 disarmed"])
  })

  test("changes nothing on paper", () => {
    const live = new Live().quote(SPOT, 100)
    live.alert("buy")
    live.fillAll()
    expect(live.decide({ _tag: "Disarmed", close: true, forget: true })).toMatchObject({
      orders: [],
      changes: []
    })
  })
})

describe("a position that is astray", () => {
  const gone = (over: Parameters<typeof settings>[0] = {}) => {
    const live = holding({ stopLoss: { percent: 5 }, ...over })
    live.now = MINUTE
    live.decide({ _tag: "Astray", market: SPOT })
    return live
  }

  test("suspends the bot in its market only", () => {
    const dca = { waitMinutes: 0, maxRetries: 3, triggerPercent: 3, orderSizePercent: 100 }
    const live = gone({ dca, autoClose: { minutes: 30 } })
    expect(told(live.decisions.at(-1) ?? live.tick(SPOT, 1))).toEqual(["astray"])
    for (const price of [96, 94, 50, 200])
      expect(live.tick(SPOT, price, live.now / MINUTE + 10).orders).toEqual([])
    expect([live.alert("buy"), live.alert("sell")]).toEqual(["astray", "astray"])
    expect(live.decide({ _tag: "SettingsChanged" }).orders).toEqual([])
    expect(live.decide({ _tag: "Disarmed", close: true, forget: false }).orders).toEqual([])
    expect(live.alert("long")).toBe("disarming")
  })

  test("is noted once, never while an order is in flight or without a position", () => {
    const live = gone()
    expect(live.decide({ _tag: "Astray", market: SPOT }).changes).toEqual([])
    expect(live.decide({ _tag: "Astray", market: SWAP }).changes).toEqual([])
    const other = holding({ stopLoss: { percent: 5 } })
    other.tick(SPOT, 90, 1)
    expect(other.decide({ _tag: "Astray", market: SPOT }).changes).toEqual([])
  })

  test("is traded again once it is found", () => {
    const live = gone()
    live.quote(SPOT, 94)
    const found = live.decide({ _tag: "Found", market: SPOT })
    expect([told(found), ordered(found)]).toEqual([
      ["found", "closed stop_loss"],
      ["exit market 10@94 stop_loss"]
    ])
  })

  test("leaves the books when it is written off, which then balance, and is not bought or sold", () => {
    const live = gone()
    const decision = live.decide({ _tag: "Disarmed", close: false, forget: true })
    expect([told(decision), decision.orders, Bot.isFlat(live.state)]).toEqual([
      ["disarmed", "written_off"],
      [],
      true
    ])
    expect(
      decision.postings.map(({ lines, order }) => [
        order,
        ...lines.map(({ account, amount }) => `${account} ${Decimal.toText(amount)}`)
      ])
    ).toEqual([[undefined, "positions -1000", "written_off 1000"]])
    expect(decision.trades.map((trade) => [trade.exitReason, Decimal.toText(trade.pnl), trade.live])).toEqual(
      [["written_off", "-1000", true]]
    )
    expect([Decimal.toText(live.state.cash), live.tick(SPOT, 100, 2).trip]).toEqual(["9000", undefined])
  })

  test("is no loss of the day when it is written off", () => {
    const live = holding({ buyPercent: 40 }, { maxDailyLoss: "500" })
    live.alert("long")
    live.fillAll()
    live.tick(SPOT, 110, 1)
    live.decide({ _tag: "Astray", market: SPOT })
    live.decide({ _tag: "Disarmed", close: false, forget: true })
    expect(live.state.live?.day && Decimal.toText(live.state.live.day.equity)).toBe("5600")
    expect(live.tick(SWAP, 100, 2).trip).toBeUndefined()
  })

  test("is the only kind that forget writes off", () => {
    const live = holding()
    expect(live.decide({ _tag: "Disarmed", close: false, forget: true }).trades).toEqual([])
    expect(live.slot()?.position).toBeDefined()
  })
})
