// The contract of `Timeline`: entries newest first, and outcomes of alerts, visible to their owner only.
import * as Effect from "effect/Effect"
import { AlertId } from "../../domain/Alert.ts"
import type { Accounts } from "../../services/Accounts.ts"
import { Portfolio } from "../../services/Portfolio.ts"
import { StrategyStore } from "../../services/StrategyStore.ts"
import { Timeline } from "../../services/Timeline.ts"
import * as Contract from "../Contract.ts"
import { expect } from "../expect.ts"
import { settings } from "../Fixtures.ts"
import { sender } from "./people.ts"
import { note, outcome, step } from "./steps.ts"

/** An implementer reads what `Portfolio` commits, so the two are tested together. */
export const suite = Contract.suite<Timeline | Accounts | Portfolio | StrategyStore>("Timeline", (it) => {
  it("entries are listed newest first, in pages", () =>
    Effect.gen(function* () {
      const { mine, portfolio, theirs, timeline } = yield* scene
      yield* portfolio.commit([
        step(mine, 1, { notes: [note("one", 1_000, 5), note("two", 1_000)] }),
        step(theirs, 1, { notes: [note("not mine")] }),
        step(mine, 2, { notes: [note("three", 900)] })
      ])
      const all = yield* timeline.list(mine.account, mine.id, { limit: 10 })
      expect(all.map(({ text }) => text)).toEqual(["three", "two", "one"])
      const [, , first] = all
      expect(first).toEqual({ id: first?.id ?? 0, strategyId: mine.id, ...note("one", 1_000, 5) })
      const before = all[0]?.id ?? 0
      const page = yield* timeline.list(mine.account, mine.id, { limit: 1, before })
      expect(page.map(({ text }) => text)).toEqual(["two"])
    }))

  it("a strategy of another account, or a missing one, has no timeline", () =>
    Effect.gen(function* () {
      const { mine, portfolio, theirs, timeline } = yield* scene
      yield* portfolio.commit([step(theirs, 1, { notes: [note("secret")] })])
      for (const id of [theirs.id, 99, -1, 2 ** 53]) {
        const error = yield* Effect.flip(timeline.list(mine.account, id, { limit: 10 }))
        expect(error._tag).toBe("StrategyNotFound")
      }
      yield* (yield* StrategyStore).remove(theirs.account, theirs.id)
      const gone = yield* Effect.flip(timeline.list(theirs.account, theirs.id, { limit: 10 }))
      expect(gone._tag).toBe("StrategyNotFound")
    }))

  it("outcomes are read by alert and by strategy, and only by their owner", () =>
    Effect.gen(function* () {
      const { mine, other, portfolio, theirs, timeline } = yield* scene
      yield* portfolio.commit([
        step(other, 1, { outcomes: [outcome(other, 2), outcome(other, 1)] }),
        step(mine, 1, { outcomes: [outcome(mine, 1), outcome(mine, 3)] }),
        step(theirs, 1, { outcomes: [outcome(theirs, 1)] })
      ])
      const alerts = [2, 1, 4].map((id) => AlertId.make(id))
      expect(yield* timeline.outcomes(mine.account, alerts)).toEqual([
        outcome(mine, 1),
        outcome(other, 1),
        outcome(other, 2)
      ])
      expect(yield* timeline.outcomes(theirs.account, alerts)).toEqual([outcome(theirs, 1)])
      expect(yield* timeline.outcomes(mine.account, [])).toEqual([])
      expect(yield* timeline.outcomes(mine.account, alerts, { limit: 1 })).toEqual([
        outcome(mine, 1),
        outcome(other, 2)
      ])
      expect(yield* timeline.outcomes(mine.account, alerts, { after: mine.id, limit: 5 })).toEqual([
        outcome(other, 1),
        outcome(other, 2)
      ])
    }))
})

const scene = Effect.gen(function* () {
  const store = yield* StrategyStore
  const { account } = yield* sender("alice")
  const bob = yield* sender("bob")
  return {
    timeline: yield* Timeline,
    portfolio: yield* Portfolio,
    mine: yield* store.create(account, settings()),
    other: yield* store.create(account, settings()),
    theirs: yield* store.create(bob.account, settings())
  }
})
