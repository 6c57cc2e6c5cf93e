// The contract of `RuleWitnesses`: an alert waits once, and ends once, with its note.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Accounts } from "../../../services/Accounts.ts"
import { Events } from "../../../services/Events.ts"
import { type AwaitedAlert, ENDED_MS, RuleWitnesses } from "../../../services/rules/RuleWitnesses.ts"
import { Signals } from "../../../services/Signals.ts"
import * as Contract from "../../Contract.ts"
import { expect } from "../../expect.ts"
import { instruction, rule, signalDraft } from "../../Fixtures.ts"
import { sender } from "../people.ts"

const scene = Effect.gen(function* () {
  const { account } = yield* sender("alice")
  const signals = yield* Signals
  const signal = yield* signals.create(account, signalDraft({ rule: rule() }))
  const awaited = (key: string, dueAt: number): AwaitedAlert => ({
    ...{ key, signal: signal.id, account, version: 1, mode: "tell" as const, at: dueAt - 90_000, dueAt },
    instruction: instruction({
      signalId: signal.id,
      type: "sell",
      tp: Option.some(0.1 + 0.2),
      closePercent: 50
    }),
    origin: 'it\'s "odd" 🚀'
  })
  return { account, awaited, signal, signals, witnesses: yield* RuleWitnesses, events: yield* Events }
})

const note = (text: string) => ({
  ...{ at: 5, rule: "rule_unwitnessed", alertId: Option.none(), reason: Option.none(), text },
  facts: { pair: "BTC/USDT" }
})

/** An implementer keeps alerts that wait, and lets each end once. */
export const suite = Contract.suite<RuleWitnesses | Signals | Events | Accounts>("RuleWitnesses", (it) => {
  it("alerts that wait are stored exactly as given, and read when they are due", () =>
    Effect.gen(function* () {
      const { awaited, witnesses } = yield* scene
      expect(yield* witnesses.next).toEqual(Option.none())
      const [one, two, three] = [awaited("one", 3_000), awaited("two", 1_000), awaited("three", 2_000)]
      yield* witnesses.add([one, two])
      yield* witnesses.add([three])
      expect(yield* witnesses.next).toEqual(Option.some(1_000))
      expect(yield* witnesses.due(999, 10)).toEqual([])
      expect(yield* witnesses.due(2_999, 10)).toEqual([two, three])
      expect(yield* witnesses.due(3_000, 2)).toEqual([two, three])
      expect(yield* witnesses.due(3_000, 3)).toEqual([two, three, one])
    }))

  it("an alert ends once, and its note is announced once", () =>
    Effect.gen(function* () {
      const { account, awaited, events, witnesses } = yield* scene
      const one = awaited("one", 1_000)
      const before = yield* events.head
      yield* witnesses.add([one, awaited("two", 2_000)])
      const ended = yield* Effect.all(
        Array.from({ length: 5 }, () => witnesses.end(one, 1_500, note("it did not come"))),
        { concurrency: "unbounded" }
      )
      expect(ended.filter((isFirst) => isFirst).length).toBe(1)
      expect(yield* witnesses.end(awaited("nobody", 1), 1_500, note("nor this"))).toBe(false)
      expect(yield* witnesses.next).toEqual(Option.some(2_000))
      const announced = (yield* events.after(account, before, 10)).events.map(({ event: { text } }) => text)
      expect(announced).toEqual(["it did not come"])
    }))

  it("an alert that is known is not added again, also after its end", () =>
    Effect.gen(function* () {
      const { awaited, witnesses } = yield* scene
      const one = awaited("one", 1_000)
      yield* witnesses.add([one, { ...one, dueAt: 500 }])
      yield* witnesses.add([{ ...one, dueAt: 5_000 }])
      expect(yield* witnesses.due(9_000, 10)).toEqual([one])
      yield* witnesses.end(one, 1_500)
      yield* witnesses.add([one])
      expect(yield* witnesses.next).toEqual(Option.none())
      expect(yield* witnesses.due(9_000, 10)).toEqual([])
    }))

  it("an alert that ended long ago is forgotten, and one that waits is not", () =>
    Effect.gen(function* () {
      const { awaited, witnesses } = yield* scene
      const [old, waiting, last] = [awaited("old", 1_000), awaited("waiting", 1_001), awaited("last", 1_002)]
      yield* witnesses.add([old, waiting, last])
      yield* witnesses.end(old, 2_000)
      yield* witnesses.end(last, 2_000 + ENDED_MS)
      yield* witnesses.add([old, last])
      expect(yield* witnesses.due(9_000, 10)).toEqual([old, waiting])
    }))

  it("alerts of a signal that is deleted are gone", () =>
    Effect.gen(function* () {
      const { account, awaited, events, signal, signals, witnesses } = yield* scene
      const one = awaited("one", 1_000)
      yield* witnesses.add([one])
      yield* signals.remove(account, signal.id)
      const before = yield* events.head
      expect(yield* witnesses.due(9_000, 10)).toEqual([])
      expect(yield* witnesses.next).toEqual(Option.none())
      expect(yield* witnesses.end(one, 1_500, note("of nobody"))).toBe(false)
      yield* witnesses.add([one])
      expect(yield* witnesses.next).toEqual(Option.none())
      expect((yield* events.after(account, before, 10)).events).toEqual([])
    }))
})
