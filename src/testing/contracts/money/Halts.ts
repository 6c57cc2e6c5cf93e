// The contract of `Halts`: a halt stands until it is ended, an account's halt binds only that account, and listeners
// hear of each change.
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type { Accounts } from "../../../services/Accounts.ts"
import { Halts } from "../../../services/money/Halts.ts"
import * as Contract from "../../Contract.ts"
import { expect } from "../../expect.ts"
import { pass } from "../../VirtualClock.ts"
import { sender } from "../people.ts"

/** An implementer also accepts halts from a commit of `Portfolio`, which that port's suite tests. */
export const suite = Contract.suite<Halts | Accounts>("Halts", (it) => {
  it("nobody is halted at the start", () =>
    Effect.gen(function* () {
      const { alice, halts } = yield* scene
      expect(yield* halts.all).toEqual([])
      expect(yield* halts.resume(alice)).toBe(false)
      expect(yield* halts.resume(Option.none())).toBe(false)
      expect(yield* halts.all).toEqual([])
    }))

  it("a halt is stored as given, and the one for everybody is listed first", () =>
    Effect.gen(function* () {
      const { alice, bob, halts } = yield* scene
      yield* pass("7 millis")
      const one = { account: bob, at: 7, cause: "request", text: "the API asked\nfor it 🚀" } as const
      expect(yield* halts.halt(bob, one.cause, one.text)).toEqual(one)
      const two = yield* halts.halt(alice, "daily_loss", "")
      const all = yield* halts.halt(Option.none(), "restored", "from a backup")
      expect(all.account).toEqual(Option.none())
      expect(yield* halts.all).toEqual([all, two, one])
    }))

  it("of two halts of the same account the first stays", () =>
    Effect.gen(function* () {
      const { alice, halts } = yield* scene
      const first = yield* halts.halt(alice, "daily_loss", "it lost 100")
      yield* pass("1 second")
      expect(yield* halts.halt(alice, "command", "by hand")).toEqual(first)
      expect(yield* halts.all).toEqual([first])
      expect(yield* halts.resume(alice)).toBe(true)
      expect(yield* halts.halt(alice, "command", "by hand")).toMatchObject({ at: 1_000, cause: "command" })
    }))

  it("ending a halt leaves all others in force", () =>
    Effect.gen(function* () {
      const { alice, bob, halts } = yield* scene
      yield* halts.halt(alice, "request", "")
      yield* halts.halt(bob, "request", "")
      yield* halts.halt(Option.none(), "command", "")
      const left = Effect.map(halts.all, (rows) => rows.map(({ account }) => account))
      expect(yield* halts.resume(alice)).toBe(true)
      expect(yield* left).toEqual([Option.none(), bob])
      expect(yield* halts.resume(Option.none())).toBe(true)
      expect(yield* halts.resume(Option.none())).toBe(false)
      expect(yield* left).toEqual([bob])
    }))

  it("a listener learns of each change, and of nothing else", () =>
    Effect.gen(function* () {
      const { alice, halts } = yield* scene
      yield* halts.all
      const heard = <E>(change: Effect.Effect<unknown, E>) =>
        Effect.gen(function* () {
          const listening = yield* Effect.fork(halts.changed)
          yield* Effect.yieldNow()
          expect(Option.isNone(yield* Fiber.poll(listening))).toBe(true)
          yield* change
          yield* Fiber.join(listening)
          return (yield* halts.all).length
        })
      expect(yield* heard(halts.halt(alice, "request", ""))).toBe(1)
      yield* halts.halt(alice, "request", "again")
      expect(yield* heard(halts.halt(Option.none(), "command", ""))).toBe(2)
      expect(yield* heard(halts.resume(alice))).toBe(1)
      yield* halts.resume(alice)
      expect(yield* heard(halts.resume(Option.none()))).toBe(0)
    }))
})

const scene = Effect.gen(function* () {
  const alice = yield* sender("alice")
  const bob = yield* sender("bob")
  return { halts: yield* Halts, alice: Option.some(alice.account), bob: Option.some(bob.account) }
})
