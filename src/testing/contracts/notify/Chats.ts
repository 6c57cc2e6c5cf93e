// The contract of `Chats`: a code pairs one person in one chat, once, with one account; nobody else gets anything.
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { MAX_PAIRINGS } from "../../../domain/notify/Chat.ts"
import type { TargetDraft } from "../../../domain/Target.ts"
import type { Accounts } from "../../../services/Accounts.ts"
import { Chats } from "../../../services/notify/Chats.ts"
import { Targets } from "../../../services/notify/Targets.ts"
import * as Contract from "../../Contract.ts"
import { expect } from "../../expect.ts"
import { VirtualClock } from "../../VirtualClock.ts"
import { sender } from "../people.ts"

const draft: TargetDraft = {
  name: "Phone",
  channel: { kind: "telegram", token: "1:hidden", chat: "7" },
  kinds: ["closed"]
}
const PERSON = { chat: 7, user: 7, name: "Ann" }
const BIG = { chat: -1_001_234_567_890, user: 5_000_000_000, name: "Ann in Desk 🚀" }

/** An implementer never lets a code pair twice, nor a person act in a chat of somebody else. */
export const suite = Contract.suite<Chats | Targets | Accounts>("Chats", (it) => {
  it("a code pairs the person who sends it, once, and the pairing stays as it was made", () =>
    Effect.gen(function* () {
      const { alice, bob, chats, code, mine } = yield* scene
      expect(yield* chats.redeem([], code, BIG)).toEqual(Option.none())
      const pairing = Option.getOrThrow(yield* chats.redeem([mine], code.toLowerCase(), BIG))
      expect(pairing).toEqual({
        ...{ id: pairing.id, account: alice, target: mine, ...BIG },
        pairedAt: pairing.pairedAt
      })
      expect(yield* chats.list(alice)).toEqual([pairing])
      expect(yield* chats.list(bob)).toEqual([])
      expect(yield* chats.find([mine], BIG)).toEqual(Option.some(pairing))
      expect(yield* chats.redeem([mine], code, { ...PERSON, user: 8 })).toEqual(Option.none())
    }))

  it("another person, another chat and another bot find no pairing", () =>
    Effect.gen(function* () {
      const { chats, code, mine, theirs } = yield* scene
      yield* chats.redeem([mine], code, PERSON)
      expect(yield* chats.find([mine], { chat: 7, user: 8 })).toEqual(Option.none())
      expect(yield* chats.find([mine], { chat: 8, user: 7 })).toEqual(Option.none())
      expect(yield* chats.find([theirs], PERSON)).toEqual(Option.none())
      expect(yield* chats.find([], PERSON)).toEqual(Option.none())
    }))

  it("of many calls with the same code, one pairs", () =>
    Effect.gen(function* () {
      const { alice, chats, code, mine } = yield* scene
      const pairings = yield* Effect.forEach(
        Array.from({ length: 8 }, (_, user) => ({ ...PERSON, user })),
        (person) => chats.redeem([mine], code, person),
        { concurrency: "unbounded" }
      )
      expect(pairings.filter(Option.isSome).length).toBe(1)
      expect((yield* chats.list(alice)).length).toBe(1)
    }))

  it("texts that are no code of the bot pair nobody", () =>
    Effect.gen(function* () {
      const { chats, code, mine, theirs } = yield* scene
      for (const wrong of [
        "",
        " ",
        "1",
        `${code}0`,
        code.slice(1),
        "00000-00000-00000-00000",
        "x".repeat(1e5)
      ])
        expect(yield* chats.redeem([mine, theirs], wrong, PERSON)).toEqual(Option.none())
      expect(yield* chats.redeem([theirs], code, PERSON)).toEqual(Option.none())
      expect(Option.isSome(yield* chats.redeem([mine, theirs], code, PERSON))).toBe(true)
    }))

  it("a code counts for ten minutes, and a bot is needed for as long or while it has a pairing", () =>
    Effect.gen(function* () {
      const { pass } = yield* VirtualClock
      const { alice, chats, code, issue, mine } = yield* scene
      expect(yield* chats.needed).toEqual([{ account: alice, target: mine }])
      yield* pass("10 minutes")
      expect(yield* chats.needed).toEqual([])
      expect(yield* chats.redeem([mine], code, PERSON)).toEqual(Option.none())
      const second = yield* issue(mine)
      yield* pass("599 seconds")
      const pairing = Option.getOrThrow(yield* chats.redeem([mine], second, PERSON))
      yield* pass("1 hour")
      expect(yield* chats.needed).toEqual([{ account: alice, target: mine }])
      yield* chats.remove(alice, pairing.id)
      expect(yield* chats.needed).toEqual([])
    }))

  it("at most ten codes of an account wait, and the oldest goes first", () =>
    Effect.gen(function* () {
      const { chats, code, issue, mine, theirs } = yield* scene
      const other = yield* issue(theirs)
      const more = yield* Effect.replicateEffect(issue(mine), 10)
      expect(yield* chats.redeem([mine], code, PERSON)).toEqual(Option.none())
      for (const one of more) expect(Option.isSome(yield* chats.redeem([mine], one, PERSON))).toBe(true)
      expect(Option.isSome(yield* chats.redeem([theirs], other, { ...PERSON, chat: 9 }))).toBe(true)
    }))

  it("a person who pairs again has one pairing, and a chat never serves two accounts", () =>
    Effect.gen(function* () {
      const { alice, bob, chats, code, issue, mine, theirs } = yield* scene
      yield* chats.redeem([mine, theirs], code, PERSON)
      yield* chats.redeem([mine, theirs], yield* issue(mine), { ...PERSON, name: "Anna" })
      expect((yield* chats.list(alice)).map(({ name }) => name)).toEqual(["Anna"])
      const other = yield* issue(theirs)
      for (const user of [7, 8]) {
        const refused = yield* Effect.flip(chats.redeem([mine, theirs], other, { ...PERSON, user }))
        expect(refused).toMatchObject({ _tag: "PairingRefused", reason: "taken" })
      }
      expect(yield* chats.list(bob)).toEqual([])
      // The refusal did not use up the code.
      expect(Option.isSome(yield* chats.redeem([mine, theirs], other, { ...PERSON, chat: 8 }))).toBe(true)
    }))

  it("each account is limited in its pairings by itself", () =>
    Effect.gen(function* () {
      const { alice, bob, chats, issue, mine, theirs } = yield* scene
      for (let user = 1; user <= MAX_PAIRINGS; user++)
        yield* chats.redeem([mine], yield* issue(mine), { ...PERSON, user })
      const refused = yield* Effect.flip(chats.redeem([mine], yield* issue(mine), { ...PERSON, user: 99 }))
      expect(refused).toMatchObject({ _tag: "PairingRefused", reason: "full" })
      // Who is paired already may pair again.
      expect(Option.isSome(yield* chats.redeem([mine], yield* issue(mine), { ...PERSON, user: 1 }))).toBe(
        true
      )
      expect((yield* chats.list(alice)).length).toBe(MAX_PAIRINGS)
      yield* chats.redeem([theirs], yield* issue(theirs), PERSON)
      expect((yield* chats.list(bob)).length).toBe(1)
    }))

  it("only the owner issues codes and removes pairings, which end with their target", () =>
    Effect.gen(function* () {
      const { alice, bob, chats, code, issue, mine, targets } = yield* scene
      const pairing = Option.getOrThrow(yield* chats.redeem([mine], code, PERSON))
      for (const id of [mine, 99, 0, -1, 2 ** 53])
        expect((yield* Effect.flip(chats.issue(bob, id)))._tag).toBe("TargetNotFound")
      for (const id of [pairing.id, 99, 0, -1, 2 ** 53])
        expect((yield* Effect.flip(chats.remove(bob, id)))._tag).toBe("PairingNotFound")
      const waiting = yield* issue(mine)
      yield* targets.remove(alice, mine)
      expect(yield* chats.list(alice)).toEqual([])
      expect(yield* chats.find([mine], PERSON)).toEqual(Option.none())
      expect(yield* chats.redeem([mine], waiting, PERSON)).toEqual(Option.none())
      expect(yield* chats.needed).toEqual([])
    }))

  it("a listener learns of a code, a pairing and a removal", () =>
    Effect.gen(function* () {
      const { alice, chats, code, issue, mine } = yield* scene
      const heard = <A, E>(change: Effect.Effect<A, E>) =>
        Effect.gen(function* () {
          yield* chats.needed
          const listening = yield* Effect.fork(chats.changed)
          yield* Effect.yieldNow()
          const made = yield* change
          yield* Fiber.join(listening)
          return made
        })
      yield* heard(issue(mine))
      const pairing = Option.getOrThrow(yield* heard(chats.redeem([mine], code, PERSON)))
      yield* heard(chats.remove(alice, pairing.id))
    }))

  it("each bot has a cursor of its own, which may start anew", () =>
    Effect.gen(function* () {
      const { chats } = yield* scene
      expect(yield* chats.cursor("1")).toEqual(Option.none())
      yield* chats.advance("1", { update: 900_000_000_000, at: 5 })
      yield* chats.advance("2", { update: 3, at: 6 })
      yield* chats.advance("1", { update: 4, at: 7 })
      expect(yield* chats.cursor("1")).toEqual(Option.some({ update: 4, at: 7 }))
      expect(yield* chats.cursor("2")).toEqual(Option.some({ update: 3, at: 6 }))
    }))
})

/** Alice's and Bob's targets of the same bot, and a code of Alice's. */
const scene = Effect.gen(function* () {
  const alice = (yield* sender("alice")).account
  const bob = (yield* sender("bob")).account
  const targets = yield* Targets
  const chats = yield* Chats
  const here = { entry: 0, alert: 0 }
  const mine = (yield* targets.create(alice, draft, here)).id
  const theirs = (yield* targets.create(bob, draft, here)).id
  const issue = (target: number) =>
    Effect.map(chats.issue(target === mine ? alice : bob, target), ({ code }) => Redacted.value(code))
  return { alice, bob, targets, chats, mine, theirs, issue, code: yield* issue(mine) }
})
