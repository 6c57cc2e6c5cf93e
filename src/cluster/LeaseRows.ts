// The owners of partitions by the rows of the database: this node's leases as it knows them itself, those of others as they
// stood a moment ago.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type { Partition } from "../domain/Partition.ts"
import { Leases } from "../postgres/Leases.ts"
import { Nodes } from "../postgres/Nodes.ts"
import { inRealTime } from "../services/internal/RealTime.ts"
import { type NodeAddress, PartitionLease } from "./PartitionLease.ts"

/** How often the owners are read. */
const LOOK = "500 millis"
/** How long a read may take: a database that is slower counts as away. */
const PATIENCE = "1 second"

/** Nobody is known to own anything while the database is away. */
const NOBODY: ReadonlyMap<Partition, string> = new Map()

/** Tells from the leases of this node alone whether it owns a partition, and whether its work for one counts. */
export const ownLeases = (
  leases: Pick<typeof Leases.Service, "isBegun" | "keeping" | "leftOf">
): Pick<typeof PartitionLease.Service, "isHeld" | "keeping"> => ({
  // A partition that was taken anew is not this node's before its state was read anew.
  isHeld: (partition) => Effect.sync(() => leases.leftOf(partition) > 0 && leases.isBegun(partition)),
  keeping: (partition) => Effect.sync(() => leases.keeping(partition))
})

/** The port over the leases of this node. Requests never wait for the database: they see what was read last. */
export const layer = Layer.scoped(
  PartitionLease,
  Effect.gen(function* () {
    const leases = yield* Leases
    const nodes = yield* Nodes
    let owners = NOBODY
    const read = Effect.disconnect(nodes.owners).pipe(
      Effect.timeout(PATIENCE),
      Effect.catchAllCause((cause) => Effect.as(Effect.logDebug("no owners can be read", cause), NOBODY)),
      Effect.flatMap((found) =>
        Effect.sync(() => {
          owners = found
        })
      ),
      inRealTime,
      Effect.withTracerEnabled(false)
    )
    yield* read
    yield* Effect.forkScoped(inRealTime(Effect.schedule(read, Schedule.spaced(LOOK))))
    return {
      ...ownLeases(leases),
      ownerOf: (partition) =>
        Effect.sync(() => Option.map(Option.fromNullable(owners.get(partition)), addressOf))
    }
  })
)

/** The address of a node from its text, `host:port`. */
const addressOf = (text: string): NodeAddress => {
  const colon = text.lastIndexOf(":")
  return { host: text.slice(0, colon).replace(/^\[|\]$/g, ""), port: Number(text.slice(colon + 1)) }
}
