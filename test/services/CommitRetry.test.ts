// The adversary: storage that refuses one bot's rows for good, and a crash right after it. An alert whose outcome was
// refused must not lie below a stored cursor.
import { expect } from "bun:test"
import { Effect } from "effect"
import { type Partition, partitionOf } from "../../src/domain/Partition.ts"
import { StrategyId } from "../../src/domain/StrategyId.ts"
import * as CommitRetry from "../../src/services/engine/store/CommitRetry.ts"
import { type Cursors, Portfolio, type Step } from "../../src/services/Portfolio.ts"
import * as Fixtures from "../../src/testing/Fixtures.ts"
import { it } from "../lib/effect.ts"

/** The store reads of a step only whose it is. */
const stepOf = (strategy: number) => ({ bot: { strategy: StrategyId.make(strategy) } }) as Step
const CURSORS: Cursors = new Map<Partition, number>([[partitionOf(Fixtures.strategy().account), 7]])

/** What is stored by a portfolio that refuses the rows of some strategies. */
const storing = Effect.fnUntraced(function* (refused: ReadonlyArray<number>) {
  const cursors: Array<number> = []
  const portfolio = {
    commit: (steps: ReadonlyArray<Step>, moved: Cursors = new Map()) =>
      steps.some(({ bot }) => refused.includes(bot.strategy))
        ? Effect.die(new Error("a row that cannot be stored"))
        : Effect.sync(() => void cursors.push(...moved.values()))
  } as Portfolio["Type"]
  const store = yield* Effect.provideService(CommitRetry.make, Portfolio, portfolio)
  const lost = yield* store([stepOf(1), stepOf(2)], CURSORS)
  return { cursors, lost: [...lost].map(Number) }
})

it.effect("the cursors wait while the steps of one bot are refused", () =>
  Effect.gen(function* () {
    expect(yield* storing([2])).toEqual({ cursors: [], lost: [2] })
  })
)

it.effect("the cursors are stored together with steps that are all stored", () =>
  Effect.gen(function* () {
    expect(yield* storing([])).toEqual({ cursors: [7], lost: [] })
  })
)
