import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Mandate, MandateAnswer } from "../domain/Mandate.ts"
import { Arming } from "./Arming.ts"
import { MANDATE_MS, Mandates } from "./Mandates.ts"

/** How soon it is tried again where something went wrong. */
const AGAIN_MS = 1_000

/** Does what commands beside the server left to be done, and answers each. */
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

    const follow = Effect.gen(function* () {
      for (const mandate of yield* mandates.pending)
        yield* mandates.answer(mandate.id, yield* fulfil(mandate))
      yield* mandates.changed
    })
    yield* follow.pipe(
      Effect.catchAllDefect((cause) =>
        Effect.zipRight(
          Effect.logError("what a command asked for could not be done, and is tried again", cause),
          Effect.sleep(AGAIN_MS)
        )
      ),
      Effect.forever,
      Effect.forkScoped
    )
  })
)

const refusal = (text: string): MandateAnswer => ({ isDone: false, text })
