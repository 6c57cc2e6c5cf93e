import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { unsafeFromText as decimal } from "../../domain/Decimal.ts"
import { ExchangeAccountId } from "../../domain/Live.ts"
import type { Wish } from "../../domain/Mandate.ts"
import { StrategyId } from "../../domain/StrategyId.ts"
import type { Accounts } from "../../services/Accounts.ts"
import { Mandates } from "../../services/Mandates.ts"
import * as Contract from "../Contract.ts"
import { expect } from "../expect.ts"
import { pass } from "../VirtualClock.ts"
import { sender } from "./people.ts"

const arm: Wish = {
  _tag: "Arm",
  terms: {
    account: ExchangeAccountId.make(3),
    capital: decimal("1000.000000000000000001"),
    maxOrder: decimal("100.5"),
    maxDailyLoss: decimal("50"),
    protect: true
  }
}
const disarm: Wish = { _tag: "Disarm", close: true, forget: false }

/**
 * What `Mandates` promises: a wish is kept to the last digit until it is answered, the first answer stands, and the server
 * hears of each that is left. An implementer never shows one that was answered.
 */
export const suite = Contract.suite<Mandates | Accounts>("Mandates", (it) => {
  it("are kept as given until they are answered, oldest first", () =>
    Effect.gen(function* () {
      const { alice, bob, mandates } = yield* scene
      expect(yield* mandates.pending).toEqual([])
      yield* pass("9 millis")
      const one = yield* mandates.leave(alice, StrategyId.make(7), arm)
      expect(one).toEqual({ id: one.id, account: alice, strategy: 7, wish: arm, at: 9 })
      const two = yield* mandates.leave(bob, StrategyId.make(8), disarm)
      const three = yield* mandates.leave(alice, StrategyId.make(7), disarm)
      expect(yield* mandates.pending).toEqual([one, two, three])
      yield* mandates.answer(two.id, { isDone: true, text: "it is on paper again" })
      expect(yield* mandates.pending).toEqual([one, three])
    }))

  it("the first answer stands", () =>
    Effect.gen(function* () {
      const { alice, mandates } = yield* scene
      const { id } = yield* mandates.leave(alice, StrategyId.make(7), arm)
      expect(yield* mandates.answerOf(id)).toEqual(Option.none())
      const first = { isDone: false, text: 'the balance is "0" USDT' }
      yield* mandates.answer(id, first)
      yield* mandates.answer(id, { isDone: true, text: "armed" })
      expect(yield* mandates.answerOf(id)).toEqual(Option.some(first))
    }))

  it("one that was never left has no answer, and gets none", () =>
    Effect.gen(function* () {
      const { alice, mandates } = yield* scene
      yield* mandates.answer(1, { isDone: true, text: "too early" })
      expect(yield* mandates.answerOf(1)).toEqual(Option.none())
      const { id } = yield* mandates.leave(alice, StrategyId.make(7), disarm)
      expect(yield* mandates.answerOf(id)).toEqual(Option.none())
      expect((yield* mandates.pending).length).toBe(1)
    }))

  it("who listens hears of each", () =>
    Effect.gen(function* () {
      const { alice, mandates } = yield* scene
      for (const count of [1, 2]) {
        yield* mandates.pending
        const listening = yield* Effect.fork(mandates.changed)
        yield* Effect.yieldNow()
        expect(Option.isNone(yield* Fiber.poll(listening))).toBe(true)
        yield* mandates.leave(alice, StrategyId.make(7), disarm)
        yield* Fiber.join(listening)
        expect((yield* mandates.pending).length).toBe(count)
      }
    }))
})

const scene = Effect.gen(function* () {
  const alice = yield* sender("alice")
  const bob = yield* sender("bob")
  return { mandates: yield* Mandates, alice: alice.account, bob: bob.account }
})
