import { expect } from "bun:test"
import { Effect, Layer, Logger, TestClock } from "effect"
import { Events } from "../../src/services/Events.ts"
import { EnginePartitions } from "../../src/services/engine/EnginePartitions.ts"
import { CandleRecording, type RecordingState } from "../../src/services/feeds/CandleRecording.ts"
import { Heartbeat } from "../../src/services/health/Heartbeat.ts"
import * as OutageAnnouncer from "../../src/services/health/OutageAnnouncer.ts"
import { Journal } from "../../src/services/Journal.ts"
import { type FeedHealth, Tickers } from "../../src/services/Tickers.ts"
import { layer } from "../lib/effect.ts"
import { memory, sender } from "./ports.ts"

const START = { entry: 0, alert: 0 }

layer(memory).effect(
  "an exchange's outage, its return and a full disk are each announced once to everybody",
  () =>
    Effect.gen(function* () {
      const { account } = yield* sender("ann")
      const events = yield* Events
      const journal = yield* Journal
      let state: FeedHealth["state"] = "connecting"
      let since = 0
      let isFull = false
      const health = Effect.sync(
        (): ReadonlyArray<FeedHealth> => [
          {
            exchange: "kraken",
            state,
            since,
            markets: 1,
            stale: 0,
            reconnects: 0,
            reason: "it closed a stream",
            quotes: { accepted: 0, held: 0, dropped: 0 }
          }
        ]
      )
      const tickers = Layer.succeed(Tickers, {
        next: Effect.never,
        describe: "",
        watch: () => Effect.void,
        health
      })
      const disk = Layer.succeed(Journal, { ...journal, writable: Effect.sync(() => !isFull) })
      yield* Layer.build(
        OutageAnnouncer.layer.pipe(Layer.provide([tickers, disk, EnginePartitions.layerAll]))
      )
      const turns = (to: FeedHealth["state"]) =>
        Effect.map(TestClock.currentTimeMillis, (now) => {
          state = to
          since = now
        })
      yield* TestClock.adjust("1 minute")
      // Gone for a moment is nothing to tell.
      yield* turns("unreachable")
      yield* TestClock.adjust("20 seconds")
      yield* turns("streaming")
      yield* TestClock.adjust("1 minute")
      yield* turns("unreachable")
      yield* TestClock.adjust("10 minutes")
      yield* turns("polling")
      yield* TestClock.adjust("10 minutes")
      isFull = true
      yield* TestClock.adjust("5 minutes")
      isFull = false
      yield* TestClock.adjust("5 minutes")
      const { events: told } = yield* events.after(account, START, 100)
      expect(told.map(({ event }) => [event.kind, event.rule])).toEqual([
        ["exchange", "exchange_unreachable"],
        ["exchange", "exchange_back"],
        ["storage", "storage_back"]
      ])
      expect(told.map(({ event }) => event.text)).toEqual([
        "No prices from kraken: it closed a stream. Bots open nothing there until prices are back.",
        expect.stringMatching(/^Prices from kraken are back after 60\d s\.$/),
        expect.stringMatching(/^For \d{3} s nothing could be stored and alerts were refused/)
      ])
    })
)

layer(memory).effect("a recording that stops for want of disk is announced once, and so is its return", () =>
  Effect.gen(function* () {
    const { account } = yield* sender("ann")
    const events = yield* Events
    const journal = yield* Journal
    let state: RecordingState = "on"
    const ports = Layer.mergeAll(
      Layer.succeed(Tickers, {
        next: Effect.never,
        describe: "",
        watch: () => Effect.void,
        health: Effect.sync(() => [])
      }),
      Layer.succeed(Journal, { ...journal, writable: Effect.sync(() => true) }),
      Layer.succeed(CandleRecording, { state: Effect.sync(() => state) })
    )
    yield* Layer.build(Layer.provide(OutageAnnouncer.layer, [ports, EnginePartitions.layerAll]))
    yield* TestClock.adjust("1 minute")
    state = "paused"
    yield* TestClock.adjust("10 minutes")
    state = "on"
    yield* TestClock.adjust("10 minutes")
    const { events: all } = yield* events.after(account, START, 100)
    expect(all.map(({ event }) => [event.kind, event.rule, event.text])).toEqual([
      [
        "storage",
        "recording_stopped",
        expect.stringContaining("less than 1 GB of the server's disk is free")
      ],
      ["storage", "recording_back", expect.stringMatching(/^Candles are recorded again after 60\d s\.$/)]
    ])
  })
)

layer(memory).effect("a full disk is announced even if an exchange went away meanwhile", () =>
  Effect.gen(function* () {
    const { account } = yield* sender("ann")
    const events = yield* Events
    const journal = yield* Journal
    let isFull = true
    const health = Effect.succeed<ReadonlyArray<FeedHealth>>([
      {
        exchange: "kraken",
        state: "unreachable",
        since: 0,
        markets: 1,
        stale: 0,
        reconnects: 0,
        reason: "it closed a stream",
        quotes: { accepted: 0, held: 0, dropped: 0 }
      }
    ])
    const tickers = { next: Effect.never, describe: "", watch: () => Effect.void, health }
    const ports = Layer.mergeAll(
      Layer.succeed(Tickers, tickers),
      Layer.succeed(Journal, { ...journal, writable: Effect.sync(() => !isFull) }),
      Layer.succeed(Events, {
        ...events,
        announce: (note) => (isFull ? Effect.dieMessage("the disk is full") : events.announce(note))
      })
    )
    yield* Layer.build(
      OutageAnnouncer.layer.pipe(
        Layer.provide([ports, EnginePartitions.layerAll, Logger.remove(Logger.defaultLogger)])
      )
    )
    yield* TestClock.adjust("5 minutes")
    isFull = false
    yield* TestClock.adjust("5 minutes")
    const { events: told } = yield* events.after(account, START, 100)
    expect(told.map(({ event }) => event.rule)).toEqual(["exchange_unreachable", "storage_back"])
  })
)

layer(memory).effect("for how long no server ran is announced once, at the start of the next", () =>
  Effect.gen(function* () {
    const { account } = yield* sender("ann")
    const events = yield* Events
    const tickers = Layer.succeed(Tickers, {
      next: Effect.never,
      describe: "",
      watch: () => Effect.void,
      health: Effect.sync(() => [])
    })
    let last: number | undefined
    const heartbeat = Layer.succeed(Heartbeat, {
      beat: Effect.map(TestClock.currentTimeMillis, (now) => {
        const before = last
        last = now
        return before
      })
    })
    const run = (minutes: number) =>
      Effect.scoped(
        Effect.zipRight(
          Layer.build(
            OutageAnnouncer.layer.pipe(Layer.provide([tickers, heartbeat, EnginePartitions.layerAll]))
          ),
          TestClock.adjust(`${minutes} minutes`)
        )
      )
    yield* run(10)
    // A restart is no outage.
    yield* TestClock.adjust("20 seconds")
    yield* run(10)
    yield* TestClock.adjust("1 hour")
    yield* run(10)
    const { events: told } = yield* events.after(account, START, 100)
    expect(told.map(({ event }) => [event.kind, event.rule])).toEqual([["live", "server_back"]])
    const [found] = told
    const off = (found?.event.at ?? 0) - Number(found?.event.facts["since"])
    expect(off).toBeGreaterThanOrEqual(3_600_000)
    expect(off).toBeLessThan(3_660_000)
  })
)
