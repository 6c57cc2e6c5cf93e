// Changes of strategies while they trade.
import { describe, expect } from "bun:test"
import { Effect, Exit, TestClock } from "effect"
import { ExchangeAccountId } from "../../src/domain/Arming.ts"
import { unsafeFromText as decimal } from "../../src/domain/Decimal.ts"
import { Pair } from "../../src/domain/Market.ts"
import { StrategyId } from "../../src/domain/StrategyId.ts"
import * as Memory from "../../src/Memory.ts"
import { Bots } from "../../src/services/Bots.ts"
import { Markets } from "../../src/services/Markets.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { Signals } from "../../src/services/Signals.ts"
import { Strategies } from "../../src/services/Strategies.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { Timeline } from "../../src/services/Timeline.ts"
import { layer } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import { aSignal, sender } from "../services/ports.ts"

// What happens to bots when their strategies, signals and markets change under them.
const it = layer(Memory.layer())
const BTC = { exchange: "binance", pair: Pair.make("BTC/USDT"), kind: "spot" } as const

describe("the followers of a signal", () => {
  it.effect("answer each alert once, in every account, and no other strategy does", () =>
    Effect.gen(function* () {
      const ann = yield* Flow.ann()
      const bob = yield* sender("bob")
      const others = yield* Effect.forEach([1, 2, 3], () =>
        Flow.aStrategy(ann.account, { signal_id: ann.signal })
      )
      const idle = yield* Flow.aStrategy(ann.account)
      const his = yield* Flow.aStrategy(bob.account, { signal_id: ann.signal, buy_percentage: 50 })
      yield* Flow.quote(100)
      const types = ["buy", "buy", "sell", "sell", "buy", "long"] as const
      const alerts = yield* Effect.forEach(types, (type) => Flow.say(ann.identity, ann.signal, type))
      yield* TestClock.adjust("10 seconds")
      const timeline = yield* Timeline
      const hers = yield* timeline.outcomes(ann.account, alerts)
      const bobs = yield* timeline.outcomes(bob.account, alerts)
      const expected = ["opened", "already_open", "closed", "no_position", "opened", "no_price"]
      for (const strategy of [ann.strategy, ...others]) {
        expect(hers.filter((it) => it.strategyId === strategy).map(({ reason }) => String(reason))).toEqual(
          expected
        )
      }
      expect(bobs.map(({ reason, strategyId }) => [strategyId, String(reason)])).toEqual(
        expected.map((reason) => [his, reason])
      )
      expect(hers).toHaveLength(4 * types.length)
      expect(yield* Flow.botOf(idle)).toBeUndefined()
      expect(yield* Flow.holds(his)).toEqual(["BTC/USDT spot long 49.95 @ 100"])
      // Another account's alert is hidden, but the own strategy's outcome is on its timeline.
      expect(yield* Flow.rulesOf(bob.account, his)).toContain("alert")
    })
  )

  it.effect("act on no alert from before they followed", () =>
    Effect.gen(function* () {
      const ann = yield* Flow.ann()
      yield* Flow.quote(100)
      const late = yield* Flow.aStrategy(ann.account)
      // The alert is sent, but not judged yet.
      const alert = yield* Flow.send(ann.identity, ann.signal, "buy")
      yield* Flow.update(ann.account, late, { signal_id: ann.signal })
      const later = yield* Flow.aStrategy(ann.account, { signal_id: ann.signal })
      yield* Flow.caughtUp
      expect(yield* Flow.became(ann.account, alert)).toEqual(["opened"])
      expect(yield* Flow.botOf(late)).toBeUndefined()
      expect(yield* Flow.botOf(later)).toBeUndefined()
      // The same holds for an alert without followers, of which nothing was stored.
      const lonely = yield* (yield* Signals).create(ann.account, aSignal())
      const unheard = yield* Flow.send(ann.identity, lonely.id, "buy")
      yield* Flow.update(ann.account, late, { signal_id: lonely.id })
      yield* Flow.caughtUp
      expect(yield* Flow.became(ann.account, unheard)).toEqual([])
      expect(yield* Flow.botOf(late)).toBeUndefined()
    })
  )

  it.effect("still answer earlier alerts after they have left the signal", () =>
    Effect.gen(function* () {
      const ann = yield* Flow.ann()
      yield* Flow.quote(100)
      const before = yield* Flow.send(ann.identity, ann.signal, "buy")
      yield* Flow.update(ann.account, ann.strategy, { signal_id: null })
      const after = yield* Flow.say(ann.identity, ann.signal, "sell")
      expect(yield* Flow.became(ann.account, before)).toEqual(["opened"])
      expect(yield* Flow.became(ann.account, after)).toEqual([])
      expect(yield* Flow.holds(ann.strategy)).toEqual(["BTC/USDT spot long 10 @ 100"])
    })
  )

  it.effect("are detached when it is made private or deleted, and their exits continue", () =>
    Effect.gen(function* () {
      const ann = yield* Flow.ann({ stop_loss: true, stop_loss_percentage: 5 })
      const bob = yield* sender("bob")
      const his = yield* Flow.aStrategy(bob.account, { signal_id: ann.signal })
      const signals = yield* Signals
      yield* Flow.quote(100)
      yield* Flow.say(ann.identity, ann.signal, "buy")
      yield* signals.update(ann.account, ann.signal, { public: false })
      const sell = yield* Flow.say(ann.identity, ann.signal, "sell")
      expect(yield* Flow.became(ann.account, sell)).toEqual(["closed"])
      expect(yield* Flow.holds(his)).toHaveLength(1)
      yield* Flow.say(ann.identity, ann.signal, "buy")
      yield* signals.remove(ann.account, ann.signal)
      expect(yield* Flow.rulesOf(ann.account, ann.strategy)).toContain("signal_detached")
      yield* Flow.quote(95)
      expect((yield* Flow.tradesOf(ann.strategy)).map(Flow.told)).toEqual([
        "long 10 @ 100 -> 100 signal x1",
        "long 9.998 @ 100 -> 95 stop_loss x1"
      ])
      // Bob's strategy has no stop.
      expect(yield* Flow.holds(his)).toHaveLength(1)
    })
  )
})

describe("markets", () => {
  it.effect("a market closed for buying and an exchange that is switched off take no entries", () =>
    Effect.gen(function* () {
      const ann = yield* Flow.ann({ stop_loss: true, stop_loss_percentage: 5 })
      const markets = yield* Markets
      yield* Flow.quote(100)
      yield* Flow.say(ann.identity, ann.signal, "buy")
      yield* markets.switchExchange("binance", false)
      yield* Flow.quote(95)
      expect(yield* Flow.holds(ann.strategy)).toEqual([])
      const off = yield* Flow.say(ann.identity, ann.signal, "buy")
      yield* markets.switchExchange("binance", true)
      yield* markets.switchMarket(BTC, { buyEnabled: false })
      const closed = yield* Flow.say(ann.identity, ann.signal, "buy")
      expect(yield* Flow.became(ann.account, off)).toEqual(["market_closed_for_buying"])
      expect(yield* Flow.became(ann.account, closed)).toEqual(["market_closed_for_buying"])
    })
  )

  it.effect("a held entry uses the exchange that new settings choose for it", () =>
    Effect.gen(function* () {
      const both = (["binance", "bybit"] as const).map((exchange_name) => ({
        exchange_name,
        coin_pairs: ["BTC/USDT"]
      }))
      const ann = yield* Flow.ann({ exchanges: both })
      const alert = yield* Flow.say(ann.identity, ann.signal, "buy")
      yield* Flow.update(ann.account, ann.strategy, { default_exchange_name: "bybit" })
      yield* Flow.quote(100, { exchange: "bybit" })
      expect(yield* Flow.became(ann.account, alert)).toEqual(["opened"])
    })
  )
})

layer(Memory.layer({ patience: { entryMs: 5_000, priceMs: 60_000 } })).effect(
  "an entry that became too old while it waited is stale",
  () =>
    Effect.gen(function* () {
      const ann = yield* Flow.ann()
      const alert = yield* Flow.say(ann.identity, ann.signal, "buy")
      yield* TestClock.adjust(5_000)
      expect(yield* Flow.became(ann.account, alert)).toEqual([])
      yield* TestClock.adjust(200)
      expect(yield* Flow.became(ann.account, alert)).toEqual(["stale"])
      yield* Flow.quote(100)
      expect(yield* Flow.holds(ann.strategy)).toEqual([])
    })
)

describe("deleting a strategy", () => {
  it.effect("closes its position at the last price, however old, and answers held alerts", () =>
    Effect.gen(function* () {
      const ann = yield* Flow.ann()
      const portfolio = yield* Portfolio
      yield* Flow.quote(100)
      yield* Flow.quote(50, { pair: "ETH/USDT" })
      yield* Flow.say(ann.identity, ann.signal, "buy")
      yield* Flow.say(ann.identity, ann.signal, "buy", { pair: "ETH/USDT" })
      yield* Flow.quote(110)
      yield* TestClock.adjust("11 seconds")
      const sell = yield* Flow.say(ann.identity, ann.signal, "sell")
      const long = yield* Flow.say(ann.identity, ann.signal, "long")
      const unseen = yield* Flow.send(ann.identity, ann.signal, "short")
      yield* (yield* Strategies).remove(ann.account, ann.strategy)
      expect((yield* Flow.tradesOf(ann.strategy)).map(Flow.told).sort()).toEqual([
        "long 10 @ 100 -> 110 strategy_deleted x1",
        "long 19.998 @ 50 -> 50 strategy_deleted x1"
      ])
      for (const alert of [sell, long, unseen]) expect(yield* Flow.became(ann.account, alert)).toHaveLength(1)
      expect(yield* portfolio.waiting).toEqual([])
      // The deleted strategy has no outcome.
      const after = yield* Flow.say(ann.identity, ann.signal, "buy")
      expect(yield* Flow.became(ann.account, after)).toEqual([])
      expect(Exit.isFailure(yield* Effect.exit((yield* Strategies).get(ann.account, ann.strategy)))).toBe(
        true
      )
      yield* Flow.quote(120)
      expect(yield* Flow.tradesOf(ann.strategy)).toHaveLength(2)
    })
  )

  it.effect("works with a trailing buy armed, and without a bot", () =>
    Effect.gen(function* () {
      const ann = yield* Flow.ann({ strategy_trailing_buy_switch: true, trailing_buy_percentage: 1 })
      const strategies = yield* Strategies
      const fresh = yield* Flow.aStrategy(ann.account)
      yield* strategies.remove(ann.account, fresh)
      yield* Flow.quote(100)
      yield* Flow.say(ann.identity, ann.signal, "buy")
      yield* strategies.remove(ann.account, ann.strategy)
      yield* Flow.quote(102)
      expect(yield* Flow.tradesOf(ann.strategy)).toEqual([])
      expect(yield* strategies.list(ann.account, {})).toEqual([])
    })
  )

  it.effect("of another account is refused, and the strategy goes on trading", () =>
    Effect.gen(function* () {
      const ann = yield* Flow.ann({ public: true })
      const bob = yield* sender("bob")
      const strategies = yield* Strategies
      yield* Flow.quote(100)
      yield* Flow.say(ann.identity, ann.signal, "buy")
      const removed = yield* Effect.exit(strategies.remove(bob.account, ann.strategy))
      const updated = yield* Effect.exit(strategies.update(bob.account, ann.strategy, { active: false }))
      expect([Exit.isFailure(removed), Exit.isFailure(updated)]).toEqual([true, true])
      expect(yield* Flow.holds(ann.strategy)).toHaveLength(1)
    })
  )
})

describe("concurrent changes", () => {
  it.effect("to one strategy do not undo each other", () =>
    Effect.gen(function* () {
      const ann = yield* Flow.ann()
      yield* Effect.all(
        [
          Flow.update(ann.account, ann.strategy, { stop_loss: true, stop_loss_percentage: 5 }),
          Flow.update(ann.account, ann.strategy, { sell_minprofitpercent: 3 }),
          Flow.update(ann.account, ann.strategy, { buy_percentage: 33 })
        ],
        { concurrency: "unbounded" }
      )
      const view = yield* (yield* Strategies).get(ann.account, ann.strategy)
      expect(view).toMatchObject({ stop_loss_percent: 5, min_profit_percent: 3, buy_percentage: 33 })
    })
  )

  it.effect("cannot change the currency below a position that opens meanwhile", () =>
    Effect.gen(function* () {
      const exchanges = [{ exchange_name: "binance", coin_pairs: ["BTC/USDT", "ETH/BTC"] }] as const
      const ann = yield* Flow.ann({ exchanges })
      yield* Flow.quote(100)
      // The alert is stored, and judged after the update.
      yield* Flow.send(ann.identity, ann.signal, "buy")
      const exit = yield* Effect.exit(
        Flow.update(ann.account, ann.strategy, { default_quote_currency: "BTC" })
      )
      expect(Exit.isFailure(exit)).toBe(true)
      expect(yield* Flow.holds(ann.strategy)).toHaveLength(1)
      const absent = StrategyId.make(999)
      const standings = yield* (yield* Bots).standings(
        [ann.strategy, absent].map((id) => ({ account: ann.account, id }))
      )
      expect(standings.get(ann.strategy)?.holdings).toHaveLength(1)
      expect(standings.has(absent)).toBe(false)
    })
  )

  it.effect("cannot change the currency of an armed strategy until it is on paper again", () =>
    Effect.gen(function* () {
      const exchanges = [{ exchange_name: "binance", coin_pairs: ["BTC/USDT", "ETH/BTC"] }] as const
      const ann = yield* Flow.ann({ exchanges })
      const strategy = yield* (yield* StrategyStore).get(ann.account, ann.strategy)
      const bots = yield* Bots
      yield* bots.arm(strategy, {
        account: ExchangeAccountId.make(1),
        ...{ capital: decimal("1000"), maxOrder: decimal("100"), maxDailyLoss: decimal("50"), protect: false }
      })
      const change = Flow.update(ann.account, ann.strategy, { default_quote_currency: "BTC" })
      expect(yield* Effect.flip(change)).toMatchObject({
        errors: { default_quote_currency: ["cannot change while the bot is armed: disarm it first"] }
      })
      yield* Flow.update(ann.account, ann.strategy, { name: "still in USDT" })
      yield* bots.disarm(strategy, { close: false, forget: false })
      yield* change
      expect((yield* Flow.botOf(ann.strategy))?.state.quote).toBe("BTC")
    })
  )

  it.effect("by alerts, prices, updates and readers leave every alert answered", () =>
    Effect.gen(function* () {
      const ann = yield* Flow.ann({ stop_loss: true, stop_loss_percentage: 2 })
      const signal = yield* (yield* Signals).create(ann.account, aSignal())
      const more = yield* Effect.forEach([1, 2, 3, 4], () =>
        Flow.aStrategy(ann.account, { signal_id: signal.id })
      )
      yield* Flow.quote(100)
      const alerts = Effect.forEach(
        Array.from({ length: 60 }, (_, index) => index),
        (index) => Flow.send(ann.identity, signal.id, index % 2 === 0 ? "buy" : "sell"),
        { concurrency: 7 }
      )
      const prices = Effect.forEach([101, 99, 96, 100, 103], (price) => Flow.quote(price))
      const updates = Effect.forEach(more, (id, index) =>
        Flow.update(ann.account, id, { buy_percentage: index + 1 })
      )
      const [ids] = yield* Effect.all([alerts, prices, updates], { concurrency: "unbounded" })
      yield* Flow.caughtUp
      const outcomes = yield* (yield* Timeline).outcomes(ann.account, ids)
      expect(outcomes).toHaveLength(60 * more.length)
      expect(yield* (yield* Portfolio).waiting).toEqual([])
    })
  )
})
