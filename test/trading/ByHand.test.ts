// The owner's own orders as the pure bot decides them, with real money: an exchange that fills late, partly or not at
// all, a stop that rests there, and what stands in the way.
import { describe, expect, test } from "bun:test"
import * as Option from "effect/Option"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { Order } from "../../src/domain/Order.ts"
import type { ManualAct } from "../../src/domain/position/ManualOrder.ts"
import type { Decision } from "../../src/trading/Decision.ts"
import { explain } from "../../src/trading/Notes.ts"
import { Live, SPOT, SWAP } from "./live.ts"
import { market, settings } from "./scenario.ts"

type Over = Parameters<typeof settings>[0]
const there = (order: Order | undefined): Order => {
  if (order === undefined) throw new Error("there is no such order")
  return order
}
const close = (percent = 100): ManualAct => ({ _tag: "Close", percent })
const CANCEL: ManualAct = { _tag: "Cancel" }

/** Gives an order by hand, as the engine does: a refused one is not adopted. */
const byHand = (live: Live, act: ManualAct, id = SPOT): Decision => {
  const before = live.state
  const decision = live.decide({ _tag: "Manual", market: id, act })
  if (decision.manual?._tag === "Refused" || decision.manual?._tag === "Unfit") live.state = before
  return decision
}
const became = ({ cancels, manual, notes, orders }: Decision): ReadonlyArray<string> => [
  ...(manual?._tag === "Refused" ? [`${manual.reason}: ${manual.detail}`] : [String(manual?._tag)]),
  ...(manual?._tag === "Refused" ? [] : notes.map(({ reason, rule }) => `${rule} ${reason ?? ""}`.trim())),
  ...cancels.map(({ type }) => `take back ${type}`),
  ...orders.map(({ exitReason, purpose, quantity, side }) =>
    `${purpose} ${side} ${Decimal.toText(quantity)} ${exitReason ?? ""}`.trim()
  )
]

/** A live bot with a position of 10 at 100. */
const holding = (over: Over = {}, protect = false, steps: Parameters<typeof market>[1] = {}, id = SPOT) => {
  const live = new Live(settings({ buyPercent: 10, ...over }), (found) => market(found, steps)).arm({
    protect
  })
  live.quote(id, 100).alert(id === SPOT ? "buy" : "short")
  live.part(there(live.slot(id)?.order), "10", 100, true)
  return live
}

describe("a close by hand", () => {
  test("sells all or a part at the market, whatever bars entries or gates closing alerts", () => {
    const live = holding({ minProfitPercent: 50 })
    live.chosen = { ...live.chosen, active: false }
    live.halted = true
    live.quote(SPOT, 90)
    const part = byHand(live, close(40))
    expect(became(part)).toEqual(["Closing", "reduced manual", "exit sell 4 manual"])
    expect(part.notes.map(explain)).toEqual([
      "Ordered to sell 4 BTC on BTC/USDT at 90, 40 % of the position: closed by hand; at that price -10 % profit after fees, average 100; 6 BTC are left."
    ])
    live.part(there(live.slot()?.order), "4", 90, true)
    expect(became(byHand(live, close()))).toEqual(["Closing", "closed manual", "exit sell 6 manual"])
    const { trades } = live.part(there(live.slot()?.order), "6", 90, true)
    expect(trades.map(({ exitReason, exits }) => [exitReason, exits])).toEqual([["manual", 2]])
  })

  test("closes a short by buying", () => {
    const live = holding({}, false, {}, SWAP)
    expect(became(byHand(live, close(50), SWAP))).toEqual(["Closing", "reduced manual", "exit buy 5 manual"])
  })

  test("rounds a part down, closes all where the rest would be too small, and owes nothing", () => {
    const steps = { amountStep: "1", minAmount: "3", minCost: "0" }
    expect(became(byHand(holding({}, false, steps), close(59)))).toContain("exit sell 5 manual")
    const rest = byHand(holding({}, false, steps), close(80))
    expect(became(rest)).toContain("exit sell 10 manual")
    expect(rest.manual).toMatchObject({ plan: { closesAll: true, isRestTooSmall: true } })
    const live = holding({}, false, steps)
    expect(became(byHand(live, close(20)))).toEqual([
      "below_min_notional: that part is 2 BTC, worth 200 USDT: the market takes 3 BTC and 0 USDT at least"
    ])
    expect(live.slot()?.position?.owed).toBeUndefined()
  })

  test("cancels the stop at the exchange first, and sells once it has ended", () => {
    const live = holding({ stopLoss: { percent: 5 } }, true)
    expect(became(byHand(live, close(30)))).toEqual([
      "Closing",
      "stop_cancelled manual",
      "close_waits manual",
      "take back stop"
    ])
    expect(became(byHand(live, close(30)))).toEqual([
      "busy: the close of a part of it is decided already (closed by hand), and waits to be sent"
    ])
    // All of it takes the place of a part that waits.
    expect(became(byHand(live, close()))).toEqual(["Closing", "close_waits manual"])
    const after = live.end(there(live.slot()?.stop))
    expect(became(after)).toContain("exit sell 10 manual")
    expect(live.slot()?.stop).toBeUndefined()
  })

  test("sells what the stop left, where that fills first", () => {
    const live = holding({ stopLoss: { percent: 5 } }, true)
    byHand(live, close())
    live.part(there(live.slot()?.stop), "4", 95, true)
    expect(Decimal.toText(there(live.slot()?.order).quantity)).toBe("6")
    const { trades } = live.part(there(live.slot()?.order), "6", 95, true)
    expect(trades.map(({ exitReason }) => exitReason)).toEqual(["manual"])
  })

  test("is sent again for what did not fill, and never for more than is held", () => {
    const live = holding()
    byHand(live, close(40))
    const order = there(live.slot()?.order)
    live.part(order, "1", 90, false)
    live.end(order)
    live.tick(SPOT, 90, 2_000)
    expect(Decimal.toText(there(live.slot()?.order).quantity)).toBe("3")
    live.part(there(live.slot()?.order), "3", 90, true)
    expect(Decimal.toText(live.slot()?.position?.quantity ?? Decimal.zero)).toBe("6")
    live.tick(SPOT, 90, 60_000)
    expect(live.slot()?.order).toBeUndefined()
  })

  test("does not wait until a rejected exit of a rule may be sent again", () => {
    const live = holding({ stopLoss: { percent: 5 } })
    live.tick(SPOT, 90, 1)
    live.end(there(live.slot()?.order), "Rejected")
    expect(live.slot()?.order).toBeUndefined()
    expect(became(byHand(live, close()))).toEqual(["Closing", "closed manual", "exit sell 10 manual"])
  })

  const refusals: ReadonlyArray<readonly [what: string, live: () => Live, act: ManualAct, reason: string]> = [
    ["nothing is held", () => new Live().quote(SPOT, 100), close(), "no_position"],
    ["no price is known", () => holding().blind(SPOT), close(), "no_price"],
    [
      "an order of it is in flight",
      () => {
        const live = holding()
        byHand(live, close(10))
        return live
      },
      close(),
      "busy"
    ],
    [
      "its entry is still at the exchange",
      () => {
        const live = new Live(settings({ buyPercent: 10 })).arm().quote(SPOT, 100)
        live.alert("buy")
        return live
      },
      close(),
      "no_position"
    ],
    [
      "the exchange holds less",
      () => {
        const live = holding()
        live.decide({ _tag: "Astray", market: SPOT })
        return live
      },
      close(),
      "astray"
    ],
    ["nothing waits to be cancelled", () => holding(), CANCEL, "no_entry"],
    [
      "what is in flight is an exit",
      () => {
        const live = holding()
        byHand(live, close())
        return live
      },
      CANCEL,
      "no_entry"
    ],
    [
      "there is nothing to set targets for",
      () => new Live(),
      { _tag: "Targets", sl: Option.none() },
      "no_position"
    ]
  ]
  test.each(refusals)("an order by hand is refused where %s, and changes nothing", (_, make, act, reason) => {
    const live = make()
    const before = live.state
    expect(byHand(live, act).manual).toMatchObject({ _tag: "Refused", reason })
    expect(live.state).toBe(before)
  })
})

describe("a cancel by hand", () => {
  test("forgets an armed entry", () => {
    const live = new Live(settings({ buyPercent: 10, trailingBuy: { percent: 1 } })).arm().quote(SPOT, 100)
    live.alert("buy")
    expect(became(byHand(live, CANCEL))).toEqual(["EntryCancelled", "entry_cancelled manual"])
    live.tick(SPOT, 200, 1)
    expect(live.slot()).toBeUndefined()
  })

  test("keeps what an entry at the exchange has filled, and asks again as often as it is wanted", () => {
    const live = new Live(settings({ buyPercent: 10 })).arm().quote(SPOT, 100)
    live.alert("buy")
    const order = there(live.slot()?.order)
    expect(became(byHand(live, CANCEL))).toEqual(["Cancelling", "entry_ending entry", "take back market"])
    expect(became(byHand(live, CANCEL))).toEqual(["Cancelling", "entry_ending entry", "take back market"])
    live.part(order, "3", 100, false)
    expect(live.slot()?.entryEnding).toBe(true)
    live.end(order)
    expect(live.slot()).toMatchObject({ position: { entries: 1 } })
    expect([live.slot()?.order, live.slot()?.entryEnding]).toEqual([undefined, undefined])
    expect(Decimal.toText(live.slot()?.position?.quantity ?? Decimal.zero)).toBe("3")
  })

  test("forgets the second leg of a turn, and the first goes on", () => {
    const live = holding({}, false, {}, SWAP)
    live.alert("long", { reverse: true })
    expect(live.slot(SWAP)?.turn).toBeDefined()
    expect(became(byHand(live, CANCEL, SWAP))).toEqual(["EntryCancelled", "entry_cancelled manual"])
    live.part(there(live.slot(SWAP)?.order), "10", 100, true)
    expect(live.slot(SWAP)).toBeUndefined()
  })
})

describe("targets by hand", () => {
  const set = (tp?: number | null, sl?: number | null): ManualAct => ({
    _tag: "Targets",
    ...(tp === undefined ? {} : { tp: Option.fromNullable(tp) }),
    ...(sl === undefined ? {} : { sl: Option.fromNullable(sl) })
  })

  test("replace their own, leave the other, and are removed by none", () => {
    const live = holding()
    const targets = () => [live.slot()?.position?.tp, live.slot()?.position?.sl]
    byHand(live, set(120, 90))
    expect(targets()).toEqual([120, 90])
    byHand(live, set(130))
    expect(targets()).toEqual([130, 90])
    const removed = byHand(live, set(null))
    expect(targets()).toEqual([undefined, 90])
    expect(removed.notes.map(explain)).toEqual(["New targets by hand for BTC/USDT: tp removed."])
    byHand(live, set(undefined, null))
    expect(targets()).toEqual([undefined, undefined])
  })

  test("a target replaces a ladder, and none removes it", () => {
    const tps = [
      { price: 110, percent: 50 },
      { price: 120, percent: 50 }
    ]
    const laddered = () => {
      const live = new Live(settings({ buyPercent: 10 })).arm().quote(SPOT, 100)
      live.alert("buy", { tps })
      live.part(there(live.slot()?.order), "10", 100, true)
      expect(live.slot()?.position?.ladder?.steps).toEqual(tps)
      return live
    }
    const one = laddered()
    byHand(one, set(130))
    expect([one.slot()?.position?.ladder, one.slot()?.position?.tp]).toEqual([undefined, 130])
    const none = laddered()
    byHand(none, set(null))
    expect([none.slot()?.position?.ladder, none.slot()?.position?.tp]).toEqual([undefined, undefined])
    const stop = laddered()
    byHand(stop, set(undefined, 90))
    expect(stop.slot()?.position?.ladder?.steps).toEqual(tps)
  })

  test("on the wrong side of the market are refused with the price, and change nothing", () => {
    const live = holding()
    const before = live.state
    expect(byHand(live, set(100, 100)).manual).toEqual({
      _tag: "Unfit",
      tp: "must be above 100, what closing would get now",
      sl: "must be below 100, what closing would get now"
    })
    expect(live.state).toBe(before)
  })

  test("move the stop at the exchange", () => {
    const live = holding({ stopLoss: { percent: 5 } }, true)
    expect(became(byHand(live, set(undefined, 97)))).toEqual([
      "Retargeted",
      "targets_updated manual",
      "stop_cancelled moved",
      "take back stop"
    ])
    expect(live.end(there(live.slot()?.stop)).orders.map(({ price, type }) => [type, price])).toEqual([
      ["stop", 97]
    ])
  })
})
