// The adversary: a neighbour with hundreds of alerts that wait, who changes a strategy again and again meanwhile, on slow storage.
// Another's stop loss acts in time all the same. And storage whose reads fail, or alerts that meet a fault of ours, just as the
// only price comes that meets the stop.
import { describe, expect } from "bun:test"
import { Clock, Effect, Exit, Fiber, Layer, Option, TestClock } from "effect"
import { Pair } from "../../src/domain/Market.ts"
import { ofLast } from "../../src/domain/Ticker.ts"
import * as Memory from "../../src/Memory.ts"
import { DEFAULTS, EngineLimits } from "../../src/services/engine/EngineLimits.ts"
import { Journal } from "../../src/services/Journal.ts"
import { PriceFeed } from "../../src/services/PriceFeed.ts"
import { StorageUnavailable } from "../../src/services/records/StorageUnavailable.ts"
import { PriceEvent } from "../../src/services/Tickers.ts"
import { it } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import { slowCommits, slowly } from "../lib/slow.ts"

/** Ann, whose bot has bought with a stop loss at 95, and Bob, of whom so many alerts wait. */
const neighbours = Effect.fnUntraced(function* (many: number) {
  const ann = yield* Flow.ann({ stop_loss: true, stop_loss_percentage: 5 })
  const bob = yield* Flow.user("bob")
  const say = yield* Effect.fork(Flow.say(ann.identity, ann.signal, "buy"))
  yield* Effect.fork(Flow.quote(100))
  yield* TestClock.adjust("1 minute")
  yield* Fiber.join(say)
  const alerts = yield* Effect.forEach(Array(many).keys(), (count) =>
    Flow.send(bob.identity, bob.signal, count % 2 === 0 ? "buy" : "sell")
  )
  yield* Effect.fork(Flow.quote(100))
  yield* TestClock.adjust("1 second")
  const judged = Effect.map(
    Effect.forEach(alerts, (alert) => Flow.became(bob.account, alert)),
    (all) => all.filter(({ length }) => length > 0).length
  )
  return { ann, bob, judged }
})

/** The price that meets Ann's stop loss, and how long her bot takes (ms). */
const stopped = (ann: Flow.User) =>
  Effect.gen(function* () {
    const quotedAt = yield* Clock.currentTimeMillis
    yield* Effect.fork(Flow.quote(90))
    yield* TestClock.adjust("1 second")
    const [trade] = yield* Flow.tradesOf(ann.strategy)
    return (trade?.closedAt ?? Number.POSITIVE_INFINITY) - quotedAt
  })

describe("a neighbour's backlog", () => {
  it.effect("delays another's stop loss by the commit at hand, however many commits it takes", () =>
    Effect.gen(function* () {
      const { ann, judged } = yield* neighbours(600)
      expect(yield* stopped(ann)).toBeLessThanOrEqual(100)
      // His alerts are judged all the time, and some are left.
      const count = yield* judged
      expect(count).toBeGreaterThan(20)
      expect(count).toBeLessThan(600)
      yield* TestClock.adjust("1 minute")
    }).pipe(Effect.provide(Layer.fresh(slowly())))
  )

  it.effect("delays it no longer than a request's turn while he changes his strategy all the time", () =>
    Effect.gen(function* () {
      const { ann, bob, judged } = yield* neighbours(80)
      let tries = 0
      let changes = 0
      const change = Effect.suspend(() =>
        Flow.update(bob.account, bob.strategy, { buy_percentage: 1 + (tries++ % 90) })
      )
      const counted = Effect.map(Effect.exit(change), (exit) => {
        if (Exit.isSuccess(exit)) changes++
      })
      // One that was not answered in time is sent again.
      const changing = yield* Effect.fork(
        Effect.forever(Effect.zipRight(counted, Effect.sleep("100 millis")))
      )
      yield* TestClock.adjust("200 millis")
      expect(yield* judged).toBeLessThan(80)
      expect(yield* stopped(ann)).toBeLessThanOrEqual(300)
      expect(yield* judged).toBeLessThan(80)
      yield* TestClock.adjust("8 seconds")
      expect(changes).toBeGreaterThan(0)
      yield* Fiber.interruptFork(changing)
      yield* TestClock.adjust("15 seconds")
      expect(yield* judged).toBe(80)
    }).pipe(Effect.provide(Layer.fresh(slowly())))
  )
})

describe("alerts that cannot be read", () => {
  /** What a read of alerts after one dies with; undefined where it succeeds. */
  let fault: (cursor: number) => unknown = () => undefined
  const failing = Layer.effect(
    Journal,
    Effect.map(Journal, (inner) => ({
      ...inner,
      since: (cursor: number, limit: number) =>
        Effect.suspend(() => {
          const cause = fault(cursor)
          return cause === undefined ? inner.since(cursor, limit) : Effect.die(cause)
        })
    }))
  )
  const AWAY = new StorageUnavailable({ reason: "away" })
  const closed = (ann: Flow.User) =>
    Effect.map(Flow.tradesOf(ann.strategy), (all) =>
      all.map(({ closedAt, exitPrice }) => `${exitPrice} at ${closedAt}`)
    )

  /** Prices that come together. The second of a market waits for the order that the first one makes. */
  const quotes = (...some: ReadonlyArray<readonly [pair: string, price: number]>) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      yield* (yield* PriceFeed).publish(
        some.map(([pair, price]) =>
          PriceEvent.Quoted({
            market: { exchange: "binance", pair: Pair.make(pair), kind: "spot" },
            ticker: ofLast(price, now)
          })
        )
      )
    })
  /**
   * Ann, whose bot has bought BTC and ETH with a stop loss at 95, prices that meet both, in two slices, and an alert of Bob's
   * that `why` keeps from being read.
   */
  const unreadable = (why: unknown) =>
    Effect.gen(function* () {
      fault = () => undefined
      const ann = yield* Flow.ann({ stop_loss: true, stop_loss_percentage: 5 })
      const bob = yield* Flow.user("bob")
      yield* quotes(["BTC/USDT", 100], ["ETH/USDT", 100])
      yield* Flow.say(ann.identity, ann.signal, "buy")
      yield* Flow.say(ann.identity, ann.signal, "buy", { pair: "ETH/USDT" })
      fault = () => why
      yield* Flow.send(bob.identity, bob.signal, "buy")
      yield* Effect.fork(quotes(["BTC/USDT", 90], ["BTC/USDT", 91], ["ETH/USDT", 92]))
      return ann
    })

  it.effect("delay another's stop loss until the database is there, also where no other price comes", () =>
    Effect.gen(function* () {
      const ann = yield* unreadable(AWAY)
      yield* TestClock.adjust("2 seconds")
      expect(yield* closed(ann)).toEqual([])
      fault = () => undefined
      // It looks four times a second.
      yield* TestClock.adjust("1 second")
      expect(yield* closed(ann)).toEqual(["90 at 2250", "92 at 2250"])
    }).pipe(Effect.provide(Layer.fresh(Memory.layerWith(failing))))
  )

  it.effect("delay no stop loss where they meet a fault of ours", () =>
    Effect.gen(function* () {
      const ann = yield* unreadable(new Error("a fault of ours"))
      yield* TestClock.adjust("100 millis")
      expect(yield* closed(ann)).toEqual(["90 at 0", "92 at 0"])
    }).pipe(Effect.provide(Layer.fresh(Memory.layerWith(failing))))
  )

  it.effect("delay a candle until the database is there, and it is walked once", () =>
    Effect.gen(function* () {
      fault = () => undefined
      const ann = yield* Flow.ann({ stop_loss: true, stop_loss_percentage: 5 })
      yield* quotes(["BTC/USDT", 100])
      yield* Flow.say(ann.identity, ann.signal, "buy")
      fault = () => AWAY
      yield* Flow.send(ann.identity, ann.signal, "buy")
      const candle = { at: 0, open: 100, high: 101, low: 90, close: 92, volume: 1 }
      const feed = yield* PriceFeed
      const published = yield* Effect.fork(
        feed.publish([PriceEvent.Barred({ exchange: "binance", pair: Pair.make("BTC/USDT"), candle })])
      )
      yield* TestClock.adjust("10 seconds")
      expect(yield* closed(ann)).toEqual([])
      expect(Option.isNone(yield* Fiber.poll(published))).toBe(true)
      fault = () => undefined
      yield* TestClock.adjust("1 second")
      expect(yield* Flow.tradesOf(ann.strategy)).toHaveLength(1)
      expect(Option.isSome(yield* Fiber.poll(published))).toBe(true)
    }).pipe(Effect.provide(Layer.fresh(Memory.layerWith(failing))))
  )

  it.effect("hold up neither a stop loss nor later prices where they are those of a long backlog", () =>
    Effect.gen(function* () {
      fault = () => undefined
      const { ann } = yield* neighbours(200)
      // What is newer than his alerts can be read: half of his lane is left, more than a price waits for, and never refilled.
      fault = (cursor) => (cursor < 201 ? AWAY : undefined)
      yield* TestClock.adjust("4 seconds")
      expect(yield* stopped(ann)).toBeLessThanOrEqual(100)
      // A publisher waits until its price is taken in.
      const published = yield* Effect.fork(Flow.quote(90))
      yield* TestClock.adjust("1 second")
      expect(Option.isSome(yield* Fiber.poll(published))).toBe(true)
      expect(yield* Flow.tradesOf(ann.strategy)).toHaveLength(1)
      fault = () => undefined
    }).pipe(
      Effect.provide(Layer.fresh(Memory.layerWith(Layer.merge(failing, slowCommits())))),
      Effect.provideService(EngineLimits, { ...DEFAULTS, tasksPerAccount: 100 })
    )
  )
})
