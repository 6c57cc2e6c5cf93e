// The contract of `Events`: everything that an account may see, in a sequence that can be resumed at any position.
import * as Effect from "effect/Effect"
import type { AccountId } from "../../domain/Account.ts"
import { AlertId } from "../../domain/Alert.ts"
import { type Position, positionOf, textOfPosition } from "../../domain/Event.ts"
import type { Accounts } from "../../services/Accounts.ts"
import { Events } from "../../services/Events.ts"
import { Journal } from "../../services/Journal.ts"
import { Portfolio } from "../../services/Portfolio.ts"
import { StrategyStore } from "../../services/StrategyStore.ts"
import { Timeline } from "../../services/Timeline.ts"
import * as Contract from "../Contract.ts"
import { expect } from "../expect.ts"
import { draft, settings } from "../Fixtures.ts"
import { sender } from "./people.ts"
import { note, step } from "./steps.ts"

const START: Position = { entry: 0, alert: 0 }

/**
 * An implementer reads what `Journal` and `Portfolio` store, and must not show a position before all earlier ones
 * exist.
 */
export const suite = Contract.suite<Events | Accounts | Journal | Portfolio | StrategyStore | Timeline>(
  "Events",
  (it) => {
    it("an account reads its own events, an alert before its consequences, with the strategy's name", () =>
      Effect.gen(function* () {
        const { alice, events, journal, mine, portfolio, theirs } = yield* scene
        yield* journal.append(draft(alice, { receivedAt: 7 }))
        yield* portfolio.commit([
          step(mine, 1, { notes: [note("one", 1_000, 1)] }),
          step(theirs, 1, { notes: [note("not mine")] }),
          step(mine, 2, { notes: [note("two", 2_000)] })
        ])
        const { events: found, full, position } = yield* events.after(alice.account, START, 10)
        expect(found.map(({ event }) => event.kind)).toEqual(["alert_received", "opened", "opened"])
        expect(found.map(({ event }) => event.strategyName)).toEqual([undefined, "Swing", "Swing"])
        expect(found[1]?.event).toMatchObject({
          text: "one",
          at: 1_000,
          alert: AlertId.make(1),
          reason: "opened"
        })
        expect(new Set(found.map(({ event }) => event.id)).size).toBe(3)
        expect({ full, position }).toEqual({ full: false, position: yield* events.head })
        expect((yield* events.after(alice.account, position, 10)).events).toEqual([])
      }))

    it("events read in pages of any size come once each, always as the same events", () =>
      Effect.gen(function* () {
        const { alice, events, journal, mine, portfolio, theirs } = yield* scene
        for (let round = 1; round <= 7; round++) {
          yield* journal.append(draft(alice, { receivedAt: round }))
          yield* portfolio.commit([
            step(mine, 2 * round, { notes: [note(`a${round}`, round), note(`b${round}`, round)] }),
            step(theirs, round, { notes: [note("not mine", round)] })
          ])
          if (round === 4) yield* events.announce({ ...note("all", round), rule: "storage_back" })
        }
        const whole = yield* readAll(events, alice.account, START, 1_000)
        expect(whole.length).toBe(7 * 3 + 1)
        for (const limit of [1, 2, 3, 5, 8]) {
          const ids = yield* readAll(events, alice.account, START, limit)
          expect(ids.toSorted()).toEqual(whole.toSorted())
        }
        // Reading from each event returns what came after it.
        const { events: placed } = yield* events.after(alice.account, START, 1_000)
        for (const [index, { position }] of placed.entries()) {
          const back = positionOf(textOfPosition(position)) ?? START
          expect(yield* readAll(events, alice.account, back, 4)).toEqual(whole.slice(index + 1))
        }
      }))

    it("an announcement to all reaches every account; a deleted strategy's events stay its owner's", () =>
      Effect.gen(function* () {
        const { alice, bob, events, mine, portfolio, store } = yield* scene
        yield* portfolio.commit([step(mine, 1, { notes: [note("last words")] })])
        yield* store.remove(alice.account, mine.id)
        yield* events.announce({ ...note("all"), rule: "exchange_back" })
        const texts = (account: AccountId) =>
          Effect.map(events.after(account, START, 10), ({ events }) =>
            events.map(({ event }) => [event.text, event.strategy ?? 0, event.kind])
          )
        expect(yield* texts(alice.account)).toEqual([
          ["last words", mine.id, "opened"],
          ["all", 0, "exchange"]
        ])
        expect(yield* texts(bob.account)).toEqual([["all", 0, "exchange"]])
      }))

    it("an announcement to one account reaches no other", () =>
      Effect.gen(function* () {
        const { alice, bob, events } = yield* scene
        yield* events.announce({ ...note("hers"), rule: "halted" }, alice.account)
        const { events: found } = yield* events.after(alice.account, START, 10)
        expect(found.map(({ event }) => [event.text, event.strategy ?? 0, event.kind])).toEqual([
          ["hers", 0, "live"]
        ])
        expect((yield* events.after(bob.account, START, 10)).events).toEqual([])
      }))

    it("announcements are listed by rule and time, to the account and to everybody", () =>
      Effect.gen(function* () {
        const { alice, bob, events, mine, portfolio } = yield* scene
        const announcement = (at: number, rule: string) => ({
          ...note(rule, at),
          rule,
          facts: { since: at - 1 }
        })
        yield* events.announce(announcement(10, "halted"), alice.account)
        yield* events.announce(announcement(20, "halted"), bob.account)
        yield* events.announce(announcement(30, "server_back"))
        yield* events.announce(announcement(40, "storage_back"))
        yield* events.announce(announcement(50, "halted"), alice.account)
        yield* portfolio.commit([step(mine, 1, { notes: [announcement(30, "halted")] })])
        const timeline = yield* Timeline
        const query = { rules: ["halted", "server_back"], from: 10, until: 50, limit: 10 }
        expect(yield* timeline.announced(alice.account, query)).toEqual([
          { at: 10, rule: "halted", facts: { since: 9 } },
          { at: 30, rule: "server_back", facts: { since: 29 } }
        ])
        const one = yield* timeline.announced(alice.account, { ...query, until: 51, limit: 1 })
        expect(one.map(({ at }) => at)).toEqual([10])
      }))

    it("a position beyond the end, as after a restored backup, counts as the end", () =>
      Effect.gen(function* () {
        const { alice, events, mine, portfolio } = yield* scene
        yield* portfolio.commit([step(mine, 1, { notes: [note("old")] })])
        const ahead = { entry: 900, alert: 900 }
        const { position } = yield* events.after(alice.account, ahead, 10)
        expect(position).toEqual(yield* events.head)
        yield* portfolio.commit([step(mine, 2, { notes: [note("new")] })])
        const { events: found } = yield* events.after(alice.account, position, 10)
        expect(found.map(({ event }) => event.text)).toEqual(["new"])
      }))

    it("an update of settings stores its event in the same transaction", () =>
      Effect.gen(function* () {
        const { alice, events, mine, store } = yield* scene
        const settingsNote = { ...note("New settings"), rule: "settings_changed" }
        yield* store.update(alice.account, mine.id, settings({ active: false }), [settingsNote])
        const { events: found } = yield* events.after(alice.account, START, 10)
        expect(found.map(({ event }) => event.kind)).toEqual(["settings"])
      }))
  }
)

const scene = Effect.gen(function* () {
  const store = yield* StrategyStore
  const alice = yield* sender("alice")
  const bob = yield* sender("bob")
  return {
    alice,
    bob,
    store,
    events: yield* Events,
    journal: yield* Journal,
    portfolio: yield* Portfolio,
    mine: yield* store.create(alice.account, settings({ name: "Swing" })),
    theirs: yield* store.create(bob.account, settings())
  }
})

const readAll = (events: typeof Events.Service, account: AccountId, from: Position, limit: number) =>
  Effect.gen(function* () {
    const ids: Array<string> = []
    let position = from
    for (let full = true; full; ) {
      const stretch = yield* events.after(account, position, limit)
      ids.push(...stretch.events.map(({ event }) => event.id))
      position = stretch.position
      full = stretch.full
    }
    return ids
  })
