import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Meters } from "../Meters.ts"
import { StorageUnavailable } from "../StorageUnavailable.ts"
import type { Desk } from "./Desk.ts"

/** For how long a request waits for the bots, which wait for the disk when it is full. */
export const REQUEST_MS = 5000

/** Who may let the bots decide: one at a time, and nobody before it was looked at what the last run left. */
export const make = Effect.fnUntraced(function* (desk: Desk) {
  const { engine: meter } = yield* Meters
  const begun = yield* Deferred.make<void>()
  const semaphore = yield* Effect.makeSemaphore(1)
  const counted = Effect.suspend(() => {
    meter.turns++
    return Effect.zipRight(desk.settle(), desk.heed)
  })

  /** A turn at the start: not before all that was decided before is stored, and under the halts in force. */
  const early = <A, E, R>(self: Effect.Effect<A, E, R>) =>
    semaphore.withPermits(1)(Effect.zipRight(counted, self))
  /** The same, once the bots have begun. */
  const turn = <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.zipRight(Deferred.await(begun), early(self))

  /** A request that cannot be served now is told so, and may be sent again: what it stored it stores once more. */
  const inTime = <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.flatMap(
      Effect.timeoutOption(self, REQUEST_MS),
      Option.match({
        onSome: Effect.succeed,
        onNone: () => Effect.flatMap(Deferred.isDone(begun), (isBegun) => Effect.die(unavailable(isBegun)))
      })
    )

  return { early, turn, inTime, begun: Deferred.await(begun), begin: Deferred.succeed(begun, undefined) }
})

const unavailable = (isBegun: boolean) =>
  new StorageUnavailable(
    isBegun
      ? { reason: "the bots are waiting for the disk" }
      : {
          reason: "an exchange has not told yet what became of the last run's orders",
          detail:
            "the bots begin in a moment, once exchanges have told what became of their orders; try again"
        }
  )
