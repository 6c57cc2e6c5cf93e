// Gathers what is wanted of single partitions into one request: a node that begins takes hundreds, and the engine takes
// them together as fast as one.
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { Partition } from "../domain/Partition.ts"
import { inRealTime } from "../services/internal/RealTime.ts"

/** How long a request waits for others: Effect Cluster asks for each partition by itself. */
const COMPANY = "10 millis"

/** Makes a request of one partition that ends when `run` has ended for it and all that came with it. */
export const make = (
  run: (some: ReadonlyArray<Partition>) => Effect.Effect<void>
): Effect.Effect<(partition: Partition) => Effect.Effect<void>> =>
  Effect.sync(() => {
    let waiting = new Map<Partition, Deferred.Deferred<void>>()
    let isRunning = false
    const once = Effect.gen(function* () {
      yield* inRealTime(Effect.sleep(COMPANY))
      const all = waiting
      waiting = new Map()
      const exit = yield* Effect.exit(Effect.suspend(() => run([...all.keys()])))
      yield* Effect.forEach(all.values(), (done) => Deferred.done(done, exit), { discard: true })
    })
    const isMore = () => {
      isRunning = waiting.size > 0
      return isRunning
    }
    const rounds = Effect.repeat(once, { while: isMore })
    const joined = Effect.fnUntraced(function* (partition: Partition) {
      const done = waiting.get(partition) ?? (yield* Deferred.make<void>())
      waiting.set(partition, done)
      if (isRunning) return done
      isRunning = true
      // Once begun it is finished, also where this request is interrupted: others wait for it too.
      yield* Effect.forkDaemon(rounds)
      return done
    }, Effect.uninterruptible)
    return (partition) => Effect.flatMap(joined(partition), Deferred.await)
  })
