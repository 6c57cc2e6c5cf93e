// Partitions that come and go while the engine runs. Each is taken and released in a turn, so that no bot of it is in the
// middle of a decision.
import * as Effect from "effect/Effect"
import type { Partition } from "../../domain/Partition.ts"
import type * as EnginePartitions from "./EnginePartitions.ts"
import type * as EngineState from "./EngineState.ts"
import { forget } from "./Forgetting.ts"
import type { MarketWatch } from "./prices/MarketWatch.ts"
import type { Trails } from "./prices/Trails.ts"
import * as Startup from "./Startup.ts"
import * as FigureRebuild from "./store/FigureRebuild.ts"
import type { Turn } from "./Turns.ts"

interface Parts {
  readonly options: EngineState.Options
  readonly turn: Turn
  readonly trails: Trails
  readonly watching: MarketWatch
}

/** Makes the handover. */
export const make = Effect.fnUntraced(function* (
  engineState: EngineState.EngineState,
  { options, trails, turn, watching }: Parts
) {
  const { share } = engineState
  const begin = yield* Startup.beginning(engineState, options)
  const rebuild = yield* FigureRebuild.make(engineState)

  const take = Effect.fn("EnginePartitions.take")(function* (some: Iterable<Partition>) {
    const wanted = [...some]
    yield* turn(
      Effect.gen(function* () {
        const added = new Set(wanted.filter((partition) => !share.partitions.has(partition)))
        if (added.size === 0) return
        yield* Effect.gen(function* () {
          const { bots, strategies } = yield* begin(added)
          watching.learn(strategies.values())
          yield* rebuild(bots)
        }).pipe(
          // Half of what was stored is worse than nothing: they are taken anew.
          Effect.onError(() => Effect.sync(() => forget(engineState, added)))
        )
        yield* engineState.settle()
      })
    )
  }, Effect.uninterruptible)

  const release = Effect.fn("EnginePartitions.release")(function* (some: Iterable<Partition>) {
    const wanted = [...some]
    yield* turn(
      Effect.gen(function* () {
        const left = share.among(wanted)
        if (left.size === 0) return
        yield* trails.save
        forget(engineState, left)
      })
    )
  }, Effect.uninterruptible)

  return {
    held: Effect.sync(() => new Set(share.partitions)),
    take,
    release
  } satisfies typeof EnginePartitions.EnginePartitions.Service
})
