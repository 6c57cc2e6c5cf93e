// The contract of `Signals`: an account's own records, stored exactly, sorted by creation, with ids that are never
// reused.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { RuleDocument } from "../../domain/signalRule/RuleDocument.ts"
import type { Accounts } from "../../services/Accounts.ts"
import { Signals } from "../../services/Signals.ts"
import { StrategyStore } from "../../services/StrategyStore.ts"
import { Timeline } from "../../services/Timeline.ts"
import * as Contract from "../Contract.ts"
import { expect } from "../expect.ts"
import { rule as aRule, signalDraft as aSignal, settings } from "../Fixtures.ts"
import { pass } from "../VirtualClock.ts"
import { followersOf, sender } from "./people.ts"

/**
 * An implementer scopes every method by account, and detaches followers in the transaction that deletes a signal or
 * makes it private.
 */
export const suite = Contract.suite<Signals | Accounts | StrategyStore | Timeline>("Signals", (it) => {
  it("a signal is stored exactly as given", () =>
    Effect.gen(function* () {
      const signals = yield* Signals
      const { account } = yield* sender("alice")
      yield* pass("90500 millis")
      const draft = aSignal({
        name: " Ünï 🚀'\"; -- ",
        description: "\n{{x}}",
        active: false,
        public: true
      })
      const created = yield* signals.create(account, draft)
      expect(created).toEqual({ ...draft, id: created.id, account, createdAt: 90, updatedAt: 90 })
      expect(yield* signals.get(account, created.id)).toEqual(created)
      expect(yield* signals.list(account, {})).toEqual([created])
    }))

  it("an update changes the named fields and the time, which is never ahead of the clock", () =>
    Effect.gen(function* () {
      const signals = yield* Signals
      const { account } = yield* sender("alice")
      const before = yield* signals.create(account, aSignal())
      yield* pass("10 seconds")
      const { signal: renamed, detached } = yield* signals.update(account, before.id, { name: "New" })
      expect(renamed).toEqual({ ...before, name: "New", updatedAt: 10 })
      expect(detached).toEqual([])
      const { signal: off } = yield* signals.update(account, before.id, { active: false })
      expect(off).toEqual({ ...renamed, active: false, updatedAt: 10 })
      expect(yield* signals.get(account, before.id)).toEqual(off)
    }))

  it("a rule is stored exactly as given, for its owner only, with a version for each meaning that it had", () =>
    Effect.gen(function* () {
      const signals = yield* Signals
      const { account } = yield* sender("alice")
      const { account: other } = yield* sender("bob")
      yield* pass("5 seconds")
      const given = aRule({ params: { n: 0.1, constructor: 2 }, on: [{ type: "buy", when: "close>(open)" }] })
      const created = yield* signals.create(account, aSignal({ public: true, rule: given }))
      expect(created.rule).toEqual({ version: 1, madeAt: 5 })
      expect(JSON.stringify([created, yield* signals.visible(other, created.id)])).not.toContain("close")
      expect((yield* Effect.flip(signals.rule(other, created.id)))._tag).toBe("SignalNotFound")
      const stored = () => Effect.map(signals.rule(account, created.id), Option.getOrUndefined)
      expect(yield* stored()).toEqual({ version: 1, madeAt: 5, document: given })

      yield* pass("5 seconds")
      const change = (rule: RuleDocument | null) =>
        Effect.map(signals.update(account, created.id, { rule }), ({ signal }) => signal.rule)
      yield* signals.update(account, created.id, { name: "New" })
      expect((yield* signals.get(account, created.id)).rule).toEqual({ version: 1, madeAt: 5 })
      const spaced = { ...given, on: [{ type: "buy" as const, when: "close > open" }] }
      expect(yield* change(spaced)).toEqual({ version: 1, madeAt: 5 })
      expect(yield* stored()).toEqual({ version: 1, madeAt: 5, document: spaced })
      expect(yield* change(aRule())).toEqual({ version: 2, madeAt: 10 })
      expect(yield* change(null)).toBeUndefined()
      expect(yield* stored()).toBeUndefined()
      expect(yield* change(aRule())).toEqual({ version: 3, madeAt: 10 })
      expect(signals.recall(account, created.id)?.rule ?? { version: 3 }).toMatchObject({ version: 3 })
      expect((yield* signals.list(account, {})).map(({ rule }) => rule)).toEqual([{ version: 3, madeAt: 10 }])
      const plain = yield* signals.create(account, aSignal())
      expect(plain.rule).toBeUndefined()
      expect(Option.isNone(yield* signals.rule(account, plain.id))).toBe(true)
    }))

  it("an account never sees or changes another account's signals", () =>
    Effect.gen(function* () {
      const signals = yield* Signals
      const alice = yield* sender("alice")
      const bob = yield* sender("bob")
      const hidden = yield* signals.create(alice.account, aSignal())
      const open = yield* signals.create(alice.account, aSignal({ public: true }))
      for (const id of [hidden.id, open.id, 99, -1, 2 ** 53]) {
        expect((yield* Effect.flip(signals.get(bob.account, id)))._tag).toBe("SignalNotFound")
        const renamed = signals.update(bob.account, id, { name: "x" })
        expect((yield* Effect.flip(renamed))._tag).toBe("SignalNotFound")
        expect((yield* Effect.flip(signals.remove(bob.account, id)))._tag).toBe("SignalNotFound")
      }
      expect(yield* signals.list(bob.account, {})).toEqual([])
      expect((yield* Effect.flip(signals.visible(bob.account, hidden.id)))._tag).toBe("SignalNotFound")
      expect(yield* signals.visible(bob.account, open.id)).toEqual(open)
      expect(yield* signals.visible(alice.account, hidden.id)).toEqual(hidden)
      expect(yield* signals.list(alice.account, {})).toEqual([hidden, open])
    }))

  it("signals are listed in pages, sorted by creation", () =>
    Effect.gen(function* () {
      const signals = yield* Signals
      const { account } = yield* sender("alice")
      const { account: other } = yield* sender("bob")
      const ids: Array<number> = []
      for (let count = 0; count < 5; count++) {
        ids.push((yield* signals.create(account, aSignal())).id)
        yield* signals.create(other, aSignal())
      }
      const page = (limit: number, after?: number) =>
        Effect.map(signals.list(account, after === undefined ? { limit } : { limit, after }), (rows) =>
          rows.map(({ id }): number => id)
        )
      expect(yield* page(2)).toEqual(ids.slice(0, 2))
      expect(yield* page(2, ids[1])).toEqual(ids.slice(2, 4))
      expect(yield* page(500, ids[3])).toEqual(ids.slice(4))
      expect(yield* page(500, ids[4])).toEqual([])
    }))

  it("an id is never used again", () =>
    Effect.gen(function* () {
      const signals = yield* Signals
      const { account } = yield* sender("alice")
      const first = yield* signals.create(account, aSignal())
      const removed = yield* signals.remove(account, first.id)
      expect(removed).toEqual({ signal: first, detached: [] })
      expect((yield* Effect.flip(signals.get(account, first.id)))._tag).toBe("SignalNotFound")
      expect((yield* signals.create(account, aSignal())).id).toBeGreaterThan(first.id)
    }))

  it("deleting a signal detaches all its followers, and notifies them", () =>
    Effect.gen(function* () {
      const { signals, store, timeline, alice, bob, signal } = yield* followed
      const mine = yield* store.create(alice.account, settings({ signalId: signal.id }))
      const theirs = yield* store.create(bob.account, settings({ signalId: signal.id }))
      const aside = yield* store.create(bob.account, settings())
      expect((yield* followersOf(signal.id)).map(({ id }) => id)).toEqual([mine.id, theirs.id])
      yield* pass("5 seconds")
      const { detached } = yield* signals.remove(alice.account, signal.id)
      expect(detached).toEqual([mine.id, theirs.id])
      expect(yield* followersOf(signal.id)).toEqual([])
      expect(yield* store.get(bob.account, theirs.id)).toEqual({
        ...theirs,
        settings: settings(),
        updatedAt: 5,
        revision: 1
      })
      expect(yield* store.get(bob.account, aside.id)).toEqual(aside)
      const [entry, ...rest] = yield* timeline.list(bob.account, theirs.id, { limit: 10 })
      expect(rest).toEqual([])
      expect(entry).toMatchObject({ at: 5_000, rule: "signal_detached", facts: { signal_id: signal.id } })
      expect(yield* timeline.list(bob.account, aside.id, { limit: 10 })).toEqual([])
    }))

  it("making a signal private detaches the other accounts' strategies only", () =>
    Effect.gen(function* () {
      const { signals, store, timeline, alice, bob, signal } = yield* followed
      const mine = yield* store.create(alice.account, settings({ signalId: signal.id }))
      const theirs = yield* store.create(bob.account, settings({ signalId: signal.id }))
      expect((yield* signals.update(alice.account, signal.id, { name: "x" })).detached).toEqual([])
      const { detached } = yield* signals.update(alice.account, signal.id, { public: false })
      expect(detached).toEqual([theirs.id])
      expect((yield* followersOf(signal.id)).map(({ id }) => id)).toEqual([mine.id])
      expect((yield* timeline.list(bob.account, theirs.id, { limit: 10 })).length).toBe(1)
      expect(yield* timeline.list(alice.account, mine.id, { limit: 10 })).toEqual([])
      expect((yield* signals.update(alice.account, signal.id, { public: true })).detached).toEqual([])
    }))

  it(
    "each account is limited in its signals by itself",
    () =>
      Effect.gen(function* () {
        const signals = yield* Signals
        const { account } = yield* sender("alice")
        const { account: other } = yield* sender("bob")
        const first = yield* signals.create(account, aSignal())
        const made = yield* Effect.all(
          Array.from({ length: 5 }, () => Effect.either(signals.create(account, aSignal()))),
          { concurrency: "unbounded" }
        )
        expect(made.filter(({ _tag }) => _tag === "Right").length).toBe(1)
        expect((yield* Effect.flip(signals.create(account, aSignal()))).limit).toBe(2)
        yield* signals.create(other, aSignal())
        yield* signals.remove(account, first.id)
        yield* signals.create(account, aSignal())
      }),
    { limits: { signals: 2, strategies: 2 } }
  )
})

const followed = Effect.gen(function* () {
  const signals = yield* Signals
  const alice = yield* sender("alice")
  const bob = yield* sender("bob")
  const signal = yield* signals.create(alice.account, aSignal({ public: true }))
  return { signals, store: yield* StrategyStore, timeline: yield* Timeline, alice, bob, signal }
})
