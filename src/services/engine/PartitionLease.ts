// How long this process may still act for the bots of a partition. A server that is alone holds all of them for ever.
import * as Context from "effect/Context"
import type { Partition } from "../../domain/Partition.ts"

/** What this process knows of its leases, without asking anybody. */
export class PartitionLease extends Context.Reference<PartitionLease>()(
  "signalbox/services/engine/PartitionLease",
  {
    defaultValue: (): { readonly leftOf: (partition: Partition) => number } => ({
      leftOf: () => Number.POSITIVE_INFINITY
    })
  }
) {}
