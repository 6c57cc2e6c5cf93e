// The thread as it runs in the server, followed from what is wanted to the prices that come out of the feed.
import { expect } from "bun:test"
import { Context, Effect, Exit, Layer, Logger, Scope, TestClock } from "effect"
import { type KnownExchange, type MarketId, marketKey, Pair } from "../../../src/domain/Market.ts"
import * as Streaming from "../../../src/prices/streaming/Streaming.ts"
import { Tape } from "../../../src/prices/Tape.ts"
import * as StreamingFeed from "../../../src/services/feeds/StreamingFeed.ts"
import { Tickers } from "../../../src/services/Tickers.ts"
import { coinbase } from "../../exchanges/coinbase.ts"
import { kucoin } from "../../exchanges/kucoin.ts"
import { okx } from "../../exchanges/okx.ts"
import type { StubMarket } from "../../exchanges/Protocol.ts"
import { Stub } from "../../exchanges/Stub.ts"
import { it } from "../../lib/effect.ts"
import { until } from "./Rig.ts"

const steps = { priceStep: "0.01", amountStep: "0.0001", minAmount: "0.0001", minCost: "5" }
const BTC: StubMarket = { ...steps, pair: Pair.make("BTC/USDT"), kind: "spot" }
const ETH: StubMarket = { ...steps, pair: Pair.make("ETH/USDT"), kind: "spot" }
const PERPETUAL: StubMarket = { ...steps, pair: Pair.make("BTC/USDT"), kind: "swap", contractSize: "0.01" }
const at = (exchange: KnownExchange, { kind, pair }: StubMarket): MarketId => ({ exchange, kind, pair })

/** A server's feed and its thread, following stubs; all that the engine, the tape and the log are told. */
const follow = Effect.gen(function* () {
  const stubs = yield* Effect.acquireRelease(
    Effect.promise(async () => ({
      okx: await Stub.start(okx, [BTC, ETH, PERPETUAL]),
      kucoin: await Stub.start(kucoin, [BTC]),
      coinbase: await Stub.start(coinbase, [BTC])
    })),
    (stubs) => Effect.promise(() => Promise.all(Object.values(stubs).map((stub) => stub.stop())))
  )
  const taped: Array<string> = []
  const spreads: Array<string> = []
  const logged: Array<string> = []
  const tape = Layer.succeed(Tape, {
    traded: (market, price, amount) => void taped.push(`${marketKey(market)} ${amount} at ${price}`),
    quoted: (market, bid, ask) => void spreads.push(`${marketKey(market)} ${bid} ${ask}`),
    whole: (markets) => void taped.push(`whole ${[...markets].map(marketKey)}`),
    broken: (markets) => void taped.push(`broken ${[...markets].map(marketKey)}`)
  })
  const logger = Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ logLevel, message }) => void logged.push(`${logLevel.label} ${String(message)}`))
  )
  const urls = new Map([
    ["okx", stubs.okx.url],
    ["kucoin", stubs.kucoin.url],
    ["coinbase", stubs.coinbase.url]
  ] as const)
  const entry = new URL("./failing.worker.ts", import.meta.url)
  const live = Streaming.layer({ urls, record: true, entry })
  const scope = yield* Scope.make()
  yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
  const layer = Layer.provideMerge(live, Layer.mergeAll(StreamingFeed.layer, tape)).pipe(
    Layer.provide(logger)
  )
  const tickers = Context.get(yield* Layer.buildWithScope(layer, scope), Tickers)
  const quoted: Array<string> = []
  yield* Effect.forkScoped(
    Effect.forever(
      Effect.map(tickers.next, (events) => {
        for (const event of events)
          if (event._tag === "Quoted") quoted.push(`${marketKey(event.market)} ${event.ticker.bid}`)
      })
    )
  )
  /** The exchange says a price until it comes out of the feed. */
  const heard = (exchange: keyof typeof stubs, market: StubMarket, bid: number) =>
    Effect.promise(() =>
      until(() => {
        stubs[exchange].quote(market, { bid, ask: bid + 0.5, last: bid })
        return quoted.includes(`${marketKey(at(exchange, market))} ${bid}`)
      }, `${bid} of ${exchange}`)
    )
  /** The log says that prices of an exchange come in, that often. */
  const comeIn = (exchange: KnownExchange, times = 1) => {
    const said = () => logged.filter((line) => line === `INFO prices of ${exchange} are streaming`).length
    return eventually(() => said() >= times, "the log")
  }
  const flaws = new BroadcastChannel("a flaw of the thread")
  yield* Effect.addFinalizer(() => Effect.sync(() => flaws.close()))
  return {
    comeIn,
    end: Scope.close(scope, Exit.void),
    flaws,
    heard,
    logged,
    quoted,
    spreads,
    stubs,
    taped,
    tickers
  }
})

const eventually = (holds: () => boolean, what: string) => Effect.promise(() => until(holds, what))

it.effect(
  "the feed delivers prices of all wanted markets and of no others, and gives the tape their quotes",
  () =>
    Effect.gen(function* () {
      const { comeIn, heard, quoted, spreads, stubs, taped, tickers } = yield* follow
      yield* tickers.watch([at("okx", BTC), at("okx", PERPETUAL)])
      yield* heard("okx", BTC, 100)
      yield* heard("okx", PERPETUAL, 101)
      // The tape has the spread of every quote.
      expect(spreads).toContain("okx:BTC/USDT:swap 101 101.5")
      expect([stubs.kucoin.requests.length, stubs.kucoin.connections]).toEqual([0, 0])
      yield* tickers.watch([at("okx", BTC), at("okx", PERPETUAL), at("okx", ETH), at("kucoin", BTC)])
      yield* heard("okx", ETH, 10)
      yield* heard("kucoin", BTC, 102)
      yield* comeIn("okx")
      yield* comeIn("kucoin")
      const health = yield* tickers.health
      expect(health.map(({ exchange, markets, state }) => [exchange, state, markets])).toEqual([
        ["okx", "streaming", 3],
        ["kucoin", "streaming", 1]
      ])
      yield* eventually(() => {
        stubs.okx.print(PERPETUAL, { price: 101, amount: 0.25, side: "buy", at: Date.now(), id: "1" })
        return taped.some((line) => line === "okx:BTC/USDT:swap 0.25 at 101")
      }, "a trade in coins")
      yield* tickers.watch([at("kucoin", BTC)])
      yield* eventually(() => stubs.okx.lines === 0, "okx given up")
      expect((yield* tickers.health).map(({ exchange }) => exchange)).toEqual(["kucoin"])
      quoted.length = 0
      stubs.okx.quote(BTC, { bid: 103, ask: 104, last: 103 })
      yield* heard("kucoin", BTC, 103)
      expect(quoted.filter((line) => line.startsWith("okx"))).toEqual([])
    })
)

it.effect("an exchange that sends a trade named like a built-in object field harms no other", () =>
  Effect.gen(function* () {
    const { heard, stubs, taped, tickers } = yield* follow
    yield* tickers.watch([at("coinbase", BTC)])
    yield* heard("coinbase", BTC, 100)
    const tell = () =>
      stubs.coinbase.print(BTC, { price: 100, amount: 1, side: "buy", at: Date.now(), id: "1" })
    yield* eventually(() => {
      tell()
      return taped.includes("coinbase:BTC/USDT:spot 1 at 100")
    }, "a trade")
    const trade = { product_id: "BTC-USDT", trade_id: "__proto__", price: "1", size: "1", side: "BUY" }
    const events = [{ type: "update", trades: [{ ...trade, time: "2026-01-01T00:00:00Z" }] }]
    stubs.coinbase.babble(JSON.stringify({ channel: "market_trades", sequence_num: 1, events }))
    yield* heard("coinbase", BTC, 101)
    yield* tickers.watch([at("coinbase", BTC), at("kucoin", BTC)])
    yield* heard("kucoin", BTC, 102)
  })
)

it.effect("nothing is loaded and no thread starts before a market is wanted", () =>
  Effect.gen(function* () {
    const { flaws, logged, stubs } = yield* follow
    flaws.postMessage("crash")
    yield* Effect.promise(() => Bun.sleep(50))
    expect([logged, stubs.okx.requests.length]).toEqual([[], 0])
  })
)

it.effect("a thread that ends is reported and restarted with the same markets", () =>
  Effect.gen(function* () {
    const { comeIn, flaws, heard, logged, quoted, taped, tickers } = yield* follow
    yield* tickers.watch([at("okx", BTC), at("okx", ETH)])
    yield* heard("okx", BTC, 100)
    yield* comeIn("okx")
    flaws.postMessage("crash")
    yield* eventually(() => logged.some((line) => line.startsWith("ERROR")), "the end")
    expect(logged.filter((line) => line.startsWith("ERROR"))).toEqual([
      expect.stringMatching(/^ERROR the thread that follows the exchanges ended and is started anew: .*flaw/)
    ])
    expect(taped.at(-1)).toBe("broken okx:BTC/USDT:spot,okx:ETH/USDT:spot")
    expect(yield* tickers.health).toMatchObject([{ exchange: "okx", state: "unreachable", markets: 2 }])
    quoted.length = 0
    // Until the pause has begun that a second of the test's clock is to end.
    yield* Effect.promise(() => Bun.sleep(50))
    yield* TestClock.adjust("1 second")
    yield* heard("okx", BTC, 101)
    yield* heard("okx", ETH, 10)
    yield* comeIn("okx", 2)
    expect(yield* tickers.health).toMatchObject([{ exchange: "okx", state: "streaming" }])
  })
)

it.effect(
  "a thread that hangs is ended and restarted",
  () =>
    Effect.gen(function* () {
      const { flaws, heard, logged, tickers } = yield* follow
      yield* tickers.watch([at("okx", BTC)])
      yield* heard("okx", BTC, 100)
      yield* TestClock.adjust("15 seconds")
      // It says each second that it is there; what it said while this thread was held up is let in too.
      yield* Effect.promise(() => Bun.sleep(3000))
      yield* Effect.promise(() => Bun.sleep(20))
      yield* TestClock.adjust("15 seconds")
      expect(logged.filter((line) => line.startsWith("ERROR"))).toEqual([])
      flaws.postMessage("hang")
      yield* Effect.promise(() => Bun.sleep(100))
      // Second by second: a leap would end the next thread too, before it can say that it is there.
      const second = Effect.zipRight(
        TestClock.adjust("1 second"),
        Effect.promise(() => Bun.sleep(5))
      )
      yield* Effect.repeat(second, { until: () => logged.some((line) => line.endsWith("it hangs")) })
      // Until the pause has begun that a second of the test's clock is to end.
      yield* Effect.promise(() => Bun.sleep(50))
      yield* TestClock.adjust("1 second")
      yield* heard("okx", BTC, 101)
    }),
  30_000
)

it.effect("the end of the server's scope ends the thread and its streams", () =>
  Effect.gen(function* () {
    const { comeIn, end, heard, logged, stubs, tickers } = yield* follow
    yield* tickers.watch([at("okx", BTC)])
    yield* heard("okx", BTC, 100)
    yield* comeIn("okx")
    yield* end
    yield* eventually(() => stubs.okx.lines === 0, "the end of the streams")
    yield* TestClock.adjust("5 minutes")
    yield* Effect.promise(() => Bun.sleep(50))
    expect(stubs.okx.lines).toBe(0)
    expect(logged).toEqual(["INFO prices of okx are streaming"])
  })
)
