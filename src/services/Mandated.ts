import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Mandate, MandateAnswer } from "../domain/Mandate.ts"
import type { StrategyId } from "../domain/StrategyId.ts"
import { Arming } from "./Arming.ts"
import { MANDATE_MS, Mandates } from "./Mandates.ts"

/** How soon it is tried again where something went wrong. */
const AGAIN_MS = 1_000

/**
 * Does what commands beside the server left to be done, and answers each: what concerns one strategy in its order, and
 * different ones at a time, so that nobody's disarming waits for the exchange of another.
 */
export const layer = Layer.scopedDiscard(
  Effect.gen(function* () {
    const arming = yield* Arming
    const mandates = yield* Mandates

    const done = Effect.fnUntraced(function* ({ account, strategy, wish }: Mandate) {
      if (wish._tag === "Disarm") {
        const { mode } = yield* arming.disarm(account, strategy, wish)
        return mode === "paper"
          ? `strategy ${strategy} is on paper again`
          : `strategy ${strategy} enters nothing more, and is on paper again once all is closed`
      }
      const { confirmation, statement } = yield* arming.propose(account, strategy, wish.terms)
      yield* arming.arm(account, strategy, wish.terms, confirmation)
      return statement
    })

    const fulfil = Effect.fnUntraced(function* (mandate: Mandate) {
      const now = yield* Clock.currentTimeMillis
      if (now - mandate.at > MANDATE_MS) return refusal("no server took it up within a minute: it is void")
      return yield* done(mandate).pipe(
        Effect.map((text): MandateAnswer => ({ isDone: true, text })),
        Effect.catchTags({
          ArmingRefused: ({ message }) => Effect.succeed(refusal(message)),
          StrategyNotFound: ({ message }) => Effect.succeed(refusal(message))
        })
      )
    })

    const scope = yield* Effect.scope
    const looking = (yield* Effect.makeSemaphore(1)).withPermits(1)
    const underway = new Set<StrategyId>()
    /** Begins what is there to be done, the oldest of each strategy; `ended` has done what it had. */
    const look = (ended?: StrategyId): Effect.Effect<void> =>
      Effect.gen(function* () {
        if (ended !== undefined) underway.delete(ended)
        for (const mandate of yield* mandates.pending) {
          if (underway.has(mandate.strategy)) continue
          underway.add(mandate.strategy)
          yield* Effect.forkIn(taken(mandate), scope)
        }
      }).pipe(looking, insistent)
    const taken = (mandate: Mandate): Effect.Effect<void> =>
      insistent(fulfil(mandate)).pipe(
        Effect.flatMap((answer) => insistent(mandates.answer(mandate.id, answer))),
        Effect.zipRight(look(mandate.strategy))
      )
    yield* Effect.forkScoped(Effect.forever(Effect.zipRight(look(), insistent(mandates.changed))))
  })
)

/** Until it is done. */
const insistent = <A, E>(self: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.catchAllDefect(self, (defect) =>
    Effect.logError("what a command asked for could not be done, and is tried again", defect).pipe(
      Effect.zipRight(Effect.sleep(AGAIN_MS)),
      Effect.zipRight(Effect.suspend(() => insistent(self)))
    )
  )

const refusal = (text: string): MandateAnswer => ({ isDone: false, text })
