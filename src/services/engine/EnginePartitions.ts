// The partitions of an engine as whoever gives them out sees them. A server that is alone takes all of them at its start.
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Partition } from "../../domain/Partition.ts"

/** Adds and takes away partitions while the engine runs. */
export class EnginePartitions extends Context.Tag("signalbox/services/EnginePartitions")<
  EnginePartitions,
  {
    /** The partitions whose bots the engine runs now. */
    readonly held: Effect.Effect<ReadonlySet<Partition>>
    /**
     * Begins with partitions that no other engine runs: their bots go on where they stood. Partitions that the engine has
     * already are left as they are.
     */
    readonly take: (some: Iterable<Partition>) => Effect.Effect<void>
    /** Stores what is left to store of partitions, and forgets their bots. Afterwards another engine may take them. */
    readonly release: (some: Iterable<Partition>) => Effect.Effect<void>
  }
>() {}
