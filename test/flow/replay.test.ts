// A replay of recorded candles, with a clock of its own.
import { expect } from "bun:test"
import { Clock, Effect, Layer } from "effect"
import * as Memory from "../../src/Memory.ts"
import * as Replay from "../../src/prices/Replay.ts"
import * as ReplayClock from "../../src/prices/ReplayClock.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { ENDLESS_PATIENCE } from "../../src/trading/AlertPatience.ts"
import { it } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import * as Worlds from "./worlds.ts"

// Recorded candles as `serve --prices replay:PATH` plays them: at their own times, on a clock of their own.
const MINUTE = 60_000
const BEGIN = Date.UTC(2024, 1, 29)
const SPEED = 20_000

const recordings = (length: number) => {
  const [pair] = Worlds.PAIRS
  const columns = Worlds.walk(Worlds.dice(7), BEGIN, length, 100, 0.01)
  return pair === undefined ? [] : [{ exchange: "binance" as const, pair, columns }]
}

it.live("a replay plays to its end, and then its clock stands still", () => {
  const clock = ReplayClock.make(BEGIN, SPEED)
  return Effect.gen(function* () {
    const played = recordings(90)
    const last = played[0]?.columns.at.at(-1) ?? 0
    const ann = yield* Flow.ann({ auto_close_position_enabled: true, auto_close_position_value: 10 })
    yield* Flow.send(ann.identity, ann.signal, "buy")
    yield* Layer.build(Replay.layer(played, clock, SPEED))
    const portfolio = yield* Portfolio
    const done = Effect.map(portfolio.trades(ann.strategy, { limit: 9 }), (trades) => trades.length > 0)
    yield* Effect.repeat(Effect.zipLeft(done, Effect.sleep(5)), { until: (it) => it, times: 1000 })
    const [trade] = yield* Flow.tradesOf(ann.strategy)
    expect([trade?.exitReason, (trade?.openedAt ?? 0) - BEGIN < 5 * MINUTE]).toEqual(["auto_close", true])
    expect((trade?.closedAt ?? 0) - (trade?.openedAt ?? 0)).toBeGreaterThanOrEqual(10 * MINUTE)
    const ended = Effect.map(Clock.currentTimeMillis, (now) => now > last)
    yield* Effect.repeat(Effect.zipLeft(ended, Effect.sleep(5)), { until: (it) => it, times: 1000 })
    yield* Effect.sleep(20)
    // An alert that arrives now is later than the last candle.
    expect(yield* Clock.currentTimeMillis).toBe(last + 1)
    // A preview waits for no candle: it tries the alert at the last close.
    const [tried] = yield* Flow.preview(ann.identity, ann.signal, "buy")
    expect([tried?.reason, tried?.steps.at(-1)]).toEqual(["opened", expect.stringMatching(/^Order: buy/)])
    expect(yield* Flow.tradesOf(ann.strategy)).toHaveLength(1)
  }).pipe(
    Effect.provide(
      Memory.layer({ patience: ENDLESS_PATIENCE }).pipe(Layer.provideMerge(Layer.setClock(clock)))
    )
  )
})

it.live("the clock of a replay runs towards the next candle, and never beyond it", () =>
  Effect.gen(function* () {
    const clock = ReplayClock.make(BEGIN, SPEED)
    const now = Effect.withClock(Clock.currentTimeMillis, clock)
    expect(yield* now).toBe(BEGIN)
    clock.moveTo(BEGIN, BEGIN + MINUTE)
    // Sleeping on this clock takes real time, so that watchers of files and sockets keep working.
    yield* Effect.withClock(Effect.sleep(20), clock)
    expect(yield* now).toBe(BEGIN + MINUTE - 1)
    clock.moveTo(BEGIN + MINUTE, BEGIN + MINUTE)
    expect(yield* now).toBe(BEGIN + MINUTE)
    clock.begin(BEGIN + MINUTE)
    yield* Effect.withClock(Effect.sleep(20), clock)
    expect(yield* now).toBe(BEGIN + MINUTE + 1)
  })
)
