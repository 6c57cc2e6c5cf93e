// How far an exchange's clock is from ours, and when that is measured again.
import { expect, test } from "bun:test"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import * as Clocks from "../../src/exchange/gate/Clocks.ts"

/** An exchange, ahead by `skewMs`, to which a question takes so long (ms), and its answer as well; undefined fails. */
interface Far {
  readonly skewMs: number
  readonly ways: ReadonlyArray<readonly [there: number, back: number] | undefined>
}

const clockOf = (far: Far) => {
  const state = { skewMs: far.skewMs, asked: 0 }
  const time = Effect.gen(function* () {
    const way = far.ways[Math.min(state.asked++, far.ways.length - 1)]
    if (way === undefined) return yield* Effect.fail("it does not answer")
    const sent = yield* Clock.currentTimeMillis
    yield* Effect.sleep(way[0])
    const serverTime = (yield* Clock.currentTimeMillis) + state.skewMs
    yield* Effect.sleep(way[1])
    return { sent, serverTime, heard: yield* Clock.currentTimeMillis }
  })
  return Effect.map(Clocks.make(time), (clock) => ({ clock, state }))
}

const run = <A>(program: Effect.Effect<A, never, Scope.Scope>) =>
  Effect.runPromise(Effect.provide(Effect.scoped(program), TestContext.TestContext))

/** As long as it takes. */
const measured = (clock: Clocks.ExchangeClock) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(clock.measure)
    while (Option.isNone(yield* Fiber.poll(fiber))) yield* TestClock.adjust(50)
    yield* Fiber.join(fiber)
    return clock.skewMs()
  })

test("the exchange's clock is assumed to be read half way", () =>
  run(
    Effect.gen(function* () {
      const { clock, state } = yield* clockOf({ skewMs: 30_000, ways: [[100, 100]] })
      expect(clock.isKnown()).toBe(false)
      expect(yield* measured(clock)).toBe(30_000)
      expect([clock.isKnown(), state.asked]).toEqual([true, 1])
      yield* clock.measure
      expect(state.asked).toBe(1)
    })
  ))

test("the quickest of three slow tries counts, and never puts us a second ahead of the exchange", () =>
  run(
    Effect.gen(function* () {
      const { clock, state } = yield* clockOf({
        skewMs: 30_000,
        ways: [
          [2000, 100],
          [1800, 100],
          [1900, 100]
        ]
      })
      const skew = yield* measured(clock)
      expect(state.asked).toBe(3)
      expect(skew - 30_000).toBeLessThanOrEqual(500)
      expect(skew - 30_000).toBeGreaterThanOrEqual(-1900)
    })
  ))

test("a jump is measured at once; a wrong key does not cause a measurement each time", () =>
  run(
    Effect.gen(function* () {
      const { clock, state } = yield* clockOf({ skewMs: 30_000, ways: [[10, 10]] })
      yield* measured(clock)
      state.skewMs = -30_000
      const by = clock.measuring()
      yield* clock.doubt(by, true)
      expect(clock.isKnown()).toBe(false)
      expect(yield* measured(clock)).toBe(-30_000)
      // It was sent before that was known.
      yield* clock.doubt(by, true)
      yield* clock.measure
      expect(state.asked).toBe(2)
      for (let refusal = 0; refusal < 100; refusal++) {
        yield* clock.doubt(clock.measuring(), false)
        const fiber = yield* Effect.fork(clock.measure)
        yield* TestClock.adjust(100)
        yield* Fiber.join(fiber)
      }
      expect(state.asked).toBeLessThan(6)
    })
  ))

test("our own clock being set back is measured at the first refusal", () =>
  run(
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000_000)
      const { clock, state } = yield* clockOf({ skewMs: 0, ways: [[10, 10]] })
      yield* measured(clock)
      yield* TestClock.adjust(30_000)
      yield* TestClock.setTime(700_000)
      state.skewMs = 300_000
      yield* clock.doubt(clock.measuring(), true)
      expect(yield* measured(clock)).toBe(300_000)
    })
  ))

test("a failed measurement is soon tried again", () =>
  run(
    Effect.gen(function* () {
      const { clock, state } = yield* clockOf({ skewMs: 30_000, ways: [undefined, undefined, [10, 10]] })
      yield* measured(clock)
      yield* measured(clock)
      expect(state.asked).toBe(1)
      yield* TestClock.adjust(300)
      yield* measured(clock)
      yield* TestClock.adjust(600)
      expect(yield* measured(clock)).toBe(30_000)
      expect(state.asked).toBe(3)
    })
  ))

test("a measurement continues when nobody waits any more, and is given up without an answer", () =>
  run(
    Effect.gen(function* () {
      const { clock, state } = yield* clockOf({
        skewMs: 30_000,
        ways: [
          [1000, 1000],
          [10_000, 10_000],
          [10, 10]
        ]
      })
      const impatient = Effect.gen(function* () {
        const fiber = yield* Effect.fork(Effect.timeoutOption(clock.measure, 500))
        yield* TestClock.adjust(500)
        return yield* Fiber.join(fiber)
      })
      expect(Option.isNone(yield* impatient)).toBe(true)
      expect(Option.isNone(yield* impatient)).toBe(true)
      for (let at = 0; at < 6000; at += 100) yield* TestClock.adjust(100)
      expect([clock.isKnown(), state.asked]).toEqual([true, 2])
      expect(Math.abs(clock.skewMs() - 30_000)).toBeLessThanOrEqual(1000)
    })
  ))
