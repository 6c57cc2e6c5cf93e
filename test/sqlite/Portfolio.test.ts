import { expect } from "bun:test"
import { Effect, Fiber, Option } from "effect"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { layer } from "../lib/effect.ts"
import { fillUp, makeRoom, onTemporaryFile, sender } from "../services/ports.ts"
import { note, step } from "../services/steps.ts"
import { settings } from "../services/strategies.ts"

layer(onTemporaryFile).live("a commit waits while the disk is full, and goes on by itself", () =>
  Effect.gen(function* () {
    const { account } = yield* sender("alice")
    const strategy = yield* (yield* StrategyStore).create(account, settings())
    const portfolio = yield* Portfolio
    yield* fillUp
    const notes = Array.from({ length: 500 }, () => note("x".repeat(100)))
    const committing = yield* Effect.fork(portfolio.commit([step(strategy, 1, { notes })], 7))
    yield* Effect.sleep("250 millis")
    expect(Option.isNone(yield* Fiber.poll(committing))).toBe(true)
    expect(yield* portfolio.cursor).toBe(0)
    yield* makeRoom
    yield* Fiber.join(committing)
    expect(yield* portfolio.cursor).toBe(7)
    expect((yield* portfolio.bots).map((bot) => bot.step)).toEqual([1])
  })
)
