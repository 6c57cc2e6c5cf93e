import { expect } from "bun:test"
import { Cause, Effect } from "effect"
import { partitionOf } from "../../src/domain/Partition.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { StorageUnavailable } from "../../src/services/records/StorageUnavailable.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { note, step } from "../../src/testing/contracts/steps.ts"
import { settings } from "../../src/testing/Fixtures.ts"
import { layer } from "../lib/effect.ts"
import { cursorOf, fillUp, makeRoom, onTemporaryFile, sender } from "../services/ports.ts"

layer(onTemporaryFile).live("a commit on a full disk stores nothing, and can be repeated", () =>
  Effect.gen(function* () {
    const { account } = yield* sender("alice")
    const strategy = yield* (yield* StrategyStore).create(account, settings())
    const portfolio = yield* Portfolio
    yield* fillUp
    const notes = Array.from({ length: 500 }, () => note("x".repeat(100)))
    const commit = portfolio.commit([step(strategy, 1, { notes })], new Map([[partitionOf(account), 7]]))
    const refused = yield* Effect.flip(Effect.sandbox(commit))
    expect(Cause.squash(refused)).toBeInstanceOf(StorageUnavailable)
    expect(yield* cursorOf(account)).toBe(0)
    yield* makeRoom
    yield* commit
    expect(yield* cursorOf(account)).toBe(7)
    expect((yield* portfolio.bots).map((bot) => bot.step)).toEqual([1])
  })
)
