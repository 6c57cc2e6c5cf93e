// The sampler over bots that the test moves: a sample a minute, none while it is stopped, and a new beginning with a new
// period.
import { expect } from "bun:test"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/TestClock"
import { AccountId } from "../../src/domain/Account.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { Pair } from "../../src/domain/Market.ts"
import { StrategyId } from "../../src/domain/StrategyId.ts"
import * as Memory from "../../src/Memory.ts"
import { Bots } from "../../src/services/Bots.ts"
import type { BotSnapshot } from "../../src/services/engine/prices/BotSnapshots.ts"
import { EquityHistory } from "../../src/services/equity/EquityHistory.ts"
import * as EquitySampler from "../../src/services/equity/EquitySampler.ts"
import { StorageUnavailable } from "../../src/services/records/StorageUnavailable.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { settings } from "../../src/testing/Fixtures.ts"
import { total } from "../../src/trading/equity/HoldBasket.ts"
import type { Tracked } from "../../src/trading/equity/Tracking.ts"
import * as Performance from "../../src/trading/Performance.ts"
import { it } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import { onTemporaryFile, sender } from "./ports.ts"

const MINUTE = 60_000
const ONE = StrategyId.make(1)
const market = { exchange: "binance", pair: Pair.make("BTC/USDT"), kind: "spot" } as const

const holding = (quantity: number, price: number | undefined): BotSnapshot["holdings"][number] => ({
  market,
  side: "long",
  quantity: Decimal.fromNumber(quantity),
  average: 100,
  entries: 1,
  cost: Decimal.fromNumber(quantity * 100),
  ...(price === undefined ? {} : { closing: { price, value: 0, pnl: 0, percent: 0 } }),
  openedAt: 0,
  closesAt: undefined,
  isOrdering: false,
  entered: Decimal.fromNumber(quantity),
  exits: 0,
  levels: () => []
})

interface World {
  equity: number
  quantity: number
  price: number | undefined
  pairs: ReadonlyArray<string>
  period: number
  since: number
  isFull: boolean
  isUnread: boolean
  ids: ReadonlyArray<StrategyId>
  readonly stored: Array<Tracked>
  readonly latest: Map<StrategyId, Tracked>
}

/** Bots whose equity and positions a test sets, and what was stored of them; `isFull` refuses to store. */
const scene = () => {
  const world: World = {
    equity: 10_000,
    quantity: 0,
    price: 100,
    pairs: ["BTC/USDT"],
    period: 1,
    since: 0,
    isFull: false,
    isUnread: false,
    ids: [ONE],
    stored: [],
    latest: new Map()
  }
  const snapshot = (): BotSnapshot => {
    const isHeld = world.quantity > 0
    return {
      quote: "USDT",
      cash: Decimal.zero,
      equity: Decimal.fromNumber(world.equity),
      openPnl: 0,
      holdings: isHeld ? [holding(world.quantity, world.price)] : [],
      armed: [],
      coolingUntil: undefined,
      slots: isHeld ? { "binance:BTC/USDT:spot": market } : {},
      tally: Performance.begin(Decimal.fromNumber(10_000), world.since),
      period: world.period,
      pairPrices: () => world.pairs.map((name) => ({ name, price: world.price }))
    }
  }
  const bots = Layer.mock(Bots, {
    started: Effect.sync(() => world.ids.map((id) => ({ account: AccountId.make(1), id }))),
    standings: (all) => Effect.sync(() => new Map(Array.from(all, ({ id }) => [id, snapshot()])))
  })
  const history = Layer.mock(EquityHistory, {
    latest: () =>
      world.isUnread
        ? Effect.die(new StorageUnavailable({ reason: "locked" }))
        : Effect.sync(() => new Map(world.latest)),
    thin: () => Effect.succeed(false),
    store: (samples) =>
      Effect.suspend(() => {
        if (world.isFull) return Effect.die(new StorageUnavailable({ reason: "full" }))
        for (const { strategy, tracked } of samples) {
          world.stored.push(tracked)
          world.latest.set(strategy, tracked)
        }
        return Effect.void
      })
  })
  const services = Layer.merge(bots, history)
  return { world, services, layer: Layer.provide(EquitySampler.layer, services) }
}

/** Takes a sample at each minute from the first to the last, without the looks at the clock in between. */
const each = (sample: Effect.Effect<void>, first: number, last: number) =>
  Effect.forEach(
    Array.from({ length: last - first + 1 }, (_, index) => (first + index) * MINUTE),
    (at) => Effect.zipRight(TestClock.setTime(at), sample),
    { discard: true }
  )

const states = ({ stored }: World) => stored.map(({ state }) => state)

it.effect("a bot with a position is sampled once a minute, at its worth and exposure", () =>
  Effect.gen(function* () {
    const { layer, world } = scene()
    world.quantity = 50
    yield* Layer.build(layer)
    yield* TestClock.adjust("59 seconds")
    expect(world.stored).toEqual([])
    yield* TestClock.adjust("1 second")
    world.equity = 9000
    world.price = 80
    yield* TestClock.adjust("9 minutes")
    expect(states(world).map(({ at }) => at)).toEqual(
      Array.from({ length: 10 }, (_, index) => (index + 1) * MINUTE)
    )
    const last = states(world).at(-1)
    expect(last).toMatchObject({ starting: 10_000, equity: 9000, peak: 10_000, samples: 10, held: 10 })
    expect(last?.drawdown).toBeCloseTo(-0.1, 12)
    // 5000 of 10000 once, then 4000 of 9000.
    expect(last?.exposed).toBeCloseTo(50 + 9 * (400 / 9), 9)
  })
)

it.effect("a position whose price is gone for hours counts at its cost, and is sampled all the same", () =>
  Effect.gen(function* () {
    const { services, world } = scene()
    world.quantity = 20
    world.price = undefined
    const { sample } = yield* Effect.provide(EquitySampler.make, services)
    yield* each(sample, 1, 180)
    expect(world.stored).toHaveLength(180)
    const last = world.stored.at(-1)
    expect(last?.state.exposed).toBeCloseTo(180 * 20, 6)
    expect(last?.basket).toEqual({ part: 10_000, holdings: [{ name: "BTC/USDT", units: null, price: 0 }] })
  })
)

it.effect(
  "a bot with nothing open and the same equity is stored once an hour, and no minute is missing",
  () =>
    Effect.gen(function* () {
      const { services, world } = scene()
      const { sample } = yield* Effect.provide(EquitySampler.make, services)
      yield* each(sample, 1, 150)
      expect(states(world).map(({ at }) => at / MINUTE)).toEqual([1, 61, 121])
      expect(states(world).map(({ samples }) => samples)).toEqual([1, 61, 121])
      world.quantity = 1
      world.equity = 9990
      yield* each(sample, 151, 151)
      const last = states(world).at(-1)
      // The peak lasted until the minute before the position opened.
      expect(last).toMatchObject({ at: 151 * MINUTE, samples: 151, held: 1, peakAt: 150 * MINUTE })
    })
)

it.effect("while the server is stopped there are no samples, and a restart goes on from the last one", () =>
  Effect.gen(function* () {
    const { layer, world } = scene()
    world.quantity = 1
    yield* Effect.scoped(Effect.zipRight(Layer.build(layer), TestClock.adjust("2 minutes")))
    yield* TestClock.adjust("3 days")
    expect(world.stored).toHaveLength(2)
    yield* Effect.scoped(Effect.zipRight(Layer.build(layer), TestClock.adjust("1 minute")))
    expect(states(world).at(-1)).toMatchObject({ since: 0, samples: 3, days: 3 })
  })
)

it.effect("a new period begins anew", () =>
  Effect.gen(function* () {
    const { layer, world } = scene()
    world.quantity = 1
    yield* Layer.build(layer)
    yield* TestClock.adjust("2 minutes")
    world.period = 2
    world.since = 2.5 * MINUTE
    yield* TestClock.adjust("1 minute")
    expect(world.stored.at(-1)).toMatchObject({ period: 2, state: { since: 2.5 * MINUTE, samples: 1 } })
  })
)

it.effect("a sample that cannot be stored is lost, is reported once, and the next one is taken", () =>
  Effect.gen(function* () {
    const { layer, world } = scene()
    const warnings: Array<unknown> = []
    const logger = Logger.replace(
      Logger.defaultLogger,
      Logger.make(({ message }) => void warnings.push(message))
    )
    world.quantity = 1
    yield* Layer.build(Layer.provide(layer, logger))
    yield* TestClock.adjust("2 minutes")
    world.isFull = true
    world.equity = 1
    yield* TestClock.adjust("5 minutes")
    world.isFull = false
    world.equity = 10_000
    yield* TestClock.adjust("1 minute")
    expect(states(world).at(-1)).toMatchObject({ at: 8 * MINUTE, samples: 3, drawdown: 0 })
    expect(warnings).toHaveLength(1)
  })
)

/** The messages that are logged while the layer runs. */
const logged = () => {
  const messages: Array<string> = []
  const logger = Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ message }) => void messages.push(String(message)))
  )
  return { messages, logger }
}

it.effect(
  "a strategy whose stored equity is damaged is left out and told once, and the others are sampled",
  () =>
    Effect.gen(function* () {
      const { services, world } = scene()
      const store = yield* StrategyStore
      const { account } = yield* sender("ann")
      world.quantity = 1
      world.ids = [
        (yield* store.create(account, settings())).id,
        (yield* store.create(account, settings())).id,
        (yield* store.create(account, settings())).id
      ]
      const [, damaged] = world.ids
      const history = yield* EquityHistory
      const bots = Layer.succeed(Bots, yield* Effect.provide(Bots, services))
      const sampler = Effect.provide(
        EquitySampler.make,
        Layer.merge(bots, Layer.succeed(EquityHistory, history))
      )
      yield* (yield* sampler).sample
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE equity_states SET tracked = '{"period":"x"}' WHERE strategy_id = ${damaged ?? 0}`
      const { logger, messages } = logged()
      const restarted = yield* sampler
      for (let minute = 0; minute < 3; minute++) {
        yield* TestClock.adjust("1 minute")
        yield* Effect.provide(restarted.sample, logger)
      }
      const counts = yield* Effect.forEach(world.ids, (id) => history.points(id, 1))
      expect(counts.map(({ length }) => length)).toEqual([4, 1, 4])
      expect(messages).toEqual([expect.stringContaining(`the equity of strategy ${damaged} is not sampled`)])
    }).pipe(Effect.provide(onTemporaryFile), Effect.scoped)
)

it.effect("storage that cannot be read for a while leaves no strategy out", () =>
  Effect.gen(function* () {
    const { layer, world } = scene()
    world.quantity = 1
    world.isUnread = true
    yield* Layer.build(Layer.provide(layer, logged().logger))
    yield* TestClock.adjust("3 minutes")
    expect(world.stored).toEqual([])
    world.isUnread = false
    yield* TestClock.adjust("2 minutes")
    expect(states(world)).toHaveLength(2)
  })
)

it.effect("a server in memory samples where it is told to, and has no timer where it is not", () =>
  Effect.gen(function* () {
    const points = (options: Memory.Options) =>
      Effect.gen(function* () {
        const ann = yield* Flow.ann()
        yield* Flow.quote(100)
        yield* Flow.say(ann.identity, ann.signal, "buy")
        yield* TestClock.adjust("5 minutes")
        return yield* Effect.flatMap(EquityHistory, ({ points }) => points(ann.strategy, 1))
      }).pipe(Effect.provide(Memory.layer(options)))
    expect(yield* points({ sampleEquity: true })).toHaveLength(5)
    expect(yield* points({})).toEqual([])
  })
)

it.effect("a clock that was set back hides no fall, and its minutes count once", () =>
  Effect.gen(function* () {
    const { services, world } = scene()
    world.quantity = 1
    const { sample } = yield* Effect.provide(EquitySampler.make, services)
    yield* each(sample, 1, 90)
    world.equity = 5000
    yield* each(sample, 30, 39)
    const last = states(world).at(-1)
    expect(last).toMatchObject({ at: 90 * MINUTE, equity: 5000, samples: 90 })
    expect(last?.drawdown).toBeCloseTo(-0.5, 12)
  })
)

it.effect("holding begins with the first price; another list of pairs splits its worth anew", () =>
  Effect.gen(function* () {
    const { layer, world } = scene()
    world.quantity = 1
    world.price = undefined
    yield* Layer.build(layer)
    yield* TestClock.adjust("1 minute")
    world.price = 100
    yield* TestClock.adjust("1 minute")
    world.price = 110
    yield* TestClock.adjust("1 minute")
    world.pairs = ["BTC/USDT", "ETH/USDT"]
    world.price = 120
    yield* TestClock.adjust("1 minute")
    expect(world.stored.map(({ basket }) => Math.round(total(basket)))).toEqual([
      10_000, 10_000, 11_000, 12_000
    ])
    expect(world.stored.at(-1)?.basket.holdings.map(({ units }) => units)).toEqual([50, 50])
  })
)

it.effect("thousands of bots are stored together, and deleted ones are forgotten", () =>
  Effect.gen(function* () {
    const { layer, world } = scene()
    world.quantity = 1
    world.ids = Array.from({ length: 5000 }, (_, index) => StrategyId.make(index + 1))
    yield* Layer.build(layer)
    yield* TestClock.adjust("1 minute")
    expect(world.stored).toHaveLength(5000)
    world.ids = [ONE]
    yield* TestClock.adjust("1 minute")
    expect(world.stored).toHaveLength(5001)
  })
)
