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
  readonly turns: Pick<Turns, "movingTurn" | "storingTurn">
  readonly trails: Trails
  readonly strategies: StrategyWatch
}

/** Makes the beginning with partitions in a turn. It ends without one where it is called off before all is read. */
const beginning = Effect.fnUntraced(function* (
  engineState: EngineState.EngineState,
  { options, strategies: watched }: Parts
) {
  const [read, begin] = [yield* Startup.reading, yield* Startup.beginning(engineState, options)]
  const rebuild = yield* FigureRebuild.make(engineState)
  return Effect.fnUntraced(function* (some: ReadonlySet<Partition>, isCalledOff: () => boolean) {
    const stored = yield* read(
      some,
      Effect.suspend(() => (isCalledOff() ? Effect.fail(CALLED_OFF) : Effect.void))
    )
    yield* Effect.gen(function* () {
      const { bots, strategies } = yield* begin(stored)
      watched.learn(strategies.values())
      yield* rebuild(bots)
    }).pipe(
      // Half of what was stored is worse than nothing: they are taken anew.
      Effect.onError(() => Effect.sync(() => forget(engineState, some)))
    )
    yield* engineState.settle()
  }, Effect.merge)
})

/** Why a beginning ended: its partitions are about to be released. */
const CALLED_OFF = "called off"

/** The partitions that are on the move in one direction. */
const moving = () => {
  const all = new Set<ReadonlySet<Partition>>()
  return {
    has: (id: Partition): boolean => [...all].some((some) => some.has(id)),
    during: (some: ReadonlySet<Partition>, move: Effect.Effect<void>): Effect.Effect<void> =>
      Effect.suspend(() => {
        all.add(some)
        return Effect.ensuring(
          move,
          Effect.sync(() => all.delete(some))
        )
      })
  }
}

/** Makes the handover. */
export const make = Effect.fnUntraced(function* (engineState: EngineState.EngineState, parts: Parts) {
  const { share } = engineState
  const { trails, turns } = parts
  const begin = yield* beginning(engineState, parts)
  const held = () => share.partitions
  const followers = yield* PartitionFollowers.make(held())
  /** The partitions that are being taken. */
  const coming = moving()
  /** The partitions that are being released. None of them is taken meanwhile, because its lease is about to end. */
  const ending = moving()

  const take = Effect.fn("EnginePartitions.take")(function* (
    some: Iterable<Partition>,
    isLeased: (partition: Partition) => boolean = () => true
  ) {
    const wanted = new Set(some)
    const isNew = (id: Partition) => !share.partitions.has(id) && isLeased(id) && !ending.has(id)
    const added = Effect.suspend(() => {
      const fresh = new Set([...wanted].filter(isNew))
      return fresh.size === 0 ? Effect.void : begin(fresh, () => [...fresh].every(ending.has))
    })
    yield* coming.during(wanted, Effect.asVoid(turns.movingTurn(added)))
    yield* followers.tell(held)
  }, Effect.uninterruptible)

  const released = Effect.fnUntraced(function* (
    wanted: ReadonlySet<Partition>,
    ended: (some: ReadonlyArray<Partition>) => void
  ) {
    // A node that the database does not answer must end with them too: it would go on from what it remembers one day.
    const end = turns.storingTurn(
      Effect.gen(function* () {
        const left = share.among(wanted)
        if (left.size === 0) return
        yield* trails.save
        forget(engineState, left)
      })
    )
    // Effect Cluster asks twice: as it ends a partition, and as it gives it back. The second time no bot of it runs.
    yield* Effect.when(end, () => [...wanted].some((id) => share.partitions.has(id) || coming.has(id)))
    ended([...wanted])
    // Before another engine may take them.
    yield* followers.tell(held)
  })
  const release = Effect.fn("EnginePartitions.release")(function* (
    some: Iterable<Partition>,
    ended: (some: ReadonlyArray<Partition>) => void = () => {}
  ) {
    const wanted = new Set(some)
    yield* ending.during(wanted, released(wanted, ended))
  }, Effect.uninterruptible)

  return {
    held: Effect.sync(held),
    take,
    release,
    onChange: followers.add
  } satisfies typeof EnginePartitions.EnginePartitions.Service
})
