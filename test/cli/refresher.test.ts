// Markets that are refreshed while the server runs: soon after the start, daily, and for a pair that is not known; an
// exchange that fails or hangs stops neither the others nor the server.
import { expect } from "bun:test"
import { Effect, Fiber, Layer, Option, TestClock } from "effect"
import * as Refresher from "../../src/cli/market/refresher.ts"
import { EXCHANGE_NAMES } from "../../src/domain/Market.ts"
import * as Memory from "../../src/Memory.ts"
import { MarketRefresher } from "../../src/services/feeds/MarketRefresher.ts"
import * as MemoryMarkets from "../../src/services/feeds/MemoryMarkets.ts"
import { Markets } from "../../src/services/Markets.ts"
import { Strategies } from "../../src/services/Strategies.ts"
import { strategyRequest } from "../../src/testing/Fixtures.ts"
import { it, layer } from "../lib/effect.ts"
import { sender } from "../services/ports.ts"

const running = (everyHours: number, refresh: Refresher.Refresh) =>
  Effect.gen(function* () {
    const calls: Array<string> = []
    const { ask, run } = yield* Refresher.make(everyHours, (names) => {
      calls.push(names.join(" "))
      return refresh(names)
    })
    const fiber = yield* Effect.fork(run)
    return { ask, calls, fiber }
  })

it.effect("all exchanges are asked soon after the start, and those that failed again within the hour", () =>
  Effect.gen(function* () {
    let isDown = true
    const markets = yield* Markets
    const { calls, fiber } = yield* running(24, (names) =>
      Effect.gen(function* () {
        for (const name of names) {
          if (isDown && name === "kraken") continue
          yield* Effect.orDie(markets.renew(yield* listingOf(markets, name)))
        }
        return isDown ? ["kraken is not refreshed: it does not answer"] : []
      })
    )
    yield* TestClock.adjust("14 seconds")
    expect(calls).toEqual([])
    yield* TestClock.adjust("2 seconds")
    expect(calls).toEqual([EXCHANGE_NAMES.join(" ")])
    isDown = false
    yield* TestClock.adjust("1 hour")
    yield* TestClock.adjust("22 hours")
    expect(calls).toEqual([EXCHANGE_NAMES.join(" "), "kraken"])
    yield* TestClock.adjust("2 hours")
    expect(calls.slice(2).join(" ").split(" ").toSorted()).toEqual([...EXCHANGE_NAMES].toSorted())
    yield* Fiber.interrupt(fiber)
  }).pipe(Effect.provide(MemoryMarkets.layer))
)

it.effect("an exchange that hangs keeps nobody from asking, and is asked once in ten minutes", () =>
  Effect.gen(function* () {
    const { ask, calls, fiber } = yield* running(24, () => Effect.never)
    yield* TestClock.adjust("1 minute")
    expect(yield* ask("binance")).toContain("binance is being asked for its markets now")
    yield* TestClock.adjust("30 seconds")
    expect(yield* ask("binance")).toContain("binance was asked for its markets 30 seconds ago")
    expect(yield* ask("okx")).toContain("okx is being asked")
    expect(calls).toEqual([EXCHANGE_NAMES.join(" "), "binance"])
    yield* TestClock.adjust("10 minutes")
    expect(yield* ask("binance")).toContain("now")
    yield* Fiber.interrupt(fiber)
  }).pipe(Effect.provide(MemoryMarkets.layer))
)

it.effect("each exchange's refresh is told: that it waits, runs, is done, or why it failed", () =>
  Effect.gen(function* () {
    const markets = yield* Markets
    const gate = yield* Effect.makeSemaphore(1)
    const { ask, run, states } = yield* Refresher.make(24, (names) =>
      gate.withPermits(1)(
        Effect.gen(function* () {
          for (const name of names.filter((one) => one !== "kraken"))
            yield* Effect.orDie(markets.renew(yield* listingOf(markets, name)))
          return names.includes("kraken") ? ["kraken is not refreshed: it does not answer"] : []
        })
      )
    )
    const stageOf = (name: (typeof EXCHANGE_NAMES)[number]) =>
      Effect.map(states, (found) => found.get(name)?.stage)
    expect((yield* states).size).toBe(0)
    const fiber = yield* Effect.fork(run)
    yield* TestClock.adjust("20 seconds")
    expect([yield* stageOf("kraken"), yield* stageOf("okx")]).toEqual(["failed", "done"])
    expect((yield* states).get("kraken")).toMatchObject({
      at: 15,
      notBefore: 75,
      failure: "kraken is not refreshed: it does not answer"
    })
    // While one is at work the next waits, and a hasty operator changes nothing.
    yield* gate.take(1)
    yield* TestClock.adjust("60 seconds")
    yield* ask("okx")
    yield* TestClock.adjust("1 second")
    yield* ask("bybit")
    yield* ask("bybit")
    expect([yield* stageOf("okx"), yield* stageOf("bybit")]).toEqual(["running", "waiting"])
    yield* gate.release(1)
    yield* TestClock.adjust("1 second")
    expect([yield* stageOf("okx"), yield* stageOf("bybit")]).toEqual(["done", "done"])
    expect((yield* states).get("okx")).toMatchObject({ notBefore: 680, failure: undefined })
    yield* Fiber.interrupt(fiber)
  }).pipe(Effect.provide(MemoryMarkets.layer))
)

const listingOf = Effect.fnUntraced(function* (
  markets: typeof Markets.Service,
  name: (typeof EXCHANGE_NAMES)[number]
) {
  const listed = (yield* markets.list(name)).map((market) => ({
    ...market,
    minAmount: Option.some(market.minAmount),
    minCost: Option.some(market.minCost)
  }))
  return { exchange: name, markets: listed, unreadable: [], fees: Option.none() }
})

const asked: Array<string> = []
const refresher = Layer.succeed(MarketRefresher, {
  isOn: true,
  states: Effect.succeed(new Map()),
  ask: (exchange) => Effect.sync(() => void asked.push(exchange)).pipe(Effect.as(`${exchange} is asked`))
})
layer(Layer.provide(Memory.layer(), refresher)).effect(
  "an unknown pair makes its exchange be asked, and the answer says so; a known one does not",
  () =>
    Effect.gen(function* () {
      const { account } = yield* sender("ann")
      const strategies = yield* Strategies
      yield* strategies.create(account, strategyRequest())
      expect(asked).toEqual([])
      const exchanges = [
        { exchange_name: "kraken", coin_pairs: ["BTC/USDT"] },
        { exchange_name: "okx", coin_pairs: ["BTC/USDT", "NOPE/USDT", "NADA/USDT"] }
      ] as const
      const refused = yield* Effect.flip(strategies.create(account, strategyRequest({ exchanges })))
      expect(asked).toEqual(["okx"])
      expect(JSON.stringify(refused)).toContain("okx is asked")
    })
)

it.live("the program refreshes in a process of its own, and says in a line what failed", () =>
  Effect.gen(function* () {
    // The test runner is no program with a command of that name: all that matters is that it ends with a line.
    const lines = yield* Refresher.inProcess({ _tag: "File", filename: "/nowhere/x.db" })(["binance"])
    expect(lines.length).toBeGreaterThan(0)
  })
)
