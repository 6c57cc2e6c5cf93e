// The partitions of an engine as whoever gives them out sees them. A server that is alone takes all of them at its start.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberHandle from "effect/FiberHandle"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { Partition, partitions } from "../../domain/Partition.ts"

/** What concerns no account, and runs once however many servers there are, runs beside the bots of this partition. */
export const FIRST = Partition.make(0)

/** Adds and takes away partitions while the engine runs. */
export class EnginePartitions extends Context.Tag("signalbox/services/EnginePartitions")<
  EnginePartitions,
  {
    /** The partitions whose bots the engine runs now. */
    readonly held: Effect.Effect<ReadonlySet<Partition>>
    /**
     * Begins with partitions that no other engine runs: their bots go on where they stood. Partitions that the engine has
     * already are left as they are. `isLeased` is asked in the engine's turn: a partition without a lease is not taken,
     * because another engine may run it by then; nor is one that is being released.
     */
    readonly take: (
      some: Iterable<Partition>,
      isLeased?: (partition: Partition) => boolean
    ) => Effect.Effect<void>
    /**
     * Stores what is left to store of partitions, and forgets their bots; `ended` hears of it at once. Afterwards another
     * engine may take them.
     */
    readonly release: (
      some: Iterable<Partition>,
      ended?: (some: ReadonlyArray<Partition>) => void
    ) => Effect.Effect<void>
    /**
     * Has whatever runs once for an account follow the account's partition, for as long as the scope is open. Calls `adopt`
     * now and whenever partitions have come or gone, one call at a time. `take` and `release` end only after it, so that
     * what has to be stored of a partition is stored before another engine may take it; they wait for a few seconds at most.
     */
    readonly onChange: (
      adopt: (held: ReadonlySet<Partition>) => Effect.Effect<void>
    ) => Effect.Effect<void, never, Scope.Scope>
  }
>() {
  /** All partitions, for ever: for what follows partitions where no engine runs. */
  static readonly layerAll = Layer.succeed(EnginePartitions, {
    held: Effect.succeed(new Set(partitions)),
    take: () => Effect.void,
    release: () => Effect.void,
    onChange: (adopt) => adopt(new Set(partitions))
  })
}

/** Has an effect follow the engine's partitions for as long as the scope is open: see `onChange`. */
export const follow = Effect.fnUntraced(function* <R>(
  adopt: (held: ReadonlySet<Partition>) => Effect.Effect<void, never, R>
) {
  const { onChange } = yield* EnginePartitions
  const context = yield* Effect.context<R>()
  yield* onChange((held) => Effect.provide(adopt(held), context))
})

/** Runs an effect for as long as the engine has the first partition and the scope is open: once over all servers. */
export const whileFirst = Effect.fnUntraced(function* <R>(self: Effect.Effect<unknown, never, R>) {
  const handle = yield* FiberHandle.make<unknown>()
  const start = Effect.asVoid(FiberHandle.run(handle, self, { onlyIfMissing: true }))
  yield* follow((held) => (held.has(FIRST) ? start : FiberHandle.clear(handle)))
})
