// The contract of `ActiveRules`: the rules of active signals, and how far each was looked at.
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { Accounts } from "../../services/Accounts.ts"
import { ActiveRules, type RuleProgress } from "../../services/rules/ActiveRules.ts"
import { Signals } from "../../services/Signals.ts"
import * as Contract from "../Contract.ts"
import { expect } from "../expect.ts"
import { rule as aRule, signalDraft as aSignal } from "../Fixtures.ts"
import { pass } from "../VirtualClock.ts"
import { sender } from "./people.ts"

/** An implementer never lets progress go back, and never misses a rule that changed. */
export const suite = Contract.suite<ActiveRules | Signals | Accounts>("ActiveRules", (it) => {
  it("rules of active signals of all accounts are at work, and no others", () =>
    Effect.gen(function* () {
      const { active, alice, bob, signals } = yield* scene
      yield* pass("5 seconds")
      const mine = yield* signals.create(alice, aSignal({ rule: aRule({}) }))
      const theirs = yield* signals.create(bob, aSignal({ rule: aRule({ timeframe: "4h" }) }))
      const off = yield* signals.create(bob, aSignal({ active: false, rule: aRule({}) }))
      const plain = yield* signals.create(alice, aSignal())
      expect(yield* active.stamps).toEqual([
        { signal: mine.id, account: alice, version: 1, since: 5_000 },
        { signal: theirs.id, account: bob, version: 1, since: 5_000 }
      ])
      const found = yield* active.among([off.id, theirs.id, plain.id])
      expect(found.map(({ account, document, signal }) => [account, signal, document.timeframe])).toEqual([
        [bob, theirs.id, "4h"]
      ])
    }))

  it("a rule or a signal that changes begins at the time of the change", () =>
    Effect.gen(function* () {
      const { active, alice, signals } = yield* scene
      const { id } = yield* signals.create(alice, aSignal({ rule: aRule({}) }))
      yield* pass("9 seconds")
      yield* signals.update(alice, id, { rule: aRule({ timeframe: "15m" }) })
      expect((yield* active.stamps).map(({ since, version }) => [since, version])).toEqual([[9_000, 2]])
      yield* signals.update(alice, id, { active: false })
      expect(yield* active.stamps).toEqual([])
      yield* pass("3 seconds")
      yield* signals.update(alice, id, { active: true })
      expect((yield* active.stamps).map(({ since, version }) => [since, version])).toEqual([[12_000, 2]])
    }))

  it("a change is heard, also one that was made between the reading and the wait", () =>
    Effect.gen(function* () {
      const { active, alice, signals } = yield* scene
      yield* active.stamps
      const waiting = yield* Effect.fork(active.changed)
      const { id } = yield* signals.create(alice, aSignal({ rule: aRule({}) }))
      yield* Fiber.join(waiting)
      yield* active.stamps
      yield* signals.remove(alice, id)
      yield* active.changed
      expect(yield* active.stamps).toEqual([])
    }))

  it("progress only grows, and a newer version replaces an older one, whatever arrives late", () =>
    Effect.gen(function* () {
      const { active, alice, signals } = yield* scene
      const { id } = yield* signals.create(alice, aSignal({ rule: aRule({}) }))
      const row = (version: number, lookedAt: number, place = "binance:BTC/USDT:spot"): RuleProgress => ({
        ...{ signal: id, version, place, lookedAt }
      })
      yield* active.advance([row(1, 1_700_000_000_000), row(1, 60_000, "schedule")])
      yield* active.advance([row(1, 1_600_000_000_000)])
      expect(yield* sorted(active)).toEqual([row(1, 1_700_000_000_000), row(1, 60_000, "schedule")])
      yield* active.advance([row(2, 5)])
      yield* active.advance([row(1, 1_800_000_000_000)])
      expect(yield* sorted(active)).toEqual([row(2, 5), row(1, 60_000, "schedule")])
    }))

  it("the progress of a rule that rests, or of a deleted signal, is gone and stays so", () =>
    Effect.gen(function* () {
      const { active, alice, signals } = yield* scene
      const [one, other] = [
        yield* signals.create(alice, aSignal({ rule: aRule({}) })),
        yield* signals.create(alice, aSignal({ name: "Other", rule: aRule({}) }))
      ]
      const rows = [one, other].map(({ id }) => ({ signal: id, version: 1, place: "schedule", lookedAt: 9 }))
      yield* active.advance(rows)
      yield* active.rest([one.id])
      expect(yield* active.progress).toEqual(rows.slice(1))
      yield* signals.remove(alice, other.id)
      yield* active.advance(rows.slice(1))
      expect(yield* active.progress).toEqual([])
    }))
})

const sorted = ({ progress }: typeof ActiveRules.Service) =>
  Effect.map(progress, (rows) => rows.toSorted((one, other) => (one.place < other.place ? -1 : 1)))

const scene = Effect.gen(function* () {
  const { account: alice } = yield* sender("alice")
  const { account: bob } = yield* sender("bob")
  return { active: yield* ActiveRules, signals: yield* Signals, alice, bob }
})
