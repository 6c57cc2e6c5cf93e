// The contract of `Copies`: what a copy was made of, and what its owner is told of the original.
import * as Effect from "effect/Effect"
import { MAX_TOLD } from "../../../domain/directory/Copy.ts"
import type { Settings } from "../../../domain/Strategy.ts"
import type { Accounts } from "../../../services/Accounts.ts"
import { Copies } from "../../../services/directory/Copies.ts"
import { StrategyStore } from "../../../services/StrategyStore.ts"
import { Timeline } from "../../../services/Timeline.ts"
import * as Contract from "../../Contract.ts"
import { expect } from "../../expect.ts"
import { settings } from "../../Fixtures.ts"
import { passTo } from "../../VirtualClock.ts"
import { sender } from "../people.ts"

const MANY = 100

const scene = Effect.gen(function* () {
  const store = yield* StrategyStore
  const copies = yield* Copies
  const timeline = yield* Timeline
  const alice = yield* sender("alice")
  const bob = yield* sender("bob")
  const base = settings({ public: true })
  const original = yield* store.create(alice.account, base)
  const copy = { origin: original.id, base, kept: ["buy_percentage"], takenAt: 3 }
  const mine = yield* store.create(bob.account, settings({ buyPercent: 20 }), copy)
  const news = (account = bob.account, id: number = mine.id) =>
    Effect.map(timeline.list(account, id, { limit: 100 }), (entries) =>
      entries.filter(({ rule }) => rule === "original_changed").map(({ facts }) => facts["changed"])
    )
  const edit = (changes: Partial<Settings>) =>
    store.update(alice.account, original.id, { ...base, ...changes })
  return { alice, base, bob, copies, copy, edit, mine, original, store, news }
})

/** An implementer stores a copy with its strategy, and finds the copies of a changed original without reading all. */
export const suite = Contract.suite<Copies | Accounts | StrategyStore | Timeline>("Copies", (it) => {
  it("a copy is returned as it was stored, to its owner only", () =>
    Effect.gen(function* () {
      const { alice, bob, copies, copy, mine, original, store } = yield* scene
      expect(mine.copiedFrom).toBe(original.id)
      expect(yield* store.get(bob.account, mine.id)).toEqual(mine)
      expect(yield* copies.get(bob.account, mine.id)).toEqual(copy)
      expect((yield* Effect.flip(copies.get(alice.account, mine.id)))._tag).toBe("StrategyNotFound")
      expect((yield* Effect.flip(copies.get(alice.account, original.id)))._tag).toBe("NotACopy")
      const taken = { base: settings({ buyPercent: 7 }), kept: [], takenAt: 9 }
      yield* copies.taken(alice.account, mine.id, taken)
      expect(yield* copies.get(bob.account, mine.id)).toEqual(copy)
      yield* copies.taken(bob.account, mine.id, taken)
      expect(yield* copies.get(bob.account, mine.id)).toEqual({ ...taken, origin: original.id })
    }))

  it("a copy outlives its original, and goes with its strategy", () =>
    Effect.gen(function* () {
      const { alice, bob, copies, copy, mine, original, store } = yield* scene
      yield* store.remove(alice.account, original.id)
      expect(yield* copies.get(bob.account, mine.id)).toEqual(copy)
      expect(yield* copies.tell(MANY)).toBe(false)
      yield* store.remove(bob.account, mine.id)
      expect((yield* Effect.flip(copies.get(bob.account, mine.id)))._tag).toBe("StrategyNotFound")
    }))

  it("a change of how the original trades is told once, and no other change is", () =>
    Effect.gen(function* () {
      const { copies, edit, news } = yield* scene
      yield* passTo(5_000)
      yield* edit({ name: "New", description: "texts", displayName: "Ann" })
      yield* copies.tell(MANY)
      expect(yield* news()).toEqual([])
      yield* edit({ stopLoss: { percent: 3 } })
      expect(yield* copies.tell(MANY)).toBe(false)
      expect(yield* news()).toEqual(["stop_loss, stop_loss_percentage"])
      yield* copies.tell(MANY)
      yield* edit({ stopLoss: { percent: 3 }, name: "Again" })
      yield* copies.tell(MANY)
      expect((yield* news()).length).toBe(1)
    }))

  it("a storm of changes is told a few times until the copy is synced", () =>
    Effect.gen(function* () {
      const { base, bob, copies, edit, mine, news } = yield* scene
      for (let percent = 1; percent <= 3 * MAX_TOLD; percent++) {
        yield* edit({ stopLoss: { percent } })
        yield* copies.tell(MANY)
      }
      expect((yield* news()).length).toBe(MAX_TOLD)
      yield* copies.taken(bob.account, mine.id, { base, kept: [], takenAt: 6 })
      yield* edit({ stopLoss: { percent: 50 } })
      yield* copies.tell(MANY)
      expect((yield* news()).length).toBe(MAX_TOLD + 1)
    }))

  it("an undone change, and a change while the original is private, is told to nobody", () =>
    Effect.gen(function* () {
      const { base, copies, edit, news } = yield* scene
      yield* edit({ buyPercent: 90 })
      yield* edit({})
      yield* copies.tell(MANY)
      yield* edit({ buyPercent: 80, public: false })
      yield* copies.tell(MANY)
      expect(yield* news()).toEqual([])
      yield* edit({ ...base, buyPercent: 80 })
      yield* copies.tell(MANY)
      expect(yield* news()).toEqual([])
    }))

  it("many copies are told a few at a time, each once, and their owners alone", () =>
    Effect.gen(function* () {
      const { alice, bob, copies, copy, edit, mine, original, store, news } = yield* scene
      const own = yield* store.create(alice.account, settings(), copy)
      const more = yield* Effect.forEach([1, 2, 3], () => store.create(bob.account, settings(), copy))
      yield* edit({ minProfitPercent: 2 })
      let calls = 1
      while (yield* copies.tell(2)) calls++
      expect(calls).toBeGreaterThan(2)
      for (const { account, id } of [mine, own, ...more])
        expect(yield* news(account, id)).toEqual(["sell_minprofitpercent"])
      expect(yield* news(alice.account, original.id)).toEqual([])
    }))
})
