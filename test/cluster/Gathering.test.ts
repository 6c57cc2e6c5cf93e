// The adversary: a request that is interrupted just while it does the work of others.
import { expect } from "bun:test"
import { Deferred, Effect, Fiber } from "effect"
import * as Gathering from "../../src/cluster/Gathering.ts"
import { Partition } from "../../src/domain/Partition.ts"
import { it } from "../lib/effect.ts"

const [one, two] = [Partition.make(1), Partition.make(2)]

it.live("gathered requests are done together, and end although the one that does them is interrupted", () =>
  Effect.gen(function* () {
    const runs: Array<ReadonlyArray<number>> = []
    const begun = yield* Deferred.make<void>()
    const gate = yield* Deferred.make<void>()
    const request = yield* Gathering.make((some) =>
      Effect.gen(function* () {
        runs.push(some)
        yield* Deferred.succeed(begun, undefined)
        yield* Deferred.await(gate)
      })
    )
    const first = yield* Effect.fork(request(one))
    const second = yield* Effect.fork(request(two))
    yield* Deferred.await(begun)
    yield* Fiber.interruptFork(first)
    yield* Effect.sleep(10)
    yield* Deferred.succeed(gate, undefined)
    const ended = yield* Effect.timeoutOption(Fiber.join(second), "1 second")
    expect(ended._tag).toBe("Some")
    yield* Effect.timeout(request(one), "1 second")
    expect(runs).toEqual([[1, 2], [1]])
  })
)

it.live("a request that was done with others does not wait for those that came after it", () =>
  Effect.gen(function* () {
    const runs: Array<number> = []
    const [begun, middle, last] = yield* Effect.all([1, 2, 3].map(() => Deferred.make<void>()))
    if (begun === undefined || middle === undefined || last === undefined) throw new Error("three were made")
    const request = yield* Gathering.make((some) =>
      Effect.suspend(() => {
        runs.push(some.length)
        if (some.includes(Partition.make(9))) return Deferred.await(last)
        return Effect.zipRight(Deferred.succeed(begun, undefined), Deferred.await(middle))
      })
    )
    const early = [1, 2, 3, 4].map((id) => request(Partition.make(id)))
    const all = yield* Effect.fork(Effect.all(early, { concurrency: "unbounded" }))
    yield* Deferred.await(begun)
    const late = yield* Effect.fork(request(Partition.make(9)))
    yield* Effect.sleep(20)
    yield* Deferred.succeed(middle, undefined)
    expect((yield* Effect.timeoutOption(Fiber.join(all), "1 second"))._tag).toBe("Some")
    yield* Deferred.succeed(last, undefined)
    yield* Fiber.join(late)
    expect(runs).toEqual([4, 1])
  })
)
