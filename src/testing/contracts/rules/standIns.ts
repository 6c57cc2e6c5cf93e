// The part of the journal's contract about alerts that a rule raises in place of alerts from outside: of the two, one is
// recorded, whichever comes first.
import * as Effect from "effect/Effect"
import type { AlertType } from "../../../domain/Alert.ts"
import { SignalId } from "../../../domain/Signal.ts"
import type { Accounts } from "../../../services/Accounts.ts"
import { type AlertDraft, Appended, Journal, slotOf } from "../../../services/Journal.ts"
import type * as Contract from "../../Contract.ts"
import { expect } from "../../expect.ts"
import { draft, instruction } from "../../Fixtures.ts"
import { sender } from "../people.ts"

type Sender = Effect.Effect.Success<ReturnType<typeof sender>>
type Changes = { readonly type?: AlertType; readonly coin?: string; readonly signalId?: SignalId }

/** When the rule's candle closed (ms), and when an alert stands in. */
const CLOSE = 1_763_000_000_000
const DUE = CLOSE + 90_000
const MINUTE = 60_000

/** An alert from outside at a time (ms). */
const outside = (
  who: Sender,
  receivedAt: number,
  changes: Changes = {},
  more: Parameters<typeof draft>[1] = {}
): AlertDraft => {
  const sent = instruction(changes)
  return draft(who, {
    instruction: sent,
    receivedAt,
    witness: { role: "outside", slot: slotOf(sent) },
    ...more
  })
}

/** An alert that stands in for those that did not come. */
const standIn = (who: Sender, close = CLOSE, now = close + 90_000): AlertDraft => {
  const raised = instruction()
  return draft(who, {
    instruction: raised,
    receivedAt: close,
    witness: { role: "stand_in", slot: slotOf(raised), since: close - 30_000, now },
    same: { key: `rule ${close}`, spanMs: 86_400_000 }
  })
}

const scene = Effect.gen(function* () {
  const alice = yield* sender("alice")
  return { alice, bob: yield* sender("bob"), journal: yield* Journal }
})

export function standing(it: Contract.Adding<Journal | Accounts>) {
  it("an alert that stands in is recorded once, and takes one alert from outside as its repeat", () =>
    Effect.gen(function* () {
      const { alice, journal } = yield* scene
      const { id } = yield* journal.append(standIn(alice))
      expect(yield* journal.append(standIn(alice))).toEqual(Appended.Repeat({ id }))
      const late = outside(alice, DUE + 9 * MINUTE, {}, { same: { key: "late" } })
      expect(yield* journal.append(late)).toEqual(Appended.Repeat({ id }))
      // The charting platform sends it again.
      expect(yield* journal.append({ ...late, receivedAt: DUE + 9 * MINUTE + 1 })).toEqual(
        Appended.Repeat({ id })
      )
      const next = yield* journal.append(outside(alice, DUE + 9 * MINUTE + 2))
      expect(next._tag).toBe("Recorded")
      expect((yield* journal.since(0, 10)).map(({ receivedAt, repeats }) => [receivedAt, repeats])).toEqual([
        [CLOSE, 3],
        [DUE + 9 * MINUTE + 2, 0]
      ])
    }))

  it("ten minutes after an alert stood in, one from outside is new", () =>
    Effect.gen(function* () {
      const { alice, journal } = yield* scene
      yield* journal.append(standIn(alice))
      expect((yield* journal.append(outside(alice, DUE + 10 * MINUTE)))._tag).toBe("Recorded")
    }))

  it("an alert from outside in time leaves nothing to stand in for, and counts no repeat", () =>
    Effect.gen(function* () {
      const { alice, journal } = yield* scene
      for (const at of [CLOSE - 30_000, CLOSE, DUE]) {
        const { id } = yield* journal.append(outside(alice, at))
        expect(yield* journal.append(standIn(alice))).toEqual(Appended.Repeat({ id }))
      }
      expect((yield* journal.since(0, 10)).map(({ repeats }) => repeats)).toEqual([0, 0, 0])
    }))

  it("an alert of another time, type, pair, signal or account is no witness", () =>
    Effect.gen(function* () {
      const { alice, bob, journal } = yield* scene
      const others = [
        outside(alice, CLOSE - 30_001),
        outside(alice, CLOSE, { type: "sell" }),
        outside(alice, CLOSE, { coin: "ETH" }),
        outside(alice, CLOSE, { signalId: SignalId.make(8) }),
        outside(bob, CLOSE)
      ]
      for (const other of others) expect((yield* journal.append(other))._tag).toBe("Recorded")
      expect((yield* journal.append(standIn(alice)))._tag).toBe("Recorded")
      // Nor is any of them the repeat of it.
      for (const other of others.slice(1))
        expect((yield* journal.append({ ...other, receivedAt: DUE + 1 }))._tag).toBe("Recorded")
    }))

  it("two alerts that stood in take two alerts from outside", () =>
    Effect.gen(function* () {
      const { alice, journal } = yield* scene
      yield* journal.append(standIn(alice))
      yield* journal.append(standIn(alice, CLOSE + MINUTE))
      const sent = yield* Effect.forEach([1, 2, 3], (second) =>
        journal.append(outside(alice, DUE + MINUTE + second * 1_000))
      )
      expect(sent.map(({ _tag }) => _tag)).toEqual(["Repeat", "Repeat", "Recorded"])
    }))

  it("an alert from outside that was taken for a late one is no witness of the next", () =>
    Effect.gen(function* () {
      const { alice, journal } = yield* scene
      yield* journal.append(standIn(alice))
      const close = CLOSE + 5 * MINUTE
      expect((yield* journal.append(outside(alice, close + 2_000)))._tag).toBe("Repeat")
      expect((yield* journal.append(standIn(alice, close)))._tag).toBe("Recorded")
    }))

  it("of an alert from outside and one that stands in at the same moment, one is recorded", () =>
    Effect.gen(function* () {
      const { alice, journal } = yield* scene
      for (let round = 1; round <= 20; round++) {
        const close = CLOSE + round * 60 * MINUTE
        const both = [standIn(alice, close), outside(alice, close + 90_000)]
        const sent = round % 2 === 0 ? both : both.reverse()
        const appended = yield* Effect.forEach(sent, journal.append, { concurrency: "unbounded" })
        expect(appended.map(({ _tag }) => _tag)).toEqual(["Recorded", "Repeat"])
      }
      expect((yield* journal.since(0, 100)).length).toBe(20)
    }))

  it("says whether an alert from outside came in a span of time", () =>
    Effect.gen(function* () {
      const { alice, bob, journal } = yield* scene
      const sent = outside(alice, CLOSE)
      const slot = slotOf(sent.instruction)
      const isWitnessed = (who: Sender, since: number, now: number) =>
        journal.isWitnessed(who.account, slot, { since, now })
      expect(yield* isWitnessed(alice, CLOSE, DUE)).toBe(false)
      yield* journal.append(sent)
      expect(yield* isWitnessed(alice, CLOSE, DUE)).toBe(true)
      expect(yield* isWitnessed(alice, CLOSE + 1, DUE)).toBe(false)
      expect(yield* isWitnessed(alice, CLOSE - 1, CLOSE - 1)).toBe(false)
      expect(yield* isWitnessed(bob, CLOSE, DUE)).toBe(false)
    }))
}
