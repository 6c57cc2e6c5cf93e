// The adversary: two processes that decide the same thing in one moment, each by what it read just before.
import { describe, expect } from "bun:test"
import { Context, Effect, Exit, Fiber } from "effect"
import { Limits } from "../../src/services/health/Limits.ts"
import { Idempotency } from "../../src/services/Idempotency.ts"
import { Signals } from "../../src/services/Signals.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { sender } from "../../src/testing/contracts/people.ts"
import { settings, signalDraft } from "../../src/testing/Fixtures.ts"
import { it } from "../lib/effect.ts"
import { database, isInstalled } from "../lib/postgres/Database.ts"
import { process } from "../lib/postgres/Process.ts"

const together = { concurrency: "unbounded" } as const

const two = Effect.gen(function* () {
  const { url } = yield* database()
  return yield* Effect.all([process(url), process(url)])
})

describe.skipIf(!isInstalled)("two processes in one moment", () => {
  it.live("keep the bound of an account's signals, whichever of them is asked", () =>
    Effect.gen(function* () {
      const both = yield* Effect.provideService(two, Limits, { signals: 3, strategies: 3 })
      const alice = yield* Effect.provide(sender("alice"), both[0].context)
      const create = both.flatMap(({ context }) =>
        Array.from({ length: 4 }, () => Context.get(context, Signals).create(alice.account, signalDraft()))
      )
      const exits = yield* Effect.all(create.map(Effect.exit), together)
      expect(exits.filter(Exit.isSuccess).length).toBe(3)
    })
  )

  it.live("do once what comes to both under one key, and answer the same", () =>
    Effect.gen(function* () {
      const both = yield* two
      const alice = yield* Effect.provide(sender("alice"), both[0].context)
      let done = 0
      const answer = Effect.sync(() => ({ status: 201, location: undefined, body: `${++done}` }))
      const answers = yield* Effect.all(
        [...both, ...both, ...both].map(({ context }) =>
          Context.get(context, Idempotency).once(
            alice.account,
            "key",
            "request",
            Effect.zipLeft(answer, Effect.sleep("20 millis"))
          )
        ),
        together
      )
      expect(done).toBe(1)
      expect(new Set(answers.map(({ body }) => body))).toEqual(new Set(["1"]))
    })
  )

  it.live("leave nobody else behind a signal that its owner makes private", () =>
    Effect.gen(function* () {
      const [one, other] = yield* two
      const alice = yield* Effect.provide(sender("alice"), one.context)
      const bob = yield* Effect.provide(sender("bob"), one.context)
      const signals = Context.get(one.context, Signals)
      const strategies = Context.get(other.context, StrategyStore)
      for (let count = 0; count < 15; count++) {
        const signal = yield* signals.create(alice.account, { ...signalDraft(), public: true })
        const [strategy] = yield* Effect.all(
          [
            strategies.create(bob.account, { ...settings(), signalId: signal.id }),
            signals.update(alice.account, signal.id, { public: false })
          ],
          together
        )
        const after = yield* strategies.get(bob.account, strategy.id)
        expect(after.settings.signalId).toBeUndefined()
        expect(yield* strategies.followers(signal.id, bob.account)).toEqual([])
      }
    })
  )

  it.live("keep nothing in memory that a transaction has changed, however it is read meanwhile", () =>
    Effect.gen(function* () {
      const [{ context }] = yield* two
      const alice = yield* Effect.provide(sender("alice"), context)
      const signals = Context.get(context, Signals)
      const { id } = yield* signals.create(alice.account, signalDraft())
      const reading = yield* Effect.fork(Effect.forever(signals.get(alice.account, id)))
      for (let count = 0; count < 50; count++) {
        yield* signals.update(alice.account, id, { name: `name ${count}` })
        expect((yield* signals.get(alice.account, id)).name).toBe(`name ${count}`)
      }
      yield* Fiber.interrupt(reading)
    })
  )
})
