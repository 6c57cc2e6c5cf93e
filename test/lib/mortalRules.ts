// The storage of a server with rules, which is killed at one of its steps: the alerts that it stores, those that
// wait and end, and how far it looked.
import { Deferred, Effect, Layer } from "effect"
import { Journal } from "../../src/services/Journal.ts"
import { ActiveRules } from "../../src/services/rules/ActiveRules.ts"
import { RuleWitnesses } from "../../src/services/rules/RuleWitnesses.ts"

/** Where a server is killed: at the n-th of these steps, before or after it is on disk. */
export interface RuleKill {
  readonly nth: number
  readonly when: "before" | "after"
}

/** The storage of a server that is killed: from then on nothing is stored, and nothing answers. */
export const mortalRules = (
  copy: Effect.Effect<string>,
  { nth, when }: RuleKill,
  dead: Deferred.Deferred<string>
) => {
  let steps = 0
  let isDead = false
  const kill = Effect.suspend(() => {
    isDead = true
    return Effect.flatMap(copy, (place) => Deferred.succeed(dead, place))
  })
  const step = <A, E>(self: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      if (isDead) return Effect.never
      steps++
      if (steps !== nth) return self
      return Effect.zipRight(
        when === "before" ? kill : Effect.zipRight(Effect.exit(self), kill),
        Effect.never
      )
    })
  const journal = Layer.effect(
    Journal,
    Effect.map(Journal, (inner) => ({
      ...inner,
      offer: ((draft, answer) =>
        void Effect.runFork(
          Effect.flatMap(Effect.exit(step(inner.append(draft))), (exit) => Effect.sync(() => answer(exit)))
        )) satisfies typeof inner.offer
    }))
  )
  const active = Layer.effect(
    ActiveRules,
    Effect.map(ActiveRules, (inner) => ({ ...inner, advance: (rows) => step(inner.advance(rows)) }))
  )
  const witnesses = Layer.effect(
    RuleWitnesses,
    Effect.map(RuleWitnesses, (inner) => ({
      ...inner,
      add: (alerts) => step(inner.add(alerts)),
      end: (alert, now, note) => step(inner.end(alert, now, note))
    }))
  )
  return { layer: Layer.mergeAll(journal, active, witnesses), steps: () => steps }
}
