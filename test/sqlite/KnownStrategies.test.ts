// What is kept of strategies that were read: the followers of a signal, an account's list and the engine share one copy.
import { expect } from "bun:test"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Exit } from "effect"
import { partitionOf, partitions } from "../../src/domain/Partition.ts"
import { Signals } from "../../src/services/Signals.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { settings, signalDraft } from "../../src/testing/Fixtures.ts"
import { layer } from "../lib/effect.ts"
import { onTemporaryFile, sender } from "../services/ports.ts"

const tests = layer(onTemporaryFile)

tests.effect("a strategy is read once for all that need it, and again after a change", () =>
  Effect.gen(function* () {
    const { account } = yield* sender("alice")
    const signals = yield* Signals
    const store = yield* StrategyStore
    const signal = yield* signals.create(account, { name: "s", description: "", active: true, public: false })
    const { id } = yield* store.create(account, { ...settings(), signalId: signal.id })
    const all = new Set(partitions)
    const read = Effect.gen(function* () {
      const [engine] = yield* store.within(all)
      const [listed] = yield* store.followed(account)
      const [follower] = (yield* store.followings([signal.id], all)).get(signal.id) ?? []
      return [engine, listed?.strategy, follower?.strategy]
    })
    const [first, ...others] = yield* read
    expect(first?.id).toBe(id)
    for (const other of others) expect(other).toBe(first)
    yield* store.update(account, id, { ...settings(), signalId: signal.id, name: "changed" })
    for (const strategy of yield* read) expect(strategy?.settings.name).toBe("changed")
  })
)

tests.effect("a strategy of another account that cannot be read stops no alert of the sender", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [alice, bob] = [yield* sender("alice"), yield* sender("bob")]
    const signals = yield* Signals
    const store = yield* StrategyStore
    const signal = yield* signals.create(alice.account, { ...signalDraft(), public: true })
    const mine = yield* store.create(alice.account, settings({ signalId: signal.id }))
    const theirs = yield* store.create(bob.account, settings({ signalId: signal.id }))
    yield* sql`UPDATE strategies SET settings = '{}' WHERE id = ${theirs.id}`
    expect(yield* store.followers(signal.id, alice.account)).toEqual([mine])
    const its = new Set([partitionOf(alice.account)])
    const followings = (yield* store.followings([signal.id], its)).get(signal.id)
    expect(followings?.map(({ strategy }) => strategy)).toEqual([mine])
    expect(Exit.isFailure(yield* Effect.exit(store.followings([signal.id], new Set(partitions))))).toBe(true)
  })
)
