// The adversaries: eight loops that never pause before a request or a price, a crowd of requests before the loop that
// closes positions, and whoever is interrupted while it waits or in the moment of its call.
import { expect } from "bun:test"
import { Cause, Effect, Fiber, FastCheck as fc } from "effect"
import * as TurnQueue from "../../src/services/engine/TurnQueue.ts"
import { it } from "../lib/effect.ts"

/** Turns of a queue that note whose they were. */
const noting = () => {
  const queue = TurnQueue.make()
  const had: Array<string> = []
  const take = (way: keyof TurnQueue.TurnQueue, who: string) =>
    queue[way](
      Effect.zipRight(
        Effect.yieldNow(),
        Effect.sync(() => had.push(who))
      )
    )
  return { had, take }
}

it.live("a request waits for one loop at most, however many loops stand before it", () =>
  Effect.gen(function* () {
    const { had, take } = noting()
    const loops = yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8], (id) =>
      Effect.fork(take("steady", `loop ${id}`))
    )
    yield* Effect.yieldNow()
    yield* take("awaited", "request")
    expect(had).toEqual(["loop 1", "request"])
    yield* Fiber.joinAll(loops)
    expect(had).toEqual(["loop 1", "request", ...[2, 3, 4, 5, 6, 7, 8].map((id) => `loop ${id}`)])
  })
)

it.live("a loop has every second turn, however many requests stand before it", () =>
  Effect.gen(function* () {
    const { had, take } = noting()
    const crowd = yield* Effect.forEach(Array(100).keys(), () => Effect.fork(take("awaited", "request")))
    yield* Effect.yieldNow()
    yield* Effect.repeatN(take("steady", "loop"), 9)
    expect(had.filter((who) => who === "request").length).toBeLessThanOrEqual(11)
    yield* Fiber.joinAll(crowd)
    expect(had).toHaveLength(110)
  })
)

it.live("a price waits for one turn at most, and requests and loops alternate while prices never end", () =>
  Effect.gen(function* () {
    const { had, take } = noting()
    const crowd = yield* Effect.forEach(Array(9).keys(), (id) =>
      Effect.fork(
        Effect.repeatN(take(id % 2 === 0 ? "awaited" : "steady", id % 2 === 0 ? "request" : "loop"), 9)
      )
    )
    yield* Effect.yieldNow()
    yield* Effect.repeatN(take("urgent", "price"), 9)
    const prices = had.flatMap((who, place) => (who === "price" ? [place] : []))
    expect(prices[0]).toBe(1)
    expect(prices.slice(1).map((place, index) => place - (prices[index] ?? 0))).toEqual(Array(9).fill(2))
    const others = had.filter((who, place) => who !== "price" && place < (prices[9] ?? 0))
    expect(others).toEqual(others.map((_, place) => (place % 2 === 0 ? "request" : "loop")))
    yield* Fiber.joinAll(crowd)
  })
)

it.live("partitions that move wait for the turn at hand alone", () =>
  Effect.gen(function* () {
    const { had, take } = noting()
    const ways = ["awaited", "urgent", "steady"] as const
    const crowd = yield* Effect.forEach([...ways, ...ways], (way) => Effect.fork(take(way, way)))
    yield* Effect.yieldNow()
    yield* take("first", "partitions")
    expect(had.indexOf("partitions")).toBe(1)
    yield* Fiber.joinAll(crowd)
  })
)

const comers = fc.array(
  fc.record({
    way: fc.constantFrom("first" as const, "awaited" as const, "urgent" as const, "steady" as const),
    /** After how many yields of others it comes, stays that long, and is interrupted, if at all. */
    comes: fc.nat(6),
    stays: fc.nat(3),
    isInterruptedAfter: fc.option(fc.nat(8), { nil: undefined })
  }),
  { minLength: 1, maxLength: 20 }
)

it.live("nobody shares a turn and nobody waits for ever, whoever is interrupted and whenever", () =>
  Effect.promise(() =>
    fc.assert(
      fc.asyncProperty(comers, (all) =>
        Effect.runPromise(
          Effect.gen(function* () {
            const queue = TurnQueue.make()
            let within = 0
            const ended = yield* Effect.forEach(
              all,
              ({ comes, isInterruptedAfter, stays, way }) =>
                Effect.gen(function* () {
                  yield* Effect.repeatN(Effect.yieldNow(), comes)
                  const fiber = yield* Effect.fork(
                    queue[way](
                      Effect.gen(function* () {
                        expect(++within).toBe(1)
                        yield* Effect.repeatN(Effect.yieldNow(), stays)
                      }).pipe(Effect.ensuring(Effect.sync(() => within--)))
                    )
                  )
                  if (isInterruptedAfter === undefined) return yield* Fiber.join(fiber)
                  yield* Effect.repeatN(Effect.yieldNow(), isInterruptedAfter)
                  const exit = yield* Fiber.interrupt(fiber)
                  if (exit._tag === "Failure" && !Cause.isInterruptedOnly(exit.cause)) yield* exit
                }),
              { concurrency: "unbounded", discard: true }
            ).pipe(Effect.timeoutOption("2 seconds"))
            expect(ended._tag).toBe("Some")
            // The queue is free afterwards.
            expect((yield* Effect.timeoutOption(queue.steady(Effect.void), "1 second"))._tag).toBe("Some")
          })
        )
      ),
      { numRuns: 300 }
    )
  )
)
