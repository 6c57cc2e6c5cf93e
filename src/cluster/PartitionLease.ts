// What a node knows of the partitions' owners: whether it owns one itself at this moment, and which node owns another.
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Partition } from "../domain/Partition.ts"

/** Where the other nodes reach a node. */
export interface NodeAddress {
  readonly host: string
  readonly port: number
}

/** The name of a node among the others: where they reach it. */
export const textOf = ({ host, port }: NodeAddress): string => `${host}:${port}`

/** The owners of partitions, by the leases in the database. */
export class PartitionLease extends Context.Tag("signalbox/cluster/PartitionLease")<
  PartitionLease,
  {
    /**
     * Whether this node owns the partition under a lease that holds at this moment. Asks nobody: it is false as soon as
     * the lease is in doubt, also after the process stood still.
     */
    readonly isHeld: (partition: Partition) => Effect.Effect<boolean>
    /**
     * Reads, as often as it is called, whether all that was done here for the partition since counts: its lease holds, or
     * held until the engine had ended with the partition.
     */
    readonly keeping: (partition: Partition) => Effect.Effect<() => boolean>
    /** The node that owns the partition, as known at most a second ago. None while nobody does, or nobody knows. */
    readonly ownerOf: (partition: Partition) => Effect.Effect<Option.Option<NodeAddress>>
  }
>() {}
