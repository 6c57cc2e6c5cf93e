// What may be asked of an exchange, and in which order.
import { expect, test } from "bun:test"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import type { Rate } from "../../src/ccxt/Descriptor.ts"
import * as Budget from "../../src/exchange/gate/Budget.ts"
import type { Priority } from "../../src/exchange/gate/Priority.ts"
import * as RequestGate from "../../src/exchange/gate/RequestGate.ts"

const run = <A, E>(program: Effect.Effect<A, E, never>) =>
  Effect.runPromise(Effect.provide(program, TestContext.TestContext))

/** Who had a turn when (ms), in order. */
const turns = (
  pausedUntil: number,
  asked: ReadonlyArray<Priority>,
  ms: number,
  rate: Rate = { perSecond: 2, burst: 2 }
) =>
  run(
    Effect.gen(function* () {
      const { take } = yield* Budget.make(rate, () => pausedUntil)
      const had: Array<string> = []
      const fibers = yield* Effect.forEach(asked, (priority) =>
        Effect.fork(
          take(priority).pipe(
            Effect.match({ onFailure: () => `${priority} not`, onSuccess: () => priority }),
            Effect.tap((what) => Effect.map(Clock.currentTimeMillis, (at) => had.push(`${what} at ${at}`)))
          )
        )
      )
      for (let at = 0; at < ms; at += 100) yield* TestClock.adjust(100)
      yield* Effect.forEach(fibers, Fiber.interrupt)
      return had
    }).pipe(Effect.scoped)
  )

test("urgent requests go first, each when its turn comes", async () => {
  const asked = ["balance", "entry", "lookup", "exit", "cancel"] as const
  expect(await turns(0, asked, 3000)).toEqual([
    ...["cancel at 0", "exit at 0", "lookup at 500", "entry at 1000", "balance at 1500"]
  ])
})

test("nothing is sent during a pause, and an entry is too late after five seconds of it", async () => {
  expect(await turns(6000, ["entry", "exit"], 10_000)).toEqual(["entry not at 5000", "exit at 6000"])
  expect(await turns(60_000, ["cancel"], 10_000)).toEqual(["cancel not at 8000"])
})

test("an interrupted request leaves the line", () =>
  run(
    Effect.gen(function* () {
      const { take } = yield* Budget.make({ perSecond: 1, burst: 1 }, () => 0)
      yield* take("exit")
      const gone = yield* Effect.fork(take("exit"))
      const next = yield* Effect.fork(take("balance"))
      yield* TestClock.adjust(10)
      yield* Fiber.interrupt(gone)
      yield* TestClock.adjust(1000)
      yield* Fiber.join(next)
    }).pipe(Effect.scoped)
  ))

test("orders do not wait for lookups where the exchange counts them apart", async () => {
  const rate = { perSecond: 1, burst: 1, orders: { perSecond: 2, burst: 2 } }
  expect(await turns(0, ["lookup", "lookup", "entry", "exit", "cancel"], 2000, rate)).toEqual([
    ...["lookup at 0", "cancel at 0", "exit at 0", "entry at 500", "lookup at 1000"]
  ])
})

test("requests less urgent than an exit take turns", async () => {
  const asked = ["balance", "lookup", "lookup", "lookup", "lookup", "entry", "entry", "exit"] as const
  expect(await turns(0, asked, 4000)).toEqual([
    ...["exit at 0", "lookup at 0", "entry at 500", "balance at 1000", "lookup at 1500"],
    ...["entry at 2000", "lookup at 2500", "lookup at 3000"]
  ])
})

/** Requests of a kind that last so long (ms): when each began. */
const oneByOne = (asked: ReadonlyArray<readonly [priority: Priority, lasts: number]>) =>
  run(
    Effect.gen(function* () {
      const turns = RequestGate.make()
      const began: Array<string> = []
      const fibers = yield* Effect.forEach(asked, ([priority, lasts]) => {
        const begin = Effect.map(Clock.currentTimeMillis, (at) => began.push(`${priority} at ${at}`))
        return Effect.fork(turns(priority)(Effect.zipRight(begin, Effect.sleep(lasts))))
      })
      // One that gives up before its turn passes it on.
      const gone = yield* Effect.fork(turns("cancel")(Effect.never))
      yield* TestClock.adjust(0)
      yield* Fiber.interrupt(gone)
      for (let at = 0; at < 3000; at += 100) yield* TestClock.adjust(100)
      yield* Effect.forEach(fibers, Fiber.interrupt)
      return began
    })
  )

test("a numbered request is held up only briefly by an unanswered one", async () => {
  expect(
    await oneByOne([
      ["lookup", 10_000],
      ["lookup", 200],
      ["lookup", 200]
    ])
  ).toEqual(["lookup at 0", "lookup at 500", "lookup at 700"])
})

test("urgent requests overtake where requests are numbered", async () => {
  const hanging = 10_000
  expect(
    await oneByOne([
      ["lookup", hanging],
      ["lookup", hanging],
      ["balance", hanging],
      ["entry", hanging],
      ["exit", 100]
    ])
  ).toEqual(["lookup at 0", "exit at 500", "lookup at 600", "entry at 1100", "balance at 1600"])
})
