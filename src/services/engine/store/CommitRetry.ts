// Commits steps, and retries for as long as the disk is full or fails: bots in memory are ahead of the disk until then,
// so nothing may be decided meanwhile.
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { type Partition, partitionOf } from "../../../domain/Partition.ts"
import type { StrategyId } from "../../../domain/StrategyId.ts"
import { type Cursors, Portfolio, type Step } from "../../Portfolio.ts"
import { PartitionsLost } from "../../records/PartitionsLost.ts"
import { StorageUnavailable } from "../../records/StorageUnavailable.ts"

/** The pause between two tries to commit (ms). */
const AGAIN_MS = 500

/** Bots whose steps the portfolio refused for good: those steps are not on disk, and the bot has to be read back. */
export type Refused = ReadonlySet<StrategyId>

/** What a commit has left out. */
export interface LeftOut {
  readonly refused: Refused
  /** Partitions that another process has taken over: nothing that was decided for them counts. */
  readonly lost: ReadonlySet<Partition>
}

/** Makes a commit that is tried again for as long as nothing can be stored. */
const patience = (portfolio: typeof Portfolio.Service) => {
  const patient = (steps: ReadonlyArray<Step>, cursors: Cursors): Effect.Effect<void> =>
    Effect.catchAllDefect(portfolio.commit(steps, cursors), (defect) =>
      defect instanceof StorageUnavailable ? wait(defect, steps, cursors) : Effect.die(defect)
    )

  const wait = Effect.fnUntraced(function* (
    { reason }: StorageUnavailable,
    steps: ReadonlyArray<Step>,
    cursors: Cursors
  ) {
    yield* Effect.logError(`the bots wait until their steps can be stored: ${reason}`)
    const again = portfolio.commit(steps, cursors).pipe(
      Effect.as(true),
      Effect.catchAllDefect((defect) =>
        defect instanceof StorageUnavailable ? Effect.succeed(false) : Effect.die(defect)
      )
    )
    do yield* Effect.sleep(AGAIN_MS)
    while (!(yield* again))
    yield* Effect.logInfo("the bots continue")
  })
  return patient
}

/**
 * Makes the store. Where a fault of ours makes rows that cannot be stored, each bot's steps are committed alone, and
 * only the faulty bot's are lost.
 */
export const make = Effect.gen(function* () {
  const portfolio = yield* Portfolio

  const patient = patience(portfolio)

  const each = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>, cursors: Cursors, cause: unknown) {
    const refused = new Set<StrategyId>()
    const lost = new Set<Partition>()
    yield* Effect.logError(
      "steps of several bots could not be stored together; each bot's are stored alone",
      Cause.die(cause)
    )
    for (const strategy of new Set(steps.map(({ bot }) => bot.strategy))) {
      const own = steps.filter(({ bot }) => bot.strategy === strategy)
      yield* Effect.catchAllDefect(patient(own, NONE), (defect) => {
        if (defect instanceof PartitionsLost)
          return Effect.sync(() => {
            for (const partition of defect.partitions) lost.add(partition)
          })
        refused.add(strategy)
        return Effect.logError(
          `the steps of strategy ${strategy}'s bot could not be stored, and are lost`,
          Cause.die(defect)
        )
      })
    }
    // The cursors wait for the commit in which refused bots hold their alerts again: a crash before it loses none.
    if (refused.size === 0) yield* Effect.exit(patient([], without(cursors, lost)))
    return { refused, lost } satisfies LeftOut
  })

  const whole = (
    steps: ReadonlyArray<Step>,
    cursors: Cursors,
    lost: ReadonlySet<Partition>
  ): Effect.Effect<LeftOut> =>
    patient(steps, cursors).pipe(
      Effect.as<LeftOut>({ refused: NOBODY, lost }),
      Effect.catchAllDefect((defect) => {
        if (!(defect instanceof PartitionsLost))
          return Effect.map(each(steps, cursors, defect), (left) => ({
            refused: left.refused,
            lost: new Set([...lost, ...left.lost])
          }))
        const gone = new Set([...lost, ...defect.partitions])
        if (defect.isStored) return Effect.succeed({ refused: NOBODY, lost: gone })
        const others = steps.filter(({ account }) => !gone.has(partitionOf(account)))
        return whole(others, without(cursors, gone), gone)
      })
    )

  /** Ends when the steps and the cursors are on disk; returns what of them is not. */
  return (steps: ReadonlyArray<Step>, cursors: Cursors): Effect.Effect<LeftOut> =>
    whole(steps, cursors, NOWHERE)
})

const NOBODY: Refused = new Set()
const NOWHERE: ReadonlySet<Partition> = new Set()
const NONE: Cursors = new Map()

const without = (cursors: Cursors, some: ReadonlySet<Partition>): Cursors =>
  some.size === 0 ? cursors : new Map([...cursors].filter(([partition]) => !some.has(partition)))
