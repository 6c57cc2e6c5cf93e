// The virtual clock: order, exactness, cost and cleanup.
import { expect, test } from "bun:test"
import { Clock, Deferred, Effect, Fiber, Random, Ref, Schedule } from "effect"
import { expect as demand } from "../../src/testing/expect.ts"
import { pass, passTo, run, runReal } from "../../src/testing/VirtualClock.ts"

test("time stands still until the test lets it pass, and is exact at the end", () =>
  run(
    Effect.gen(function* () {
      const now = Clock.currentTimeMillis
      expect(yield* now).toBe(1_000)
      const bell = yield* Effect.fork(Effect.sleep("45 minutes"))
      yield* pass("45 minutes")
      expect(yield* now).toBe(2_701_000)
      expect((yield* Fiber.poll(bell))._tag).toBe("Some")
      yield* passTo(3_000_000)
      yield* passTo(1)
      expect(yield* now).toBe(3_000_000)
    }),
    { startsAt: 1_000 }
  ))

test("sleepers wake in sequence, each at its own time if the leap is 0", () =>
  run(
    Effect.gen(function* () {
      const woken = yield* Ref.make<ReadonlyArray<string>>([])
      const sleeper = (name: string, ms: number) =>
        Effect.gen(function* () {
          yield* Effect.sleep(ms)
          const at = yield* Clock.currentTimeMillis
          yield* Ref.update(woken, (all) => [...all, `${name} ${at}`])
        })
      for (const [name, ms] of [
        ["c", 300],
        ["a", 100],
        ["b", 100],
        ["z", 301]
      ] as const)
        yield* Effect.fork(sleeper(name, ms))
      yield* pass(300, { leap: 0 })
      expect(yield* Ref.get(woken)).toEqual(["a 100", "b 100", "c 300"])
    })
  ))

test("a day of polling ten times a second costs almost nothing", async () => {
  const before = performance.now()
  const looks = await run(
    Effect.gen(function* () {
      const looks = yield* Ref.make(0)
      const look = Ref.update(looks, (count) => count + 1)
      yield* Effect.fork(Effect.repeat(look, Schedule.spaced("100 millis")))
      yield* pass("30 days")
      return yield* Ref.get(looks)
    })
  )
  expect(looks).toBeGreaterThan(30 * 24 * 60 - 2)
  expect(looks).toBeLessThan(30 * 24 * 60 + 100)
  expect(performance.now() - before).toBeLessThan(5_000)
})

test("a deadline is noticed late by less than a leap", () =>
  run(
    Effect.gen(function* () {
      const at = yield* Effect.fork(Effect.zipRight(Effect.sleep("37 minutes"), Clock.currentTimeMillis))
      yield* pass("10 hours", { leap: "5 minutes" })
      const seen = yield* at
      expect(seen).toBeGreaterThanOrEqual(37 * 60_000)
      expect(seen).toBeLessThan(42 * 60_000)
    })
  ))

test("the clock waits for promises, and for fibers that yield", () =>
  run(
    Effect.gen(function* () {
      const said = yield* Effect.promise(() => Promise.resolve("hello"))
      expect(said).toBe("hello")
      const turns: Array<string> = []
      const talk = (name: string) =>
        Effect.repeatN(
          Effect.zipRight(
            Effect.sync(() => turns.push(name)),
            Effect.yieldNow()
          ),
          2
        )
      yield* Effect.all([talk("a"), talk("b")], { concurrency: "unbounded" })
      expect(turns).toEqual(["a", "b", "a", "b", "a", "b"])
    })
  ))

test("an interrupted sleeper is not woken, and a timeout holds", () =>
  run(
    Effect.gen(function* () {
      const never = yield* Deferred.make<void>()
      const waiting = yield* Effect.fork(Effect.timeoutOption(Deferred.await(never), "5 seconds"))
      yield* pass("4 seconds")
      expect((yield* Fiber.poll(waiting))._tag).toBe("None")
      yield* pass("1 second")
      expect((yield* waiting)._tag).toBe("None")
      const sleeper = yield* Effect.fork(Effect.sleep("1 second"))
      yield* Fiber.interrupt(sleeper)
      yield* pass("2 seconds")
    })
  ))

test("the same seed draws the same values, and a failure is thrown as it is", async () => {
  const draw = (seed: string) => run(Random.next, { seed })
  expect(await draw("a")).toBe(await draw("a"))
  expect(await draw("a")).not.toBe(await draw("b"))
  const flaw = new Error("as it is")
  expect(await run(Effect.die(flaw)).catch((error: unknown) => error)).toBe(flaw)
  expect(await run(Effect.fail("no error")).catch((error: Error) => error.message)).toContain("no error")
})

test("finalizers run at the end", async () => {
  const closed: Array<string> = []
  await run(Effect.addFinalizer(() => Effect.sync(() => closed.push("yes"))))
  expect(closed).toEqual(["yes"])
})

test("on the real clock time passes by waiting", async () => {
  const before = performance.now()
  await runReal(pass("30 millis"))
  expect(performance.now() - before).toBeGreaterThan(25)
})

test("a failed expectation names its place", () => {
  const flaw = (check: () => void) => {
    try {
      check()
    } catch (error) {
      return error instanceof Error ? error.message : "no error"
    }
    return "nothing found"
  }
  expect(flaw(() => demand([{ a: 1, b: undefined }]).toEqual([{ a: 1 }]))).toBe("nothing found")
  expect(flaw(() => demand([{ name: "a" }]).toEqual([{ name: "b" }]))).toBe(
    'at [0].name: expected "b", found "a"'
  )
  expect(flaw(() => demand({ a: 1, b: 2 }).toEqual({ a: 1 }))).toContain("at b")
  expect(flaw(() => demand({ a: 1, b: 2 }).toMatchObject({ a: 1 }))).toBe("nothing found")
  expect(flaw(() => demand([1, 2]).toEqual([1]))).not.toBe("nothing found")
  expect(flaw(() => demand(new Map([[1, "a"]])).toEqual(new Map([[1, "b"]])))).toContain('"b"')
  expect(flaw(() => demand(new Set([1])).toEqual(new Set([1])))).toBe("nothing found")
  expect(flaw(() => demand("abc").not.toContain("b"))).toContain("no")
  expect(flaw(() => demand(1).toBeGreaterThan(1))).not.toBe("nothing found")
  expect(flaw(() => demand(Number.NaN).toBe(Number.NaN))).toBe("nothing found")
})
