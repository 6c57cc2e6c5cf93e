// Partitions that come and go while the engine runs. Each is taken and released in a turn, so that no bot of it is in the
// middle of a decision.
import * as Effect from "effect/Effect"
import type { Partition } from "../../domain/Partition.ts"
import type * as EnginePartitions from "./EnginePartitions.ts"
import type * as EngineState from "./EngineState.ts"
import { forget } from "./Forgetting.ts"
import * as PartitionFollowers from "./PartitionFollowers.ts"
import type { StrategyWatch } from "./prices/StrategyWatch.ts"
import type { Trails } from "./prices/Trails.ts"
import * as Startup from "./Startup.ts"
import * as FigureRebuild from "./store/FigureRebuild.ts"
import type { Turns } from "./Turns.ts"

interface Parts {
  readonly options: EngineState.Options
  readonly turns: Pick<Turns, "awaitedTurn" | "storingTurn">
  readonly trails: Trails
  readonly strategies: StrategyWatch
}

/** Makes the handover. */
export const make = Effect.fnUntraced(function* (
  engineState: EngineState.EngineState,
  { options, strategies: watched, trails, turns }: Parts
) {
  const { share } = engineState
  const begin = yield* Startup.beginning(engineState, options)
  const rebuild = yield* FigureRebuild.make(engineState)
  const held = () => share.partitions
  const followers = yield* PartitionFollowers.make(held())

  const take = Effect.fn("EnginePartitions.take")(function* (
    some: Iterable<Partition>,
    isLeased: (partition: Partition) => boolean = () => true
  ) {
    const wanted = [...some]
    yield* turns.awaitedTurn(
      Effect.gen(function* () {
        const added = new Set(wanted.filter((id) => !share.partitions.has(id) && isLeased(id)))
        if (added.size === 0) return
        yield* Effect.gen(function* () {
          const { bots, strategies } = yield* begin(added)
          watched.learn(strategies.values())
          yield* rebuild(bots)
        }).pipe(
          // Half of what was stored is worse than nothing: they are taken anew.
          Effect.onError(() => Effect.sync(() => forget(engineState, added)))
        )
        yield* engineState.settle()
      })
    )
    yield* followers.tell(held)
  }, Effect.uninterruptible)

  const release = Effect.fn("EnginePartitions.release")(function* (
    some: Iterable<Partition>,
    ended: (some: ReadonlyArray<Partition>) => void = () => {}
  ) {
    const wanted = [...some]
    // A node that the database does not answer must end with them too: it would go on from what it remembers one day.
    yield* turns.storingTurn(
      Effect.gen(function* () {
        const left = share.among(wanted)
        if (left.size === 0) return
        yield* trails.save
        forget(engineState, left)
      })
    )
    ended(wanted)
    // Before another engine may take them.
    yield* followers.tell(held)
  }, Effect.uninterruptible)

  return {
    held: Effect.sync(held),
    take,
    release,
    onChange: followers.add
  } satisfies typeof EnginePartitions.EnginePartitions.Service
})
