// How far an exchange's clock is from ours, and when that is measured again.
import { expect, test } from "bun:test"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import * as Clocks from "../../src/exchange/Clocks.ts"

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
    const told = (yield* Clock.currentTimeMillis) + state.skewMs
    yield* Effect.sleep(way[1])
    return { sent, told, heard: yield* Clock.currentTimeMillis }
  })
  return Effect.map(Clocks.make(time), (clock) => ({ clock, state }))
}

const run = <A>(program: Effect.Effect<A>) =>
  Effect.runPromise(Effect.provide(program, TestContext.TestContext))

/** As long as it takes. */
const measured = (clock: Clocks.ExchangeClock) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(clock.measure)
    while (Option.isNone(yield* Fiber.poll(fiber))) yield* TestClock.adjust(50)
    yield* Fiber.join(fiber)
    return clock.skewMs()
  })

test("is measured from half way", () =>
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

test("of three slow ways the quickest holds, and never puts us ahead of the exchange by a second", () =>
  run(
    Effect.gen(function* () {
      const { clock, state } = yield* clockOf({
        skewMs: 30_000,
        ways: [
          [3000, 100],
          [1800, 100],
          [2500, 100]
        ]
      })
      const skew = yield* measured(clock)
      expect(state.asked).toBe(3)
      expect(skew - 30_000).toBeLessThanOrEqual(500)
      expect(skew - 30_000).toBeGreaterThanOrEqual(-1900)
    })
  ))

test("a jump is measured at once, also just after a measuring, and for a key that is wrong not each time", () =>
  run(
    Effect.gen(function* () {
      const { clock, state } = yield* clockOf({ skewMs: 30_000, ways: [[10, 10]] })
      yield* measured(clock)
      clock.agree()
      state.skewMs = -30_000
      const at = yield* Clock.currentTimeMillis
      yield* clock.doubt(at)
      expect(clock.isKnown()).toBe(false)
      expect(yield* measured(clock)).toBe(-30_000)
      // It was sent before that was known.
      yield* clock.doubt(at)
      yield* clock.measure
      expect(state.asked).toBe(2)
      for (let refusal = 0; refusal < 100; refusal++) {
        yield* clock.doubt(yield* Clock.currentTimeMillis)
        const fiber = yield* Effect.fork(clock.measure)
        yield* TestClock.adjust(100)
        yield* Fiber.join(fiber)
      }
      expect(state.asked).toBeLessThan(15)
    })
  ))

test("is tried again soon where it failed, and by one who waits no longer", () =>
  run(
    Effect.gen(function* () {
      const { clock, state } = yield* clockOf({
        skewMs: 30_000,
        ways: [undefined, undefined, [10, 10], [5000, 5000], [10, 10]]
      })
      yield* clock.measure
      yield* clock.measure
      expect(state.asked).toBe(1)
      yield* TestClock.adjust(300)
      yield* clock.measure
      yield* TestClock.adjust(600)
      expect(yield* measured(clock)).toBe(30_000)
      expect(state.asked).toBe(3)
      state.skewMs = 0
      yield* TestClock.adjust(5000)
      yield* clock.doubt(yield* Clock.currentTimeMillis)
      const fiber = yield* Effect.fork(clock.measure)
      yield* TestClock.adjust(2000)
      yield* Fiber.interrupt(fiber)
      expect(yield* measured(clock)).toBe(0)
    })
  ))
