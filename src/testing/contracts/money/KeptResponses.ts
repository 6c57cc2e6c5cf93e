// The part of the contract of `Portfolio` that keeps an owner's order from acting twice: its response is stored with it.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { Accounts } from "../../../services/Accounts.ts"
import { Idempotency } from "../../../services/Idempotency.ts"
import type { Halts } from "../../../services/money/Halts.ts"
import type { Portfolio } from "../../../services/Portfolio.ts"
import type { StrategyStore } from "../../../services/StrategyStore.ts"
import type { Timeline } from "../../../services/Timeline.ts"
import type { Adding } from "../../Contract.ts"
import { expect } from "../../expect.ts"
import { twoOwners } from "../people.ts"
import { outcome, step } from "../steps.ts"

/** Adds the case to the suite. */
export const keptResponses = (
  it: Adding<Portfolio | Accounts | Halts | Idempotency | StrategyStore | Timeline>
): void => {
  it("a step's response is found under its key once the step is stored, and never without it", () =>
    Effect.gen(function* () {
      const { mine, portfolio } = yield* twoOwners
      const idempotency = yield* Idempotency
      const found = idempotency.find(mine.account, "k", "request")
      const response = {
        key: "k",
        request: "request",
        answer: { status: 200, location: undefined, body: "1" }
      }
      const now = yield* Clock.currentTimeMillis
      yield* portfolio.commit([step(mine, 1, { outcomes: [outcome(mine, 1)] })])
      const refused = step(mine, 2, { at: now, outcomes: [outcome(mine, 1)], response })
      expect(Exit.isFailure(yield* Effect.exit(portfolio.commit([refused])))).toBe(true)
      expect(yield* found).toEqual(Option.none())
      yield* portfolio.commit([step(mine, 2, { at: now, response })])
      expect(yield* found).toEqual(Option.some(response.answer))
      const last = { ...response.answer, body: "2" }
      yield* idempotency.amend(mine.account, { ...response, request: "another", answer: last })
      expect(yield* found).toEqual(Option.some(response.answer))
      yield* idempotency.amend(mine.account, { ...response, answer: last })
      expect(yield* found).toEqual(Option.some(last))
      const reused = yield* Effect.flip(idempotency.find(mine.account, "k", "another"))
      expect(reused._tag).toBe("KeyReused")
      const replayed = yield* idempotency.once(mine.account, "k", "request", Effect.die("acted twice"))
      expect(replayed).toEqual(last)
    }))
}
