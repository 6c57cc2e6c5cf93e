import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AccountId } from "../domain/Account.ts"
import type { Mandate, MandateAnswer, Wish } from "../domain/Mandate.ts"
import type { StrategyId } from "../domain/StrategyId.ts"
import * as Bell from "./Bell.ts"

/** A mandate that no server has taken up for so long is void: nobody wants an old one to act later. */
export const MANDATE_MS = 60_000

/**
 * What commands want of the bots, left for the server that runs beside them. A port.
 *
 * **Whoever implements it keeps**
 *
 * - Order: `pending` gives those without an answer, oldest first. One that cannot be read is refused by it.
 * - Repeats: the first answer stands.
 * - Freshness: `changed` ends within 100 ms of a mandate that another process left.
 *
 * **Proved by** `MandatesContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class Mandates extends Context.Tag("signalbox/services/Mandates")<
  Mandates,
  {
    readonly leave: (account: AccountId, strategy: StrategyId, wish: Wish) => Effect.Effect<Mandate>
    readonly pending: Effect.Effect<ReadonlyArray<Mandate>>
    readonly answer: (id: number, answer: MandateAnswer) => Effect.Effect<void>
    /** None as long as there is no answer, or no such mandate. */
    readonly answerOf: (id: number) => Effect.Effect<Option.Option<MandateAnswer>>
    readonly changed: Effect.Effect<void>
  }
>() {
  static readonly layerMemory = Layer.sync(Mandates, () => {
    const mandates: Array<Mandate> = []
    const answers = new Map<number, MandateAnswer>()
    const changes = Bell.ofChanges()
    return Mandates.of({
      leave: Effect.fn("Mandates.leave")(function* (account, strategy, wish) {
        const at = yield* Clock.currentTimeMillis
        const mandate: Mandate = { id: mandates.length + 1, account, strategy, wish, at }
        mandates.push(mandate)
        changes.changed()
        return mandate
      }),
      pending: Effect.sync(() => {
        changes.reading()
        return mandates.filter(({ id }) => !answers.has(id))
      }),
      answer: Effect.fn("Mandates.answer")((id, answer) =>
        Effect.sync(() => {
          if (id <= mandates.length && !answers.has(id)) answers.set(id, answer)
        })
      ),
      answerOf: Effect.fn("Mandates.answerOf")((id) =>
        Effect.sync(() => Option.fromNullable(answers.get(id)))
      ),
      changed: changes.rings
    })
  })
}
