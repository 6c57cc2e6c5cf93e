// Gathers what is wanted of single partitions into one request: a node that begins takes hundreds, and the engine takes
// them together as fast as one.
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { Partition } from "../domain/Partition.ts"

/** Makes a request of one partition that ends when `run` has ended for it and all that wait beside it. */
export const make = (
  run: (some: ReadonlyArray<Partition>) => Effect.Effect<void>
): Effect.Effect<(partition: Partition) => Effect.Effect<void>> =>
  Effect.map(Effect.makeSemaphore(1), (permit) => {
    let waiting = new Map<Partition, Deferred.Deferred<void>>()
    const next = Effect.suspend(() => {
      const all = waiting
      waiting = new Map()
      if (all.size === 0) return Effect.void
      return Effect.flatMap(Effect.exit(run([...all.keys()])), (exit) =>
        Effect.forEach(all.values(), (done) => Deferred.done(done, exit), { discard: true })
      )
    })
    return (partition) =>
      Effect.gen(function* () {
        const done = waiting.get(partition) ?? (yield* Deferred.make<void>())
        waiting.set(partition, done)
        // Whoever comes in the same moment comes along.
        yield* Effect.yieldNow()
        // Once begun it is finished, also where this request is interrupted: others wait for it too.
        yield* permit.withPermits(1)(Effect.uninterruptible(next))
        yield* Deferred.await(done)
      })
  })
