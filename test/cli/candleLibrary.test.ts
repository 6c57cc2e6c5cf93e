// Candles for the dashboard: one download at a time, its progress, its end of each sort, and lists that many ask for. The
// adversaries are those who ask at once, and those who cancel, remove and go away in the middle.
import { expect } from "bun:test"
import { Deferred, Effect, Either, Fiber, TestClock } from "effect"
import * as Library from "../../src/cli/candles/library.ts"
import { DAY_MS } from "../../src/domain/candles/CandleSeries.ts"
import { Pair } from "../../src/domain/Market.ts"
import type { DownloadResult } from "../../src/services/feeds/CandleLibrary.ts"
import type { Heard } from "../../src/services/feeds/PageRetry.ts"
import { it } from "../lib/effect.ts"

const series = { exchange: "binance", pair: Pair.make("BTC/USDT"), kind: "spot", timeframe: "1m" } as const
const request = { series, from: 0, until: DAY_MS }
const result = { days_fetched: 1, days_kept: 0, candles_fetched: 1440, missing: 0, listed_from: null }

/** Lets other fibers go on until they wait. */
const settled = Effect.repeatN(Effect.yieldNow(), 50)

/** A library over work that the test ends. */
const opened = Effect.gen(function* () {
  const end = yield* Deferred.make<DownloadResult, string>()
  const calls = { list: 0, remove: 0, download: 0, cut: 0 }
  const news: { heard: Heard } = { heard: () => {} }
  const library = yield* Library.make({
    list: Effect.delay(
      Effect.sync(() => {
        calls.list++
        return []
      }),
      "1 second"
    ),
    download: (_, heard) =>
      Effect.suspend(() => {
        calls.download++
        news.heard = heard
        return Effect.onInterrupt(Deferred.await(end), () => Effect.sync(() => void calls.cut++))
      }),
    remove: () =>
      Effect.sync(() => {
        calls.remove++
        return 3
      })
  })
  return { ...library, calls, end, news }
})

it.scoped("of twenty who begin a download at once one is let, and its progress and result are told", () =>
  Effect.gen(function* () {
    const { begin, calls, end, news, state } = yield* opened
    expect(yield* state).toBeUndefined()
    const begun = yield* Effect.all(
      Array.from({ length: 20 }, () => Effect.either(begin(request))),
      { concurrency: "unbounded" }
    )
    expect(begun.filter(Either.isRight).length).toBe(1)
    yield* Effect.yieldNow()
    expect(calls.download).toBe(1)
    news.heard({ _tag: "Waiting", reason: "it limits our requests", ms: 1_500 })
    expect(yield* state).toMatchObject({
      stage: "running",
      waiting: "it limits our requests; trying again in 2 s"
    })
    news.heard({ _tag: "Progress", done: 720, total: 1440 })
    expect(yield* state).toMatchObject({ stage: "running", done: 720, total: 1440, waiting: undefined })
    yield* Deferred.succeed(end, result)
    yield* Effect.yieldNow()
    expect(yield* state).toMatchObject({ stage: "done", result })
    expect(Either.isRight(yield* Effect.either(begin(request)))).toBe(true)
  })
)

it.scoped("a download that fails says why, and another may begin", () =>
  Effect.gen(function* () {
    const { begin, end, state } = yield* opened
    yield* begin(request)
    yield* Deferred.fail(end, "binance does not list it")
    yield* Effect.yieldNow()
    expect(yield* state).toMatchObject({ stage: "failed", failure: "binance does not list it" })
    yield* begin(request)
  })
)

it.scoped(
  "cancelling ends the work before it answers, at any moment, and does nothing where nothing runs",
  () =>
    Effect.gen(function* () {
      const { begin, calls, cancel, state } = yield* opened
      yield* cancel
      expect(yield* state).toBeUndefined()
      // Cancelled before its first step, and after.
      for (const steps of [0, 1, 5]) {
        yield* begin(request)
        for (let step = 0; step < steps; step++) yield* Effect.yieldNow()
        yield* cancel
        expect((yield* state)?.stage).toBe("cancelled")
        expect(calls.cut).toBe(calls.download)
      }
    })
)

it.scoped("a series that is being downloaded is not removed, and others may be", () =>
  Effect.gen(function* () {
    const { begin, calls, cancel, remove } = yield* opened
    yield* begin(request)
    expect((yield* Effect.flip(remove(series)))._tag).toBe("CandlesBusy")
    expect(calls.remove).toBe(0)
    expect(yield* remove({ ...series, timeframe: "1h" })).toBe(3)
    yield* cancel
    expect(yield* remove(series)).toBe(3)
  })
)

it.scoped("many lists read the disk once in half a minute, also where the first who asked goes away", () =>
  Effect.gen(function* () {
    const { calls, list, remove } = yield* opened
    const first = yield* Effect.fork(list)
    const others = yield* Effect.fork(Effect.all(Array.from({ length: 50 }, () => list)))
    yield* settled
    yield* Fiber.interruptFork(first)
    yield* settled
    yield* TestClock.adjust("1 second")
    expect((yield* Fiber.join(others)).length).toBe(50)
    expect(calls.list).toBe(1)
    yield* TestClock.adjust("10 seconds")
    yield* list
    expect(calls.list).toBe(1)
    yield* remove(series)
    const after = yield* Effect.fork(list)
    yield* settled
    yield* TestClock.adjust("1 second")
    yield* Fiber.join(after)
    expect(calls.list).toBe(2)
  })
)
