// The adversary: storage that refuses one bot's rows for good, and a crash right after it; another process that takes
// partitions over in the middle of a commit. An alert whose outcome was refused must not lie below a stored cursor.
import { expect } from "bun:test"
import { Effect } from "effect"
import { Partition, partitionOf } from "../../src/domain/Partition.ts"
import { StrategyId } from "../../src/domain/StrategyId.ts"
import * as CommitRetry from "../../src/services/engine/store/CommitRetry.ts"
import { type Cursors, Portfolio, type Step } from "../../src/services/Portfolio.ts"
import { PartitionsLost } from "../../src/services/records/PartitionsLost.ts"
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
  const { refused: lost } = yield* store([stepOf(1), stepOf(2)], CURSORS)
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

/** A step of an account's bot; account 300 is in partition 44. */
const ofAccount = (account: number, strategy: number) =>
  ({ account, bot: { strategy: StrategyId.make(strategy) } }) as Step

/** What is stored by a portfolio whose partitions go to another process one after the other. */
const sharing = Effect.fnUntraced(function* (
  lost: ReadonlyArray<number>,
  isStored: (steps: ReadonlyArray<Step>) => boolean = () => false
) {
  const stored: Array<number> = []
  const moved: Array<number> = []
  const portfolio = {
    commit: (steps: ReadonlyArray<Step>, cursors: Cursors = new Map()) =>
      Effect.suspend(() => {
        const all = [...steps.map(({ account }) => partitionOf(account)), ...cursors.keys()]
        const gone = lost.find((partition) => all.some((one) => one === partition))
        if (gone === undefined || isStored(steps)) {
          stored.push(...steps.map(({ bot }) => bot.strategy))
          moved.push(...cursors.keys())
        }
        return gone === undefined
          ? Effect.void
          : Effect.die(
              new PartitionsLost({
                partitions: new Set([Partition.make(gone)]),
                isStored: isStored(steps)
              })
            )
      })
  } as Portfolio["Type"]
  const store = yield* Effect.provideService(CommitRetry.make, Portfolio, portfolio)
  const cursors: Cursors = new Map([1, 2, 3].map((id) => [Partition.make(id), 9]))
  const left = yield* store(
    [ofAccount(1, 11), ofAccount(2, 12), ofAccount(257, 13), ofAccount(3, 14)],
    cursors
  )
  return { stored, moved, lost: [...left.lost].map(Number), refused: left.refused.size }
})

it.effect(
  "the steps of partitions that are lost are dropped one by one, and all others are stored once",
  () =>
    Effect.gen(function* () {
      expect(yield* sharing([1, 3])).toEqual({ stored: [12], moved: [2], lost: [1, 3], refused: 0 })
      expect(yield* sharing([])).toEqual({ stored: [11, 12, 13, 14], moved: [1, 2, 3], lost: [], refused: 0 })
    })
)

it.effect("a commit that was stored before a partition was lost is not stored again", () =>
  Effect.gen(function* () {
    expect(yield* sharing([2], () => true)).toEqual({
      ...{ stored: [11, 12, 13, 14], moved: [1, 2, 3] },
      ...{ lost: [2], refused: 0 }
    })
  })
)
