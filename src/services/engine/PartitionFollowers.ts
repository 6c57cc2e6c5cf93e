// What follows the partitions of an engine: whatever runs once for each account, on the server that runs its bots.
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { Partition } from "../../domain/Partition.ts"
import { inRealTime } from "../internal/RealTime.ts"

/** The longest that partitions wait for one that follows them: another engine waits for them meanwhile. */
const PATIENCE = "3 seconds"

type Adopt = (held: ReadonlySet<Partition>) => Effect.Effect<void>

/** Makes the followers, who are told of the partitions one change at a time. */
export const make = Effect.fnUntraced(function* (before: ReadonlySet<Partition>) {
  const following = new Set<Adopt>()
  const inTurn = (yield* Effect.makeSemaphore(1)).withPermits(1)
  let held = before

  /** Ends with the follower, at the latest when nobody waits for it any more. What it starts can be interrupted. */
  const tell = (adopt: Adopt): Effect.Effect<void> =>
    Effect.flatMap(Effect.forkDaemon(Effect.interruptible(Effect.suspend(() => adopt(held)))), (fiber) =>
      inRealTime(
        Effect.timeoutTo(Effect.interruptible(Fiber.await(fiber)), {
          duration: PATIENCE,
          onSuccess: Exit.asVoid,
          onTimeout: () => LATE
        })
      )
    ).pipe(
      Effect.flatMap((exit) =>
        Exit.isSuccess(exit)
          ? Effect.void
          : Effect.logError("partitions that come or go met a fault", exit.cause)
      )
    )

  return {
    /** Tells all followers at the same time, where partitions changed since they were told last. */
    tell: (now: () => ReadonlySet<Partition>): Effect.Effect<void> =>
      inTurn(
        Effect.suspend(() => {
          const next = now()
          if (areSame(next, held)) return Effect.void
          held = next
          return Effect.forEach(following, tell, { concurrency: "unbounded", discard: true })
        })
      ),
    add: (adopt: Adopt): Effect.Effect<void, never, Scope.Scope> =>
      Effect.zipRight(
        Effect.acquireRelease(
          Effect.sync(() => following.add(adopt)),
          () => Effect.sync(() => following.delete(adopt))
        ),
        inTurn(Effect.suspend(() => tell(adopt)))
      )
  }
})

const areSame = (one: ReadonlySet<Partition>, other: ReadonlySet<Partition>): boolean =>
  one.size === other.size && [...one].every((partition) => other.has(partition))

const LATE = Exit.die("one that follows partitions takes too long, and is not waited for")
