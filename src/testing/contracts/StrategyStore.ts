// The contract of `StrategyStore`: settings stored exactly, and who followed a signal at each alert.
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { SignalId } from "../../domain/Signal.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import type { Accounts } from "../../services/Accounts.ts"
import type { Journal } from "../../services/Journal.ts"
import type { Portfolio } from "../../services/Portfolio.ts"
import { Signals } from "../../services/Signals.ts"
import { StrategyStore } from "../../services/StrategyStore.ts"
import * as Contract from "../Contract.ts"
import { expect } from "../expect.ts"
import { signalDraft as aSignal, settings } from "../Fixtures.ts"
import { pass } from "../VirtualClock.ts"
import { followings } from "./parts/Followings.ts"
import { pastSettings } from "./parts/PastSettings.ts"
import { ALL, followersOf, sender } from "./people.ts"
import { everything } from "./settings.ts"

/**
 * The promises of `StrategyStore`: settings stored exactly, for their account alone, under ids that are never used again.
 * An implementer tells the followers of a signal as they are now and as they were at each alert that is not judged, rings
 * for each change among them, and leaves out a signal that the account cannot reach.
 */
export const suite = Contract.suite<StrategyStore | Accounts | Signals | Journal | Portfolio>(
  "StrategyStore",
  (it) => {
    it("settings are stored exactly as given", () =>
      Effect.gen(function* () {
        const store = yield* StrategyStore
        const { account } = yield* sender("alice")
        yield* pass("61 seconds")
        for (const given of [settings(), settings(everything)]) {
          const created = yield* store.create(account, given)
          expect(created).toEqual({
            id: created.id,
            account,
            settings: given,
            createdAt: 61,
            updatedAt: 61,
            revision: 0
          })
          expect(yield* store.get(account, created.id)).toEqual(created)
        }
      }))

    it("an update replaces all settings, and sets the time of the change", () =>
      Effect.gen(function* () {
        const store = yield* StrategyStore
        const { account } = yield* sender("alice")
        const before = yield* store.create(account, settings(everything))
        const after = yield* store.update(account, before.id, settings())
        expect(after).toEqual({ ...before, settings: settings(), revision: 1 })
        yield* pass("100 seconds")
        expect((yield* store.update(account, before.id, settings())).updatedAt).toBe(100)
      }))

    pastSettings(it)
    it("changes within a second have different revisions, and no time is ahead of the clock", () =>
      Effect.gen(function* () {
        const store = yield* StrategyStore
        const { account } = yield* sender("alice")
        yield* pass("61 seconds")
        const { id } = yield* store.create(account, settings())
        for (let revision = 1; revision <= 20; revision++) {
          const changed = yield* store.update(account, id, settings({ name: `${revision}` }))
          expect(changed).toMatchObject({ revision, updatedAt: 61 })
        }
        yield* pass("1 seconds")
        expect((yield* store.update(account, id, settings())).updatedAt).toBe(62)
        expect(yield* store.get(account, id)).toMatchObject({ revision: 21, updatedAt: 62 })
      }))

    it("several changes are made together, or none of them", () =>
      Effect.gen(function* () {
        const store = yield* StrategyStore
        const [alice, bob] = [yield* sender("alice"), yield* sender("bob")]
        const made = (name: string, { account } = alice) => store.create(account, settings({ name }))
        const [one, two, his] = [yield* made("one"), yield* made("two"), yield* made("his", bob)]
        const to = (name: string, before?: Strategy) => {
          const change = { settings: settings({ name, buyPercent: 1 }), notes: [] }
          return before === undefined ? change : { ...change, before }
        }
        const stale = { ...two, revision: 1 }
        const refused = [to("two", stale), to("his", his), to("two"), to("one again", one)]
        for (const change of refused) {
          const changes = [to("one", one), to("three"), change]
          expect((yield* Effect.flip(store.apply(alice.account, changes)))._tag).toBe("StrategyChanged")
          expect(yield* store.all).toEqual([one, two, his])
        }
        const applied = yield* store.apply(alice.account, [to("two", two), to("his"), to("renamed", one)])
        const names = applied.map(({ revision, settings: { name } }) => `${name} ${revision}`)
        expect(names).toEqual(["two 1", "his 0", "renamed 1"])
        expect(yield* store.list(alice.account, {})).toEqual([applied[2], applied[0], applied[1]])
      }))

    it("an account never sees or changes another account's strategies", () =>
      Effect.gen(function* () {
        const store = yield* StrategyStore
        const [alice, bob] = [yield* sender("alice"), yield* sender("bob")]
        const hidden = yield* store.create(alice.account, settings())
        const open = yield* store.create(alice.account, settings({ public: true }))
        for (const id of [hidden.id, open.id, 99, -1, 2 ** 53]) {
          expect((yield* Effect.flip(store.get(bob.account, id)))._tag).toBe("StrategyNotFound")
          const changed = store.update(bob.account, id, settings(everything))
          expect((yield* Effect.flip(changed))._tag).toBe("StrategyNotFound")
          expect((yield* Effect.flip(store.remove(bob.account, id)))._tag).toBe("StrategyNotFound")
        }
        expect((yield* Effect.flip(store.visible(bob.account, hidden.id)))._tag).toBe("StrategyNotFound")
        expect(yield* store.visible(bob.account, open.id)).toEqual(open)
        expect(yield* store.list(bob.account, {})).toEqual([])
        expect(yield* store.list(alice.account, {})).toEqual([hidden, open])
        expect(yield* store.list(alice.account, { limit: 1, after: hidden.id })).toEqual([open])
      }))

    it("an id is never used again", () =>
      Effect.gen(function* () {
        const store = yield* StrategyStore
        const { account } = yield* sender("alice")
        const first = yield* store.create(account, settings())
        expect(yield* store.remove(account, first.id)).toEqual(first)
        expect((yield* Effect.flip(store.get(account, first.id)))._tag).toBe("StrategyNotFound")
        expect((yield* store.create(account, settings())).id).toBeGreaterThan(first.id)
      }))

    it("the followers of a signal are right after every change", () =>
      Effect.gen(function* () {
        const store = yield* StrategyStore
        const alice = yield* sender("alice")
        const bob = yield* sender("bob")
        const { id: signalId } = yield* (yield* Signals).create(alice.account, aSignal({ public: true }))
        const followers = Effect.map(followersOf(signalId), (rows) => rows.map(({ id }) => id))
        expect(yield* followers).toEqual([])
        const one = yield* store.create(bob.account, settings({ signalId }))
        expect(yield* followers).toEqual([one.id])
        const two = yield* store.create(alice.account, settings({ signalId, active: false }))
        expect(yield* followersOf(signalId)).toEqual([one, two])
        expect(yield* store.followers(signalId, alice.account)).toEqual([two])
        expect(yield* store.followers(signalId, bob.account)).toEqual([one])
        const renamed = yield* store.update(bob.account, one.id, settings({ signalId, name: "other" }))
        // `recall` may return nothing, but never anything outdated.
        expect(store.recall(signalId, bob.account) ?? [renamed]).toEqual([renamed])
        expect(yield* followersOf(signalId)).toEqual([renamed, two])
        expect(yield* store.followers(signalId, bob.account)).toEqual([renamed])
        expect(store.recall(signalId, bob.account)).toEqual([renamed])
        expect(store.recall(signalId, alice.account) ?? [two]).toEqual([two])
        yield* store.update(bob.account, one.id, settings())
        expect(yield* followers).toEqual([two.id])
        yield* store.remove(alice.account, two.id)
        expect(yield* followers).toEqual([])
        expect((yield* store.all).map(({ id }) => id)).toEqual([one.id])
      }))

    it("a listener learns of each change among following strategies, and which one changed", () =>
      Effect.gen(function* () {
        const store = yield* StrategyStore
        const signals = yield* Signals
        const alice = yield* sender("alice")
        const bob = yield* sender("bob")
        const { id: signalId } = yield* signals.create(alice.account, aSignal({ public: true }))
        const { id: other } = yield* signals.create(alice.account, aSignal())
        const following = Effect.map(store.following(ALL), (rows) =>
          rows.map((row) => `${row.id}@${row.revision}`)
        )
        expect(yield* following).toEqual([])
        const listener = yield* Effect.fork(store.changed)
        yield* Effect.yieldNow()
        expect(Option.isNone(yield* Fiber.poll(listener))).toBe(true)
        const one = yield* store.create(bob.account, settings({ signalId }))
        yield* Fiber.join(listener)
        /** The followings that a listener reads after a change. */
        const after = <E>(change: Effect.Effect<unknown, E>) =>
          Effect.gen(function* () {
            yield* change
            yield* store.changed
            const found = yield* following
            const next = yield* Effect.fork(store.changed)
            yield* Effect.yieldNow()
            expect(Option.isNone(yield* Fiber.poll(next))).toBe(true)
            yield* Fiber.interrupt(next)
            return found
          })
        const two = yield* store.create(alice.account, settings({ signalId, active: false }))
        const three = yield* store.create(alice.account, settings({ signalId: other }))
        const update = (changes: Parameters<typeof settings>[0]) =>
          store.update(bob.account, one.id, settings(changes))
        const [first, second, third] = [`${one.id}@0`, `${two.id}@0`, `${three.id}@0`]
        expect(yield* following).toEqual([first, second, third])
        expect(yield* after(update({ signalId, name: "b" }))).toEqual([`${one.id}@1`, second, third])
        expect(yield* after(update({ name: "c" }))).toEqual([second, third])
        expect(yield* after(update({ signalId }))).toEqual([`${one.id}@3`, second, third])
        const hidden = signals.update(alice.account, signalId, { public: false })
        expect(yield* after(hidden)).toEqual([second, third])
        expect(yield* after(signals.remove(alice.account, signalId))).toEqual([third])
        expect(yield* after(store.remove(alice.account, three.id))).toEqual([])
        const left = yield* store.among(new Set([two.id, three.id, one.id]))
        expect(left.map(({ id, revision }) => `${id}@${revision}`)).toEqual([`${one.id}@4`, `${two.id}@1`])
        expect(left).toEqual(yield* store.all)
      }))

    followings(it)
    it("a signal that the account cannot reach is left out of the settings", () =>
      Effect.gen(function* () {
        const store = yield* StrategyStore
        const alice = yield* sender("alice")
        const bob = yield* sender("bob")
        const hidden = yield* (yield* Signals).create(alice.account, aSignal())
        for (const signalId of [hidden.id, SignalId.make(999)]) {
          const created = yield* store.create(bob.account, settings({ signalId }))
          expect(created.settings).toEqual(settings())
          const updated = yield* store.update(bob.account, created.id, settings({ signalId }))
          expect(updated.settings).toEqual(settings())
        }
        expect(yield* followersOf(hidden.id)).toEqual([])
      }))

    it(
      "each account is limited in its strategies by itself",
      () =>
        Effect.gen(function* () {
          const store = yield* StrategyStore
          const { account } = yield* sender("alice")
          const { account: other } = yield* sender("bob")
          const first = yield* store.create(account, settings())
          yield* store.create(account, settings())
          expect((yield* Effect.flip(store.create(account, settings()))).limit).toBe(2)
          yield* store.create(other, settings())
          yield* store.remove(account, first.id)
          yield* store.create(account, settings())
        }),
      { limits: { signals: 2, strategies: 2 } }
    )
  }
)
