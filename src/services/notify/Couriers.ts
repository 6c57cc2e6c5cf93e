// Runs a courier (couriers/DeliveryLoop.ts) for every notification target, which delivers its events (domain/Event.ts).
// Failing and slow targets share slots of their own, and delay nobody else. A target's courier runs on the server that
// runs the bots of its account.
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { type Partition, partitionOf } from "../../domain/Partition.ts"
import type { Target } from "../../domain/Target.ts"
import * as EnginePartitions from "../engine/EnginePartitions.ts"
import * as DeliveryLoop from "./couriers/DeliveryLoop.ts"
import { Targets } from "./Targets.ts"

/** Concurrent deliveries, and further ones of failing or slow targets. */
const MOST_DELIVERIES = 16
const MOST_ASIDE = 8
/** The pause after the list of targets could not be read. */
const AGAIN = "5 seconds"

/** Starts and stops couriers as targets and partitions come and go. */
export const layer = (options: { readonly telegramUrl: string }) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const targets = yield* Targets
      const first = yield* Effect.makeSemaphore(MOST_DELIVERIES)
      const aside = yield* Effect.makeSemaphore(MOST_ASIDE)
      const post: DeliveryLoop.Post = {
        telegramUrl: options.telegramUrl,
        inTurn: (isAside) => (isAside ? aside : first).withPermits(1)
      }
      const couriers = new Map<string, Fiber.RuntimeFiber<void, unknown>>()
      const scope = yield* Effect.scope
      const inTurn = (yield* Effect.makeSemaphore(1)).withPermits(1)
      let held: ReadonlySet<Partition> = new Set()
      const isDue = ({ account, progress }: Target): boolean =>
        progress.disabled === "" && held.has(partitionOf(account))

      /** Returns the couriers that are still to end: each stores how far it came. */
      const adopt = Effect.gen(function* () {
        const found = yield* targets.all
        const due = new Map(found.filter(isDue).map((it) => [keyOf(it), it]))
        const ending: Array<Fiber.RuntimeFiber<void, unknown>> = []
        for (const [key, fiber] of couriers) {
          if (due.has(key)) continue
          couriers.delete(key)
          ending.push(fiber)
          yield* Fiber.interruptFork(fiber)
        }
        for (const [key, target] of due) {
          if (!couriers.has(key))
            couriers.set(key, yield* Effect.forkIn(DeliveryLoop.serve(target, post), scope))
        }
        return ending
      }).pipe(inTurn)
      yield* EnginePartitions.follow((now) => {
        held = now
        return Effect.flatMap(adopt, (ending) => Effect.forEach(ending, Fiber.await, { discard: true }))
      })
      yield* adopt.pipe(
        Effect.zipRight(targets.changed),
        Effect.catchAllCause((cause) =>
          Cause.isInterrupted(cause)
            ? Effect.failCause(cause)
            : Effect.zipRight(
                Effect.logError("notifications could not be looked up", cause),
                Effect.sleep(AGAIN)
              )
        ),
        Effect.forever,
        Effect.forkScoped
      )
    })
  )

/** A revived target gets a new courier. */
const keyOf = ({ id, revision }: Target) => `${id}:${revision}`
