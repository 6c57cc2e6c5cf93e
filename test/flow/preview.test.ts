// Test alerts predict what a real alert does.
import { expect } from "bun:test"
import { Effect, TestClock } from "effect"
import * as Memory from "../../src/Memory.ts"
import { Alerts } from "../../src/services/Alerts.ts"
import { Bots } from "../../src/services/Bots.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { Timeline } from "../../src/services/Timeline.ts"
import { layer } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import { cursorOf, sender } from "../services/ports.ts"

// A test alert's answer, and that it changes nothing. All scenarios of this folder check that the answer equals the
// outcome of a real alert.

/** Everything that is stored. */
const everything = (user: Flow.User) =>
  Effect.gen(function* () {
    const portfolio = yield* Portfolio
    return {
      bots: yield* portfolio.bots,
      waiting: yield* portfolio.waiting,
      unsettled: yield* portfolio.unsettled,
      fills: yield* portfolio.fills(user.strategy),
      cursor: yield* cursorOf(user.account),
      timeline: yield* (yield* Timeline).list(user.account, user.strategy, { limit: 500 }),
      alerts: yield* (yield* Alerts).list(user.account, { limit: 500 })
    }
  })

const tests = layer(Memory.layer())

tests.effect("a test alert explains sizes and prices in words, and changes nothing", () =>
  Effect.gen(function* () {
    const ann = yield* Flow.ann({ taker_fee: 0.1, stop_loss: true, stop_loss_percentage: 5 })
    yield* Flow.quote(100)
    const before = yield* everything(ann)
    const tried = yield* Flow.preview(ann.identity, ann.signal, "buy", { tp: 120 })
    expect(tried).toEqual([
      {
        strategy: ann.strategy,
        name: "Swing",
        reason: "opened",
        text: "an entry is ordered",
        steps: [
          "Ordered to buy 10 BTC on BTC/USDT at 100.",
          "Order: buy 10 BTC (spot) at about 100, 1000 USDT and a fee of 1 USDT."
        ]
      }
    ])
    expect(yield* Flow.preview(ann.identity, ann.signal, "buy", { tp: 120 })).toEqual(tried)
    expect(yield* everything(ann)).toEqual(before)
    yield* Flow.say(ann.identity, ann.signal, "buy")
    yield* Flow.quote(110)
    const open = yield* everything(ann)
    const [closing] = yield* Flow.preview(ann.identity, ann.signal, "sell")
    expect(closing?.reason).toBe("closed")
    expect(closing?.steps).toEqual([
      "Ordered to sell 10 BTC on BTC/USDT at 110: a closing alert; at that price 9.78 % profit after fees, average 100.",
      "Order: sell 10 BTC (spot) at about 110, 1100 USDT and a fee of 1.1 USDT."
    ])
    expect(yield* everything(ann)).toEqual(open)
    expect(yield* Flow.holds(ann.strategy)).toEqual(["BTC/USDT spot long 10 @ 100"])
  })
)

tests.effect("a test alert explains parts and added entries in words", () =>
  Effect.gen(function* () {
    const ann = yield* Flow.ann({ buy_percentage: 50, max_entries: 3 })
    yield* Flow.quote(100)
    yield* Flow.say(ann.identity, ann.signal, "buy")
    yield* Flow.quote(100)
    const tried = (type: "buy" | "sell", extras: Parameters<typeof Flow.preview>[3]) =>
      Effect.map(Flow.preview(ann.identity, ann.signal, type, extras), ([it]) => [it?.reason, it?.steps[1]])
    expect(yield* tried("sell", { closePercent: 40 })).toEqual([
      "reduced",
      "Order: sell 20 BTC (spot) at about 100, 2000 USDT and a fee of 2 USDT."
    ])
    expect(yield* tried("buy", { growth: 0.5 })).toEqual([
      "added",
      "Order: buy 25 BTC (spot) at about 100, 2500 USDT and a fee of 2.5 USDT."
    ])
    expect(yield* tried("buy", { buyPercentage: 10 })).toEqual([
      "added",
      "Order: buy 9.995 BTC (spot) at about 100, 999.5 USDT and a fee of 0.9995 USDT."
    ])
    expect(yield* Flow.holds(ann.strategy)).toEqual(["BTC/USDT spot long 50 @ 100"])
  })
)

tests.effect("a test alert leaves a trail where the price has brought it", () =>
  Effect.gen(function* () {
    const ann = yield* Flow.ann({ strategy_trailing_buy_switch: true, trailing_buy_percentage: 10 })
    yield* Flow.quote(100)
    yield* Flow.say(ann.identity, ann.signal, "buy")
    yield* Flow.quote(80)
    expect((yield* Flow.preview(ann.identity, ann.signal, "buy"))[0]?.reason).toBe("pending_entry")
    expect((yield* Flow.preview(ann.identity, ann.signal, "sell"))[0]?.reason).toBe("entry_cancelled")
    yield* Flow.quote(88)
    expect(yield* Flow.holds(ann.strategy)).toEqual([expect.stringContaining("spot long")])
  })
)

tests.effect("a test alert without a price says that it would wait, and is not kept", () =>
  Effect.gen(function* () {
    const ann = yield* Flow.ann()
    const [waits] = yield* Flow.preview(ann.identity, ann.signal, "buy")
    expect(waits).toMatchObject({
      reason: undefined,
      text: expect.stringContaining("fresh price"),
      steps: []
    })
    yield* Flow.quote(100)
    yield* TestClock.adjust("20 seconds")
    expect(yield* Flow.holds(ann.strategy)).toEqual([])
    const [stale] = yield* Flow.preview(ann.identity, ann.signal, "buy")
    expect(stale?.reason).toBeUndefined()
  })
)

tests.effect(
  "a test alert shows only the caller's own strategies, and only for a signal that takes alerts",
  () =>
    Effect.gen(function* () {
      const ann = yield* Flow.ann()
      const second = yield* Flow.aStrategy(ann.account, { signal_id: ann.signal, active: false })
      const bob = yield* sender("bob")
      yield* Flow.aStrategy(bob.account, { signal_id: ann.signal })
      yield* Flow.quote(100)
      const tried = yield* Flow.preview(ann.identity, ann.signal, "buy")
      expect(tried.map(({ reason, strategy }) => [strategy, reason])).toEqual([
        [ann.strategy, "opened"],
        [second, "strategy_inactive"]
      ])
      expect(yield* Effect.flip(Flow.preview(bob, ann.signal, "buy"))).toMatchObject({
        _tag: "SignalNotFound"
      })
      // The earlier alert is judged first.
      yield* Flow.send(ann.identity, ann.signal, "buy")
      expect((yield* Flow.preview(ann.identity, ann.signal, "buy"))[0]?.reason).toBe("already_open")
      yield* (yield* Bots).caughtUp
    })
)
