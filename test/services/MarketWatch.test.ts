import { expect, test } from "bun:test"
import { Clock, Context, Effect, Layer, Option, TestClock } from "effect"
import { STARTING_BALANCES } from "../../src/domain/Bot.ts"
import { marketKey, Pair } from "../../src/domain/Market.ts"
import type { StrategyPatch } from "../../src/domain/requests/StrategyDraft.ts"
import type { SignalId } from "../../src/domain/Signal.ts"
import type { Settings } from "../../src/domain/Strategy.ts"
import { ofLast } from "../../src/domain/Ticker.ts"
import * as Memory from "../../src/Memory.ts"
import { Alerts } from "../../src/services/Alerts.ts"
import { Exchange } from "../../src/services/Exchange.ts"
import * as EngineLayer from "../../src/services/engine/EngineLayer.ts"
import { catalogueOf } from "../../src/services/feeds/MemoryMarkets.ts"
import * as StreamingFeed from "../../src/services/feeds/StreamingFeed.ts"
import { type Catalogue, Markets } from "../../src/services/Markets.ts"
import { Performance } from "../../src/services/Performance.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { Signals } from "../../src/services/Signals.ts"
import { Strategies } from "../../src/services/Strategies.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { Tickers } from "../../src/services/Tickers.ts"
import { Validation } from "../../src/services/Validation.ts"
import { settings } from "../../src/testing/Fixtures.ts"
import { SeededRandom } from "../../src/testing/SeededRandom.ts"
import { DEFAULT_PATIENCE } from "../../src/trading/AlertPatience.ts"
import { exchangeFor, routesOf } from "../../src/trading/Routing.ts"
import { layer } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import { aSignal, sender } from "./ports.ts"

// Which markets the engine wants prices of: no more and no less than somebody needs, told soon and seldom.

/** The feed, and how often it was told. */
const told = { times: 0, isFailing: false }
const feed = StreamingFeed.layer.pipe(
  Layer.flatMap((context) =>
    Layer.merge(
      Layer.succeedContext(context),
      Layer.effect(
        Tickers,
        Effect.map(Tickers, (tickers) => {
          told.times = 0
          return {
            ...tickers,
            watch: (markets: Parameters<typeof tickers.watch>[0]) => {
              told.times++
              return told.isFailing ? Effect.die("planted") : tickers.watch(markets)
            }
          }
        })
      ).pipe(Layer.provide(Layer.succeedContext(context)))
    )
  )
)

const bots = EngineLayer.layer({ paper: STARTING_BALANCES, patience: DEFAULT_PATIENCE })
const parts = Layer.mergeAll(Validation.layer, Performance.layer, Exchange.layerPaper)
const beneathOn = (ports: typeof Memory.ports) => Layer.provideMerge(Layer.merge(parts, feed), ports)
const serverOn = (ports: typeof Memory.ports) =>
  Layer.merge(Strategies.layer({ maxPairs: 200, paper: STARTING_BALANCES }), Alerts.layer).pipe(
    Layer.provideMerge(bots),
    Layer.provideMerge(beneathOn(ports))
  )
const beneath = beneathOn(Memory.ports)
const server = serverOn(Memory.ports)
const it = layer(server)

/** What is wanted 100 ms from now. */
const wanted = Effect.gen(function* () {
  yield* TestClock.adjust("100 millis")
  return (yield* (yield* StreamingFeed.StreamingFeed).wanted).map(marketKey)
})

const price = (last: number, ...pairs: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const ticker = ofLast(last, yield* Clock.currentTimeMillis)
    const quotes = pairs.map((pair) => {
      const market = { exchange: "binance", pair: Pair.make(pair), kind: "spot" } as const
      return { market, ticker }
    })
    ;(yield* StreamingFeed.StreamingFeed).publish(quotes)
    yield* TestClock.adjust("1 millis")
  })

const BTC = ["binance:BTC/USDT:spot", "binance:BTC/USDT:swap"]
const ETH = ["binance:ETH/USDT:spot", "binance:ETH/USDT:swap"]
const inBoth = (pairs: ReadonlyArray<string>): StrategyPatch => ({
  exchanges: [
    { exchange_name: "kraken", coin_pairs: ["BTC/USDT", "ETH/USDT"] },
    { exchange_name: "binance", coin_pairs: pairs }
  ]
})

it.effect("the markets of an active strategy with a signal are needed before any alert", () =>
  Effect.gen(function* () {
    expect(yield* wanted).toEqual([])
    const ann = yield* Flow.ann({ ...inBoth(["BTC/USDT", "ETH/BTC"]) })
    const kraken = ["kraken:ETH/USDT:spot"]
    // ETH/BTC is in a currency that it does not trade in.
    expect(yield* wanted).toEqual([...BTC, ...kraken])
    yield* Flow.update(ann.account, ann.strategy, inBoth(["ETH/USDT"]))
    expect(yield* wanted).toEqual([...ETH, "kraken:BTC/USDT:spot"])
    yield* Flow.update(ann.account, ann.strategy, { default_exchange_name: "kraken" })
    expect(yield* wanted).toEqual(["kraken:BTC/USDT:spot", "kraken:ETH/USDT:spot"])
    yield* Flow.aStrategy(ann.account, { active: false, signal_id: ann.signal })
    yield* Flow.aStrategy(ann.account)
    expect((yield* wanted).length).toBe(2)
    yield* (yield* Strategies).remove(ann.account, ann.strategy)
    expect(yield* wanted).toEqual([])
  })
)

it.effect(
  "the needed markets follow strategies that are switched off and on, detached, and attached again",
  () =>
    Effect.gen(function* () {
      const ann = yield* Flow.ann()
      const bob = yield* sender("bob")
      const theirs = yield* Flow.aStrategy(bob.account, {
        signal_id: ann.signal,
        default_quote_currency: "USD",
        exchanges: [{ exchange_name: "okx", coin_pairs: ["BTC/USD"] }]
      })
      expect(yield* wanted).toEqual([...BTC, ...ETH, "okx:BTC/USD:spot"])
      const change = (changes: Flow.Body) => Flow.update(ann.account, ann.strategy, changes)
      yield* change({ active: false })
      expect(yield* wanted).toEqual(["okx:BTC/USD:spot"])
      yield* change({ active: true })
      expect((yield* wanted).length).toBe(5)
      yield* (yield* Signals).update(ann.account, ann.signal, { public: false })
      expect(yield* wanted).toEqual([...BTC, ...ETH])
      yield* (yield* Signals).remove(ann.account, ann.signal)
      expect(yield* wanted).toEqual([])
      const another = yield* (yield* Signals).create(ann.account, aSignal({ public: true }))
      yield* Flow.update(bob.account, theirs, { signal_id: another.id })
      expect(yield* wanted).toEqual(["okx:BTC/USD:spot"])
    })
)

it.effect(
  "markets with positions, armed entries or waiting alerts are needed until these end, whatever happens to the strategy",
  () =>
    Effect.gen(function* () {
      const ann = yield* Flow.ann()
      yield* wanted
      yield* price(100, "BTC/USDT")
      yield* Flow.say(ann.identity, ann.signal, "buy")
      expect(yield* Flow.holds(ann.strategy)).toEqual(["BTC/USDT spot long 10 @ 100"])
      yield* Flow.say(ann.identity, ann.signal, "short", { pair: "ETH/USDT" })
      yield* (yield* Signals).remove(ann.account, ann.signal)
      // The alert waits ten seconds for a price.
      expect(yield* wanted).toEqual(["binance:BTC/USDT:spot", "binance:ETH/USDT:swap"])
      yield* TestClock.adjust("10 seconds")
      expect(yield* wanted).toEqual(["binance:BTC/USDT:spot"])
      const another = yield* (yield* Signals).create(ann.account, aSignal())
      const trailing = { strategy_trailing_buy_switch: true, trailing_buy_percentage: 1 }
      yield* Flow.update(ann.account, ann.strategy, { signal_id: another.id, ...trailing })
      expect(yield* wanted).toEqual([...BTC, ...ETH])
      yield* price(10, "ETH/USDT")
      yield* Flow.say(ann.identity, another.id, "buy", { pair: "ETH/USDT" })
      yield* (yield* Signals).remove(ann.account, another.id)
      expect(yield* wanted).toEqual(["binance:BTC/USDT:spot", "binance:ETH/USDT:spot"])
      yield* Flow.update(ann.account, ann.strategy, { active: false })
      expect(yield* wanted).toEqual(["binance:BTC/USDT:spot"])
      yield* price(101, "BTC/USDT")
      yield* (yield* Strategies).remove(ann.account, ann.strategy)
      expect(yield* wanted).toEqual([])
    })
)

layer(beneath).effect("a start needs the markets of what is stored", () =>
  Effect.gen(function* () {
    const use = <A, E>(asked: Effect.Effect<A, E, Layer.Layer.Success<typeof server>>) =>
      Effect.flatMap(Effect.context<Layer.Layer.Success<typeof beneath>>(), (ports) =>
        asked.pipe(
          Effect.provide(
            Layer.merge(Strategies.layer({ maxPairs: 200, paper: STARTING_BALANCES }), Alerts.layer).pipe(
              Layer.provideMerge(bots),
              Layer.provideMerge(Layer.succeedContext(ports))
            )
          )
        )
      )
    yield* use(
      Effect.gen(function* () {
        const ann = yield* Flow.ann()
        yield* price(100, "BTC/USDT")
        yield* Flow.say(ann.identity, ann.signal, "buy")
        yield* Flow.update(ann.account, ann.strategy, { active: false })
        yield* Flow.aStrategy(ann.account, {
          signal_id: ann.signal,
          exchanges: [{ exchange_name: "kraken", coin_pairs: ["BTC/USD"] }],
          default_quote_currency: "USD"
        })
      })
    )
    yield* (yield* Tickers).watch([])
    expect(yield* use(wanted)).toEqual(["binance:BTC/USDT:spot", "kraken:BTC/USD:spot"])
  })
)

it.effect(
  "the feed gets the needed markets at once, then at most ten times a second and only of changes",
  () =>
    Effect.gen(function* () {
      const ann = yield* Flow.ann()
      yield* TestClock.adjust("0 millis")
      expect(told.times).toBe(1)
      for (let place = 0; place < 50; place++) {
        const coin_pairs = [place % 2 === 0 ? "SOL/USDT" : "ADA/USDT"]
        yield* Flow.update(ann.account, ann.strategy, {
          exchanges: [{ exchange_name: "binance", coin_pairs }]
        })
        yield* TestClock.adjust("20 millis")
      }
      expect(told.times).toBeLessThanOrEqual(12)
      yield* wanted
      const before = told.times
      for (let place = 0; place < 20; place++) {
        yield* Flow.update(ann.account, ann.strategy, { name: `named ${place}` })
        yield* Flow.aStrategy(ann.account, {
          signal_id: ann.signal,
          exchanges: [{ exchange_name: "binance", coin_pairs: ["ADA/USDT"] }]
        })
        yield* wanted
      }
      yield* TestClock.adjust("10 seconds")
      expect(told.times).toBe(before)
    })
)

it.effect("a feed that fails is told the markets again", () =>
  Effect.gen(function* () {
    told.isFailing = true
    yield* Flow.ann()
    expect(yield* wanted).toEqual([])
    told.isFailing = false
    yield* TestClock.adjust("1 second")
    expect(yield* wanted).toEqual([...BTC, ...ETH])
  })
)

/** The catalogue, which a refresh may put another in place of. */
const known: { catalogue: Catalogue } = {
  catalogue: catalogueOf({ exchanges: new Map(), markets: new Map() })
}
const renewing = Layer.map(Memory.ports, (ports) =>
  Context.add(ports, Markets, {
    ...Context.get(ports, Markets),
    catalogue: Effect.sync(() => known.catalogue)
  })
)
layer(serverOn(renewing)).effect("a new catalogue is used within about a second", () =>
  Effect.gen(function* () {
    yield* Flow.ann()
    expect(yield* wanted).toEqual([...BTC, ...ETH])
    const whole = known.catalogue
    const market: Catalogue["market"] = (id) => Option.filter(whole.market(id), ({ kind }) => kind === "spot")
    known.catalogue = { ...whole, market }
    yield* TestClock.adjust("1100 millis")
    expect(yield* wanted).toEqual(["binance:BTC/USDT:spot", "binance:ETH/USDT:spot"])
    known.catalogue = whole
    yield* TestClock.adjust("1100 millis")
    expect(yield* wanted).toEqual([...BTC, ...ETH])
  })
)

it.effect("after any changes, the needed markets equal a full recount", () =>
  Effect.gen(function* () {
    const dice = new SeededRandom(11)
    const { account, identity } = yield* Flow.ann()
    const store = yield* StrategyStore
    const portfolio = yield* Portfolio
    const catalogue = yield* (yield* Markets).catalogue
    const signals: Array<SignalId> = []
    const plainly = Effect.gen(function* () {
      const keys = new Set<string>()
      for (const { settings } of yield* store.all)
        for (const key of listed(settings, catalogue)) keys.add(key)
      for (const { state } of yield* portfolio.bots) for (const key in state.slots) keys.add(key)
      return [...keys].sort()
    })
    const PAIRS = ["BTC/USDT", "ETH/USDT", "SOL/USDT", "ETH/BTC"]
    const listing = () => ({
      exchanges: (["okx", "binance", "kraken"] as const).flatMap((exchange_name) => {
        const coin_pairs = PAIRS.filter(() => dice.chance(0.4))
        return coin_pairs.length === 0 ? [] : [{ exchange_name, coin_pairs }]
      }),
      default_exchange_name: dice.pick(["binance", "okx", "coinbase"])
    })
    let sizes = 0
    for (let round = 0; round < 120; round++) {
      const own = yield* store.list(account, {})
      const some = dice.pick(own.length === 0 ? [undefined] : own)?.id ?? 0
      const signal = dice.pick([...signals, null])
      const doing: Effect.Effect<unknown, unknown, Layer.Layer.Success<typeof server>> = dice.pick([
        Effect.suspend(() => Flow.aStrategy(account, { ...listing(), signal_id: signal })),
        Effect.suspend(() => Flow.aStrategy(account, { ...listing(), signal_id: signals.at(-1) ?? null })),
        Effect.suspend(() => Flow.update(account, some, listing())),
        Effect.suspend(() => Flow.update(account, some, { active: dice.chance(0.5) })),
        Effect.suspend(() => Flow.update(account, some, { signal_id: signal })),
        Effect.flatMap(Strategies, (strategies) => strategies.remove(account, some)),
        Effect.flatMap(Signals, (port) => port.remove(account, signal ?? 0)),
        Effect.flatMap(Signals, (port) => port.create(account, aSignal())).pipe(
          Effect.tap(({ id }) => Effect.sync(() => signals.push(id)))
        ),
        Effect.suspend(() =>
          Flow.say(identity, signal ?? 0, dice.pick(["buy", "sell"]), { pair: dice.pick(PAIRS) })
        )
      ])
      yield* price(100, ...PAIRS)
      yield* Effect.exit(doing)
      const now = yield* wanted
      sizes += now.length
      expect(now).toEqual(yield* plainly)
    }
    expect(sizes).toBeGreaterThan(200)
  })
)

/** What an active strategy that follows a signal needs, by its settings alone. */
const listed = (settings: Settings, catalogue: Catalogue): ReadonlyArray<string> =>
  settings.active && settings.signalId !== undefined
    ? settings.exchanges
        .flatMap(({ pairs }) => pairs)
        .filter((pair) => pair.endsWith(`/${settings.quote}`))
        .flatMap((pair) => {
          const exchange = exchangeFor(settings, pair)
          return exchange === undefined
            ? []
            : (["spot", "swap"] as const).map((kind) => ({ exchange, pair, kind }))
        })
        .filter((id) => catalogue.market(id)._tag === "Some")
        .map(marketKey)
    : []

test("all routes at once equal the route of each pair", () => {
  const dice = new SeededRandom(7)
  const all = ["BTC/USDT", "ETH/USDT", "SOL/USDT"]
  for (let round = 0; round < 200; round++) {
    const some = settings({
      defaultExchange: dice.pick(["binance", "okx", "kraken", "bybit"]),
      exchanges: (["okx", "binance", "kraken"] as const).map((exchange) => ({
        exchange,
        pairs: all.filter(() => dice.chance(0.5))
      }))
    })
    const pairs = new Set(some.exchanges.flatMap((listing) => listing.pairs))
    const routes = [...routesOf(some)].map(([text, { exchange, pair }]) => [text, pair, exchange])
    expect(routes).toEqual([...pairs].map((pair) => [pair, pair, exchangeFor(some, pair) ?? "none"]))
  }
})
