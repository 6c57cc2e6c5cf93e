// The contract of `Commands`: a request is kept exactly until it is answered, and the first answer stands.
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { ExchangeAccountId } from "../../../domain/Arming.ts"
import type { Command } from "../../../domain/Command.ts"
import { unsafeFromText as decimal } from "../../../domain/Decimal.ts"
import { StrategyId } from "../../../domain/StrategyId.ts"
import type { Accounts } from "../../../services/Accounts.ts"
import { Commands } from "../../../services/money/Commands.ts"
import * as Contract from "../../Contract.ts"
import { expect } from "../../expect.ts"
import { pass } from "../../VirtualClock.ts"
import { sender } from "../people.ts"

const arm: Command = {
  _tag: "Arm",
  terms: {
    account: ExchangeAccountId.make(3),
    capital: decimal("1000.000000000000000001"),
    maxOrder: decimal("100.5"),
    maxDailyLoss: decimal("50"),
    protect: true
  }
}
const disarm: Command = { _tag: "Disarm", close: true, forget: false }

/** The server hears of each new request. An implementer never lists one that was answered. */
export const suite = Contract.suite<Commands | Accounts>("Commands", (it) => {
  it("commands are stored as given until they are answered, oldest first", () =>
    Effect.gen(function* () {
      const { alice, bob, commands } = yield* scene
      expect(yield* commands.pending).toEqual([])
      yield* pass("9 millis")
      const one = yield* commands.leave(alice, StrategyId.make(7), arm)
      expect(one).toEqual({ id: one.id, account: alice, strategy: 7, wish: arm, at: 9 })
      const two = yield* commands.leave(bob, StrategyId.make(8), disarm)
      const three = yield* commands.leave(alice, StrategyId.make(7), disarm)
      expect(yield* commands.pending).toEqual([one, two, three])
      yield* commands.answer(two.id, { isDone: true, text: "it is on paper again" })
      expect(yield* commands.pending).toEqual([one, three])
    }))

  it("the first answer to a command stays", () =>
    Effect.gen(function* () {
      const { alice, commands } = yield* scene
      const { id } = yield* commands.leave(alice, StrategyId.make(7), arm)
      expect(yield* commands.answerOf(id)).toEqual(Option.none())
      const first = { isDone: false, text: 'the balance is "0" USDT' }
      yield* commands.answer(id, first)
      yield* commands.answer(id, { isDone: true, text: "armed" })
      expect(yield* commands.answerOf(id)).toEqual(Option.some(first))
    }))

  it("a command that was never stored has no answer, and cannot be answered", () =>
    Effect.gen(function* () {
      const { alice, commands } = yield* scene
      yield* commands.answer(1, { isDone: true, text: "too early" })
      expect(yield* commands.answerOf(1)).toEqual(Option.none())
      const { id } = yield* commands.leave(alice, StrategyId.make(7), disarm)
      expect(yield* commands.answerOf(id)).toEqual(Option.none())
      expect((yield* commands.pending).length).toBe(1)
    }))

  it("a listener learns of each new command", () =>
    Effect.gen(function* () {
      const { alice, commands } = yield* scene
      for (const count of [1, 2]) {
        yield* commands.pending
        const listening = yield* Effect.fork(commands.changed)
        yield* Effect.yieldNow()
        expect(Option.isNone(yield* Fiber.poll(listening))).toBe(true)
        yield* commands.leave(alice, StrategyId.make(7), disarm)
        yield* Fiber.join(listening)
        expect((yield* commands.pending).length).toBe(count)
      }
    }))
})

const scene = Effect.gen(function* () {
  const alice = yield* sender("alice")
  const bob = yield* sender("bob")
  return { commands: yield* Commands, alice: alice.account, bob: bob.account }
})
