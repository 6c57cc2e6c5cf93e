// Partitions that an engine gives back and takes while its bots trade. The adversary hands them over between any two
// events: alerts that nobody judges, positions whose prices pass, orders that are on their way.
import { describe, expect } from "bun:test"
import { Effect, Exit, Fiber, Layer, Option, TestClock } from "effect"
import { type Partition, partitionOf } from "../../src/domain/Partition.ts"
import * as Memory from "../../src/Memory.ts"
import { EnginePartitions } from "../../src/services/engine/EnginePartitions.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { SeededRandom } from "../../src/testing/SeededRandom.ts"
import { layer } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import { sender } from "../services/ports.ts"

const it = layer(Memory.layer())
const take = (...some: ReadonlyArray<Partition>) => Effect.flatMap(EnginePartitions, (own) => own.take(some))
const release = (...some: ReadonlyArray<Partition>) =>
  Effect.flatMap(EnginePartitions, (own) => own.release(some))

/** Ann with her strategy, and Bob with one that follows her signal. */
const two = Effect.gen(function* () {
  const ann = yield* Flow.ann()
  const bob = yield* sender("bob")
  const his = yield* Flow.aStrategy(bob.account, { signal_id: ann.signal })
  return { ann, bob, his, hers: partitionOf(ann.account) }
})

describe("a partition that is released", () => {
  it.effect("keeps its alerts for whoever takes it, who judges each once, while others go on", () =>
    Effect.gen(function* () {
      const { ann, bob, hers, his } = yield* two
      yield* Flow.quote(100)
      yield* Flow.say(ann.identity, ann.signal, "buy")
      yield* release(hers)
      const sell = yield* Flow.send(ann.identity, ann.signal, "sell")
      yield* TestClock.adjust("2 seconds")
      expect(yield* Flow.became(bob.account, sell).pipe(Effect.exit, Effect.map(Exit.isSuccess))).toBe(false)
      expect(yield* Flow.holds(his)).toEqual([])
      expect(yield* Flow.became(ann.account, sell)).toEqual([])
      expect(yield* Flow.holds(ann.strategy)).toHaveLength(1)
      yield* take(hers)
      yield* Flow.caughtUp
      expect(yield* Flow.became(ann.account, sell)).toEqual(["closed"])
      expect(yield* Flow.holds(ann.strategy)).toEqual([])
      expect(yield* Flow.rulesOf(bob.account, his)).toEqual(yield* Flow.rulesOf(ann.account, ann.strategy))
    })
  )

  it.effect(
    "has its alerts judged as soon as it is taken, though no alert comes any more and nobody asks",
    () =>
      Effect.gen(function* () {
        const { ann, hers } = yield* two
        yield* Flow.quote(100)
        yield* Flow.say(ann.identity, ann.signal, "buy")
        yield* release(hers)
        const sell = yield* Flow.send(ann.identity, ann.signal, "sell")
        yield* TestClock.adjust("2 seconds")
        yield* take(hers)
        yield* TestClock.adjust("100 millis")
        expect(yield* Flow.became(ann.account, sell)).toEqual(["closed"])
      })
  )

  it.effect("answers no request of its accounts until it is taken again, and others are served", () =>
    Effect.gen(function* () {
      const { ann, bob, hers, his } = yield* two
      yield* release(hers)
      const refused = yield* Effect.exit(Flow.update(ann.account, ann.strategy, { buy_percentage: 5 }))
      expect(String(refused)).toContain("another process runs the bots of this account")
      yield* Flow.update(bob.account, his, { buy_percentage: 5 })
      yield* take(hers)
      yield* Flow.update(ann.account, ann.strategy, { buy_percentage: 5 })
    })
  )

  it.effect("stores the cursors of what it has judged, and takes them up again", () =>
    Effect.gen(function* () {
      const { ann, hers } = yield* two
      const cursor = Effect.flatMap(Portfolio, ({ cursors }) =>
        Effect.map(cursors, (all) => Number(all.get(hers)))
      )
      yield* Flow.quote(100)
      const buy = yield* Flow.say(ann.identity, ann.signal, "buy")
      yield* release(hers)
      expect(yield* cursor).toBe(buy)
      const more = yield* Flow.send(ann.identity, ann.signal, "buy")
      yield* TestClock.adjust("2 seconds")
      expect(yield* cursor).toBe(buy)
      yield* take(hers)
      yield* Flow.caughtUp
      expect(yield* cursor).toBe(more)
    })
  )
})

/** Storage whose commits stop for as long as this latch is closed. */
const open = Effect.unsafeMakeLatch(true)
const stopped = Memory.layerWith(
  Layer.effect(
    Portfolio,
    Effect.map(Portfolio, (inner) => ({
      ...inner,
      commit: (...commit: Parameters<typeof inner.commit>) => open.whenOpen(inner.commit(...commit))
    }))
  )
)

describe("a partition that runs no more", () => {
  it.effect("is given back without a turn, however long the bots of others store", () =>
    Effect.gen(function* () {
      const { ann, bob, hers, his } = yield* two
      yield* Flow.quote(100)
      yield* release(hers)
      yield* open.close
      yield* Flow.send(ann.identity, ann.signal, "buy")
      yield* TestClock.adjust("1 second")
      yield* release(hers)
      // Those that still run wait for the turn at hand.
      const released = yield* Effect.fork(release(partitionOf(bob.account)))
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.poll(released)).toEqual(Option.none())
      yield* open.open
      yield* Fiber.join(released)
      expect(yield* Flow.holds(his)).toHaveLength(1)
    }).pipe(Effect.provide(Layer.fresh(stopped)))
  )
})

describe("a partition whose lease ends before its turn has come", () => {
  it.effect("is not taken, because another engine may run it by then", () =>
    Effect.gen(function* () {
      const { hers } = yield* two
      yield* release(hers)
      const engine = yield* EnginePartitions
      let isLeased = true
      const taking = yield* Effect.fork(engine.take([hers], () => isLeased))
      isLeased = false
      yield* Fiber.join(taking)
      expect((yield* engine.held).has(hers)).toBe(false)
      yield* engine.take([hers], () => true)
      expect((yield* engine.held).has(hers)).toBe(true)
    })
  )
})

describe("a position that is handed over", () => {
  it.effect("keeps how far its trail has come", () =>
    Effect.gen(function* () {
      const trail = { trailing_sell: true, trailing_sell_arm: 4, trailing_sell_percentage: 2 }
      const ann = yield* Flow.ann(trail)
      const hers = partitionOf(ann.account)
      yield* Flow.quote(100)
      yield* Flow.say(ann.identity, ann.signal, "buy")
      for (const price of [106, 107]) yield* Effect.zipRight(Flow.quote(price), Flow.caughtUp)
      yield* release(hers)
      yield* take(hers)
      // Two percent below 107, and not below 106.
      yield* Flow.quote(104.5)
      yield* Flow.caughtUp
      expect((yield* Flow.tradesOf(ann.strategy)).map(({ exitReason }) => String(exitReason))).toEqual([
        "trailing_sell"
      ])
    })
  )
})

/** What a person does, and what prices do, in some sequence. */
const story = (seed: number) => {
  const dice = new SeededRandom(seed)
  return Array.from({ length: 40 }, () => ({
    what: dice.pick(["buy", "sell", "price", "price", "price", "pass", "edit"] as const),
    price: 80 + dice.below(40),
    isAwaited: dice.below(2) === 0,
    isHanded: dice.below(2) === 0,
    both: dice.below(2) === 0
  }))
}

/** Lives through a story; where `isHanded`, partitions are handed over between its events. */
const lived = (seed: number, isHanded: boolean) =>
  Effect.gen(function* () {
    const settings = {
      stop_loss: true,
      stop_loss_percentage: 5,
      sell_minprofitpercent: 3,
      buy_percentage: 40
    }
    const ann = yield* Flow.ann(settings)
    const bob = yield* Flow.user("bob", {
      ...settings,
      signal_id: ann.signal,
      trailing_sell: true,
      trailing_sell_arm: 4,
      trailing_sell_percentage: 2
    })
    const partitions = [ann.account, bob.account].map(partitionOf)
    const alerts: Array<number> = []
    for (const { both, isAwaited, isHanded: isNow, price, what } of story(seed)) {
      if (what === "buy" || what === "sell") alerts.push(yield* Flow.send(ann.identity, ann.signal, what))
      if (what === "price") yield* Flow.quote(price)
      if (what === "pass") yield* TestClock.adjust("3 seconds")
      if (what === "edit") yield* Flow.update(ann.account, ann.strategy, { buy_percentage: price - 70 })
      if (isHanded && isNow) {
        const some = partitions.slice(0, both ? 2 : 1)
        yield* release(...some)
        yield* take(...some)
      }
      if (isAwaited) yield* Flow.caughtUp
    }
    yield* Flow.caughtUp
    yield* TestClock.adjust("2 minutes")
    return yield* Effect.forEach([ann, bob], ({ account, strategy }) =>
      Effect.all({
        became: Effect.forEach(alerts, (alert) => Effect.option(Flow.became(account, alert))),
        rules: Flow.rulesOf(account, strategy),
        trades: Effect.map(Flow.tradesOf(strategy), (all) => all.map(Flow.told)),
        holds: Flow.holds(strategy)
      })
    )
  }).pipe(Effect.provide(Memory.layer()))

for (const seed of Array.from({ length: 6 }, (_, index) => index + 1))
  it.effect(`bots that are handed over live as if they were not: story ${seed}`, () =>
    Effect.gen(function* () {
      expect(yield* lived(seed, true)).toEqual(yield* lived(seed, false))
    })
  )

describe("a partition whose alerts wait since long ago", () => {
  /** How many alerts each question was about: which bots had judged them. */
  const asked: Array<number> = []
  const counted = Memory.layerWith(
    Layer.effect(
      Portfolio,
      Effect.map(Portfolio, (inner) => ({
        ...inner,
        judged: (alerts: Parameters<typeof inner.judged>[0]) =>
          Effect.suspend(() => {
            asked.push(alerts.length)
            return inner.judged(alerts)
          })
      }))
    )
  )

  it.effect(
    "is read with ever fewer questions, so that requests of all its server need not wait for many",
    () =>
      Effect.gen(function* () {
        const ann = yield* Flow.ann()
        const bob = yield* Flow.user("bob")
        yield* Flow.quote(100)
        const hers = partitionOf(ann.account)
        yield* release(hers)
        for (let count = 0; count < 1000; count++) yield* Flow.send(ann.identity, ann.signal, "sell")
        yield* Flow.caughtUp
        asked.length = 0
        yield* take(hers)
        yield* Flow.update(bob.account, bob.strategy, { buy_percentage: 5 })
        expect(asked).toEqual([50, 100, 200, 400, 250])
        yield* Flow.caughtUp
        expect(yield* Flow.became(ann.account, 1000)).toEqual(["no_position"])
      }).pipe(Effect.provide(Layer.fresh(counted)))
  )
})
