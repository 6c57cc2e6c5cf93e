// The contract of `WhatIfTries`: what was tried on a stretch is counted once for each settings, and seen by its owner.
import * as Effect from "effect/Effect"
import * as Decimal from "../../../domain/Decimal.ts"
import type { Accounts } from "../../../services/Accounts.ts"
import { MAX_TRIES, WhatIfTries, type WhatIfTry } from "../../../services/records/WhatIfTries.ts"
import { StrategyStore } from "../../../services/StrategyStore.ts"
import * as Contract from "../../Contract.ts"
import { expect } from "../../expect.ts"
import { settings } from "../../Fixtures.ts"
import { sender } from "../people.ts"

const tryAt = (at: number, changed: Partial<WhatIfTry> = {}): WhatIfTry => ({
  digest: `digest ${at}`,
  at,
  from: 1000,
  until: 2000,
  changes: [{ setting: "buy_percentage", from: "10", to: String(at) }],
  net: Decimal.unsafeFromText("-12.345678901234567"),
  trades: 3,
  sharpe: 0.1 + 0.2,
  ...changed
})

const scene = Effect.gen(function* () {
  const [alice, bob] = [yield* sender("alice"), yield* sender("bob")]
  const { id } = yield* (yield* StrategyStore).create(alice.account, settings({ public: true }))
  return { alice: alice.account, bob: bob.account, id }
})

/** An implementer deletes the tries with their strategy, in one statement or by a foreign key. */
export const suite = Contract.suite<WhatIfTries | Accounts | StrategyStore>("WhatIfTries", (it) => {
  it("tries come back to the last digit, newest first", () =>
    Effect.gen(function* () {
      const { alice, id } = yield* scene
      const tries = yield* WhatIfTries
      yield* tries.keep(alice, id, tryAt(1))
      yield* tries.keep(alice, id, tryAt(3))
      yield* tries.keep(alice, id, tryAt(2, { changes: [], trades: 0, sharpe: -0.5 }))
      expect(yield* tries.overlapping(alice, id, { from: 0, until: 5000 })).toEqual([
        tryAt(3),
        tryAt(2, { changes: [], trades: 0, sharpe: -0.5 }),
        tryAt(1)
      ])
    }))

  it("only tries whose stretch overlaps are listed, and the same settings once", () =>
    Effect.gen(function* () {
      const { alice, id } = yield* scene
      const tries = yield* WhatIfTries
      yield* tries.keep(alice, id, tryAt(1))
      yield* tries.keep(alice, id, tryAt(2, { from: 5000, until: 6000 }))
      yield* tries.keep(alice, id, tryAt(3, { digest: "digest 1", from: 1500, until: 2500 }))
      yield* tries.keep(alice, id, tryAt(4, { digest: "digest 1", until: 1900 }))
      const timesIn = (from: number, until: number) =>
        Effect.map(tries.overlapping(alice, id, { from, until }), (found) => found.map(({ at }) => at))
      expect(yield* timesIn(0, 9000)).toEqual([4, 2])
      expect(yield* timesIn(1900, 5000)).toEqual([3])
      expect(yield* timesIn(2500, 5000)).toEqual([])
      expect(yield* timesIn(5999, 9000)).toEqual([2])
      expect(yield* timesIn(0, 1000)).toEqual([])
    }))

  it("another account neither reads nor adds, even where the strategy is public, and a deleted strategy has none", () =>
    Effect.gen(function* () {
      const { alice, bob, id } = yield* scene
      const tries = yield* WhatIfTries
      const whole = { from: 0, until: 9000 }
      yield* tries.keep(alice, id, tryAt(1))
      yield* tries.keep(bob, id, tryAt(2))
      expect(yield* tries.overlapping(bob, id, whole)).toEqual([])
      expect((yield* tries.overlapping(alice, id, whole)).length).toBe(1)
      yield* (yield* StrategyStore).remove(alice, id)
      yield* tries.keep(alice, id, tryAt(3))
      expect(yield* tries.overlapping(alice, id, whole)).toEqual([])
    }))

  it("the newest tries of a strategy are kept", () =>
    Effect.gen(function* () {
      const { alice, id } = yield* scene
      const tries = yield* WhatIfTries
      for (let at = 1; at <= MAX_TRIES + 2; at++) yield* tries.keep(alice, id, tryAt(at))
      const kept = yield* tries.overlapping(alice, id, { from: 0, until: 9000 })
      expect([kept.length, kept.at(-1)?.at]).toEqual([MAX_TRIES, 3])
    }))
})
