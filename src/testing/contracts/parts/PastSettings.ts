// The part of the contract of `StrategyStore` that is about settings which others replaced.
import * as Effect from "effect/Effect"
import { MAX_PAST_SETTINGS } from "../../../domain/Strategy.ts"
import type { Accounts } from "../../../services/Accounts.ts"
import { StrategyStore } from "../../../services/StrategyStore.ts"
import type * as Contract from "../../Contract.ts"
import { expect } from "../../expect.ts"
import { settings } from "../../Fixtures.ts"
import { pass } from "../../VirtualClock.ts"
import { sender } from "../people.ts"
import { everything } from "../settings.ts"

/** Adds the cases to the suite. */
export const pastSettings = (it: Contract.Adding<StrategyStore | Accounts>): void => {
  it("settings that others replaced are kept until the time of their change, where a bot can act otherwise", () =>
    Effect.gen(function* () {
      const store = yield* StrategyStore
      const [alice, bob] = [yield* sender("alice"), yield* sender("bob")]
      const { account } = alice
      const { id } = yield* store.create(account, settings(everything))
      expect(yield* store.past(account, id)).toEqual([])
      yield* pass("61 seconds")
      yield* store.update(account, id, settings({ ...everything, name: "another name" }))
      yield* pass("1500 millis")
      yield* store.update(account, id, settings({ ...everything, name: "another name", active: true }))
      yield* pass("2 seconds")
      const { revision } = yield* store.update(account, id, settings())
      const past = [
        { until: 62_500, settings: settings({ ...everything, name: "another name" }) },
        { until: 64_500, settings: settings({ ...everything, name: "another name", active: true }) }
      ]
      expect(yield* store.past(account, id)).toEqual(past)
      const change = { before: { id, revision }, settings: settings({ buyPercent: 7 }), notes: [] }
      yield* store.apply(account, [change])
      expect(yield* store.past(account, id)).toEqual([...past, { until: 64_500, settings: settings() }])
      expect((yield* Effect.flip(store.past(bob.account, id)))._tag).toBe("StrategyNotFound")
      yield* store.remove(account, id)
      expect((yield* Effect.flip(store.past(account, id)))._tag).toBe("StrategyNotFound")
    }))

  it("of past settings the newest are kept", () =>
    Effect.gen(function* () {
      const store = yield* StrategyStore
      const { account } = yield* sender("alice")
      const { id } = yield* store.create(account, settings({ buyPercent: 1 }))
      for (let change = 1; change <= MAX_PAST_SETTINGS + 3; change++)
        yield* store.update(account, id, settings({ buyPercent: (change % 90) + 2 }))
      const past = yield* store.past(account, id)
      expect(past.length).toBe(MAX_PAST_SETTINGS)
      expect(past[0]?.settings.buyPercent).toBe(5)
    }))
}
