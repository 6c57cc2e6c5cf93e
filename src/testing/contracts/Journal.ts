// The contract of `Journal`: an append ends only after the alert is stored, ids follow arrival, and a
// repeat is counted, not stored.
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { ALERT_TYPES, AlertId } from "../../domain/Alert.ts"
import { SignalId } from "../../domain/Signal.ts"
import type { Accounts } from "../../services/Accounts.ts"
import { Appended, Journal, KEY_WITH_OTHER_BODY } from "../../services/Journal.ts"
import * as Contract from "../Contract.ts"
import { expect } from "../expect.ts"
import { draft, instruction } from "../Fixtures.ts"
import { sender } from "./people.ts"
import { standing } from "./rules/standIns.ts"

/** An implementer gives increasing ids, and never lets `arrival` miss a row. */
export const suite = Contract.suite<Journal | Accounts>("Journal", (it) => {
  keeping(it)
  repeating(it)
  reading(it)
  standing(it)
})

type Tests = Contract.Adding<Journal | Accounts>

const scene = Effect.gen(function* () {
  const alice = yield* sender("alice")
  return { alice, bob: yield* sender("bob"), journal: yield* Journal }
})

function keeping(it: Tests) {
  it("an alert is stored exactly as given", () =>
    Effect.gen(function* () {
      const { alice, journal } = yield* scene
      for (const type of ALERT_TYPES) {
        const given = draft(alice, {
          instruction: instruction({
            coin: "1000SATS",
            type,
            tp: Option.some(0.1 + 0.2),
            sl: Option.some(5e-324)
          }),
          receivedAt: 1_763_000_000_123,
          warnings: ['it\'s "odd" 🚀', ""]
        })
        const { id } = yield* journal.append(given)
        const { account, token, receivedAt, warnings } = given
        const alert = { id, account, token, ...given.instruction, receivedAt, repeats: 0, warnings }
        expect(yield* journal.get(alice.account, id)).toEqual(alert)
        expect((yield* journal.since(id - 1, 10))[0]).toEqual(alert)
      }
    }))

  it("when `settled` ends, every alert offered before has its answer", () =>
    Effect.gen(function* () {
      const { alice, journal } = yield* scene
      yield* journal.settled
      let answered = 0
      for (let sent = 1; sent <= 100; sent++) journal.offer(draft(alice), () => answered++)
      yield* journal.settled
      expect(answered).toBe(100)
      expect((yield* journal.since(0, 1_000)).length).toBe(100)
    }))

  it("a thousand alerts at once are a thousand rows, in their sequence of arrival", () =>
    Effect.gen(function* () {
      const { alice, journal } = yield* scene
      const drafts = Array.from({ length: 1_000 }, (_, index) => draft(alice, { receivedAt: index }))
      const appended = yield* Effect.forEach(drafts, journal.append, { concurrency: "unbounded" })
      const ids = appended.map(({ id }) => id)
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
      const rows = yield* journal.since(0, 2_000)
      expect(rows.map(({ id }) => id)).toEqual(ids)
      expect(rows.map(({ receivedAt }) => receivedAt)).toEqual(drafts.map(({ receivedAt }) => receivedAt))
    }))

  it("an account never sees another account's alerts", () =>
    Effect.gen(function* () {
      const { alice, bob, journal } = yield* scene
      const { id } = yield* journal.append(draft(alice))
      for (const errors of [id, id + 1, 0, -1, 2 ** 53, 0.5]) {
        expect((yield* Effect.flip(journal.get(bob.account, errors)))._tag).toBe("AlertNotFound")
      }
      expect(yield* journal.list(bob.account, { limit: 10 })).toEqual([])
      expect((yield* journal.list(alice.account, { limit: 10 })).length).toBe(1)
    }))

  it("the request of an alert is stored beside it, and only its owner may read it", () =>
    Effect.gen(function* () {
      const { alice, bob, journal } = yield* scene
      const body = 'it\'s "odd" 🚀\n'
      const recorded = yield* journal.append(draft(alice, { incoming: { door: "charting", body } }))
      const direct = yield* journal.append(draft(alice))
      const empty = yield* journal.append(draft(alice, { incoming: { door: "alert", body: "" } }))
      const ids = [recorded.id, direct.id, empty.id, AlertId.make(999)]
      expect([...(yield* journal.incoming(alice.account, ids))].sort(([a], [b]) => a - b)).toEqual([
        [recorded.id, { door: "charting", body }],
        [empty.id, { door: "alert", body: "" }]
      ])
      expect((yield* journal.incoming(bob.account, ids)).size).toBe(0)
      expect((yield* journal.incoming(alice.account, [])).size).toBe(0)
    }))

  it("a repeated alert keeps the request of its first arrival", () =>
    Effect.gen(function* () {
      const { alice, journal } = yield* scene
      const sent = (body: string) => draft(alice, { same: {}, incoming: { door: "alert", body } })
      const { id } = yield* journal.append(sent("first"))
      expect((yield* journal.append(sent("second"))).id).toBe(id)
      expect((yield* journal.incoming(alice.account, [id])).get(id)?.body).toBe("first")
    }))

  it("the alerts of one signal are listed, however many others lie between", () =>
    Effect.gen(function* () {
      const { alice, bob, journal } = yield* scene
      const rare = SignalId.make(8)
      const mine: Array<number> = []
      const others = (count: number) =>
        Effect.forEach(
          Array.from({ length: count }, (_, index) => draft(index % 3 === 0 ? bob : alice)),
          journal.append,
          { concurrency: "unbounded" }
        )
      for (const count of [0, 2_000, 1, 2_500]) {
        yield* others(count)
        const sent = draft(alice, { instruction: instruction({ signalId: rare }) })
        mine.unshift((yield* journal.append(sent)).id)
      }
      yield* journal.append(draft(bob, { instruction: instruction({ signalId: rare }) }))
      const page = (limit: number, before?: number) =>
        Effect.map(
          journal.list(alice.account, { limit, signal: rare, ...(before === undefined ? {} : { before }) }),
          (rows) => rows.map(({ id }): number => id)
        )
      expect(yield* page(100)).toEqual(mine)
      expect(yield* page(2)).toEqual(mine.slice(0, 2))
      expect(yield* page(2, mine[1])).toEqual(mine.slice(2))
      expect(yield* page(2, mine[3])).toEqual([])
    }))

  it("alerts are listed newest first, in pages", () =>
    Effect.gen(function* () {
      const { alice, bob, journal } = yield* scene
      const mine: Array<number> = []
      for (let count = 0; count < 5; count++) {
        mine.unshift((yield* journal.append(draft(alice))).id)
        yield* journal.append(draft(bob))
      }
      const page = (limit: number, before?: number) =>
        Effect.map(
          journal.list(alice.account, before === undefined ? { limit } : { limit, before }),
          (rows) => rows.map(({ id }): number => id)
        )
      expect(yield* page(2)).toEqual(mine.slice(0, 2))
      expect(yield* page(2, mine[1])).toEqual(mine.slice(2, 4))
      expect(yield* page(100, mine[3])).toEqual(mine.slice(4))
      expect(yield* page(100, mine[4])).toEqual([])
    }))

  it("a working journal reports that it is writable", () =>
    Effect.gen(function* () {
      const journal = yield* Journal
      expect(yield* journal.writable).toBe(true)
    }))
}

function repeating(it: Tests) {
  it("a repeat within the span is the same alert, and is counted", () =>
    Effect.gen(function* () {
      const { alice, journal } = yield* scene
      const at = (receivedAt: number) => journal.append(draft(alice, { receivedAt, same: {} }))
      const { id } = yield* at(1_000)
      expect(yield* at(1_001)).toEqual(Appended.Repeat({ id }))
      expect(yield* at(20_999)).toEqual(Appended.Repeat({ id }))
      expect((yield* journal.get(alice.account, id)).repeats).toBe(2)
      expect((yield* journal.since(0, 10)).map(({ repeats }) => repeats)).toEqual([2])
      const later = yield* at(21_000)
      expect(later._tag).toBe("Recorded")
      expect(yield* at(40_999)).toEqual(Appended.Repeat({ id: later.id }))
      expect((yield* journal.list(alice.account, { limit: 10 })).map(({ repeats }) => repeats)).toEqual([
        1, 2
      ])
    }))

  it("of many simultaneous repeats one is recorded", () =>
    Effect.gen(function* () {
      const { alice, journal } = yield* scene
      const appended = yield* Effect.all(
        Array.from({ length: 20 }, () => journal.append(draft(alice, { same: {} }))),
        { concurrency: "unbounded" }
      )
      expect(appended.filter(({ _tag }) => _tag === "Recorded").length).toBe(1)
      expect(new Set(appended.map(({ id }) => id)).size).toBe(1)
      expect((yield* journal.list(alice.account, { limit: 10 })).map(({ repeats }) => repeats)).toEqual([19])
    }))

  it("a known key with another body is a new alert with a warning, or is refused", () =>
    Effect.gen(function* () {
      const { alice, journal } = yield* scene
      const send = (body: string, onOtherBody: "warn" | "refuse") =>
        journal.append(draft(alice, { warnings: ["first"], same: { body, onOtherBody } }))
      const first = yield* send("a", "warn")
      const second = yield* send("b", "warn")
      expect([first._tag, second._tag]).toEqual(["Recorded", "Recorded"])
      expect((yield* journal.get(alice.account, first.id)).warnings).toEqual(["first"])
      expect((yield* journal.get(alice.account, second.id)).warnings).toEqual(["first", KEY_WITH_OTHER_BODY])
      expect((yield* Effect.flip(send("b", "refuse")))._tag).toBe("KeyReused")
      // The key keeps naming the first alert: a second body is never a repeat.
      expect(yield* send("a", "refuse")).toEqual(Appended.Repeat({ id: first.id }))
      expect((yield* send("b", "warn"))._tag).toBe("Recorded")
      expect((yield* journal.list(alice.account, { limit: 10 })).length).toBe(3)
    }))

  it("a key belongs to its account, and a draft without a key is never a repeat", () =>
    Effect.gen(function* () {
      const { alice, bob, journal } = yield* scene
      for (const one of [
        draft(alice, { same: {} }),
        draft(bob, { same: {} }),
        draft(alice, { same: { key: "k2" } }),
        draft(alice),
        draft(alice)
      ]) {
        expect((yield* journal.append(one))._tag).toBe("Recorded")
      }
    }))
}

function reading(it: Tests) {
  it("alerts of all accounts are read from a cursor on, oldest first", () =>
    Effect.gen(function* () {
      const { alice, bob, journal } = yield* scene
      const ids: Array<number> = []
      expect(yield* journal.last).toBe(0)
      for (const who of [alice, bob, alice, bob]) ids.push((yield* journal.append(draft(who))).id)
      expect(yield* journal.last).toBe(ids[3] ?? 0)
      const since = (cursor: number, limit: number) =>
        Effect.map(journal.since(cursor, limit), (rows) => rows.map(({ id }): number => id))
      expect(yield* since(0, 10)).toEqual(ids)
      expect(yield* since(0, 2)).toEqual(ids.slice(0, 2))
      expect(yield* since(ids[1] ?? 0, 2)).toEqual(ids.slice(2))
      expect(yield* since(ids[3] ?? 0, 2)).toEqual([])
    }))

  it("alerts of all accounts are found by their ids, oldest first and each once", () =>
    Effect.gen(function* () {
      const { alice, bob, journal } = yield* scene
      const ids: Array<AlertId> = []
      for (const who of [alice, bob, alice]) ids.push((yield* journal.append(draft(who))).id)
      const [first, , last] = yield* journal.since(0, 10)
      const [one = AlertId.make(1), , three = AlertId.make(3)] = ids
      expect(yield* journal.among([three, one, three, AlertId.make(999)])).toEqual(
        [first, last].flatMap((alert) => alert ?? [])
      )
      expect(yield* journal.among([])).toEqual([])
    }))

  it("`arrival` ends for alerts that were not read yet, and waits if all were read", () =>
    Effect.gen(function* () {
      const { alice, journal } = yield* scene
      expect(yield* journal.since(0, 10)).toEqual([])
      const { id } = yield* journal.append(draft(alice))
      yield* journal.arrival
      yield* journal.append(draft(alice))
      expect((yield* journal.since(id - 1, 1)).length).toBe(1)
      yield* journal.arrival
      expect((yield* journal.since(id, 10)).length).toBe(1)
      const waiting = yield* Effect.fork(journal.arrival)
      yield* Effect.yieldNow()
      expect(Option.isNone(yield* Fiber.poll(waiting))).toBe(true)
      yield* journal.append(draft(alice))
      yield* Fiber.join(waiting)
    }))

  it("a reader that waits only for `arrival` misses no alert", () =>
    Effect.gen(function* () {
      const { alice, journal } = yield* scene
      const total = 2_000
      const seen: Array<number> = []
      const read: Effect.Effect<void> = Effect.gen(function* () {
        while (seen.length < total) {
          const rows = yield* journal.since(seen.at(-1) ?? 0, 7)
          if (rows.length === 0) yield* journal.arrival
          else seen.push(...rows.map(({ id }) => id))
        }
      })
      const reader = yield* Effect.fork(read)
      const write = Effect.forEach(Array.from({ length: total / 10 }), () => journal.append(draft(alice)))
      yield* Effect.all(
        Array.from({ length: 10 }, () => write),
        { concurrency: "unbounded" }
      )
      yield* Fiber.join(reader).pipe(Effect.timeout("5 seconds"))
      expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
      expect(seen.length).toBe(total)
    }))
}
