// The part of the contract of `StrategyStore` that is about who followed a signal at each alert that is not judged.
import * as Effect from "effect/Effect"
import { type Partition, partitionOf } from "../../../domain/Partition.ts"
import type { SignalId } from "../../../domain/Signal.ts"
import type { Accounts } from "../../../services/Accounts.ts"
import { Journal } from "../../../services/Journal.ts"
import { Portfolio } from "../../../services/Portfolio.ts"
import { Signals } from "../../../services/Signals.ts"
import { followed, StrategyStore } from "../../../services/StrategyStore.ts"
import type * as Contract from "../../Contract.ts"
import { expect } from "../../expect.ts"
import { signalDraft as aSignal, draft, instruction, settings } from "../../Fixtures.ts"
import { ALL, sender } from "../people.ts"
import { judgedTo } from "../steps.ts"

/** Adds the cases to the suite. */
export const followings = (
  it: Contract.Adding<StrategyStore | Accounts | Signals | Journal | Portfolio>
): void => {
  it("followings have their first and last alert, also after their signal is deleted", () =>
    Effect.gen(function* () {
      const store = yield* StrategyStore
      const { alice, append, bob, signals } = yield* journaled
      const { id: signalId } = yield* signals.create(alice.account, aSignal({ public: true }))
      const { id: other } = yield* signals.create(alice.account, aSignal({ public: true }))
      const of = (signal: SignalId, some: ReadonlySet<Partition> = ALL) =>
        Effect.map(store.followings([signal], some), (found) => found.get(signal) ?? [])
      const followersOf = (signal: SignalId) =>
        Effect.map(of(signal), (rows) =>
          rows.map(({ from, strategy, until }) => `${strategy.id}: ${from} to ${until ?? "now"}`)
        )
      yield* append(signalId)
      const one = yield* store.create(bob.account, settings({ signalId }))
      const two = yield* store.create(alice.account, settings({ signalId }))
      expect(yield* followersOf(signalId)).toEqual([`${one.id}: 1 to now`, `${two.id}: 1 to now`])
      yield* append(signalId)
      yield* store.update(bob.account, one.id, settings({ signalId, name: "still" }))
      yield* append(signalId)
      yield* store.update(bob.account, one.id, settings({ signalId: other }))
      expect(yield* followersOf(other)).toEqual([`${one.id}: 3 to now`])
      yield* append(other)
      // No alert came after this change.
      yield* store.update(bob.account, one.id, settings())
      yield* store.update(bob.account, one.id, settings({ signalId }))
      expect(yield* followersOf(other)).toEqual([`${one.id}: 3 to 4`])
      yield* append(signalId)
      yield* signals.update(alice.account, signalId, { public: false })
      const left = [`${one.id}: 1 to 3`, `${one.id}: 4 to 5`]
      expect(yield* followersOf(signalId)).toEqual([...left, `${two.id}: 1 to now`])
      yield* signals.remove(alice.account, signalId)
      expect(yield* followersOf(signalId)).toEqual([...left, `${two.id}: 1 to 5`])
      const [first] = yield* of(signalId)
      expect(first?.strategy).toEqual(yield* store.get(bob.account, one.id))
      expect([1, 2, 3, 4].map((alert) => first !== undefined && followed(first, alert))).toEqual([
        false,
        true,
        true,
        false
      ])
      // Another engine runs the bots of the other partitions.
      for (const { account } of [alice, bob]) {
        const those = yield* of(signalId, new Set([partitionOf(account)]))
        expect(those.every(({ strategy }) => strategy.account === account)).toBe(true)
        expect(those.length).toBe(account === alice.account ? 1 : 2)
      }
      expect(yield* of(signalId, new Set())).toEqual([])
      // Of several signals at once, of which none or one was read before.
      const alone = [yield* of(other), yield* of(signalId)]
      for (const before of [[], [other], [signalId]]) {
        const some = new Set(ALL)
        if (before.length > 0) yield* store.followings(before, some)
        const both = yield* store.followings([other, signalId], some)
        expect([both.get(other), both.get(signalId)]).toEqual(alone)
      }
      // Alerts that were judged need no deleted followers any more.
      yield* (yield* Portfolio).commit([], judgedTo(4))
      yield* store.remove(alice.account, two.id)
      expect(yield* followersOf(signalId)).toEqual([`${one.id}: 4 to 5`])
    }))

  it("a strategy with alerts to judge is not removed", () =>
    Effect.gen(function* () {
      const store = yield* StrategyStore
      const { alice, append, signals } = yield* journaled
      const { id: signalId } = yield* signals.create(alice.account, aSignal())
      const { id: other } = yield* signals.create(alice.account, aSignal())
      const { account, id } = yield* store.create(alice.account, settings({ signalId }))
      yield* append(signalId)
      yield* store.update(account, id, settings())
      yield* append(signalId)
      yield* append(other)
      expect((yield* Effect.flip(store.remove(account, id, 0)))._tag).toBe("AlertsUnjudged")
      expect((yield* store.get(account, id)).id).toBe(id)
      yield* store.remove(account, id, 1)
      expect((yield* Effect.flip(store.get(account, id)))._tag).toBe("StrategyNotFound")
    }))
}

/** Accounts, and a journal with their alerts. */
const journaled = Effect.gen(function* () {
  const alice = yield* sender("alice")
  const journal = yield* Journal
  const append = (signalId: SignalId) =>
    journal.append(draft(alice, { instruction: instruction({ signalId }) }))
  return { alice, bob: yield* sender("bob"), append, signals: yield* Signals }
})
