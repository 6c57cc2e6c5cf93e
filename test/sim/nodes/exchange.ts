// The exchange as a node reaches it. A request bears an expiry, which counts from the last look at the lease: what a node
// sends that stood still in between is turned away.
import { Context, Effect, Layer } from "effect"
import type { Partition } from "../../../src/domain/Partition.ts"
import { Exchange, Report } from "../../../src/services/Exchange.ts"
import { SENDING_MS } from "../../../src/services/engine/orders/SendingLease.ts"
import type { World } from "../World.ts"
import type { FenceChecks } from "./fenceChecks.ts"
import type { Link } from "./Link.ts"

interface Watch {
  /** When the lease of each partition was looked at last (ms). */
  readonly looked: ReadonlyMap<Partition, number>
  readonly checks: FenceChecks
}

export const exchangeOf = (
  { loom, venue }: World,
  link: Link,
  { checks, looked }: Watch
): Layer.Layer<Exchange> =>
  Layer.map(venue.layer(link.machine), (context) => {
    const sound = Context.get(context, Exchange)
    const submit: typeof sound.submit = (ticket) =>
      Effect.suspend(() => {
        const { id } = ticket.order
        const partition = checks.partitionOf(id)
        if (loom.now > (looked.get(partition) ?? loom.now) + SENDING_MS)
          return Effect.succeed(Report.Rejected({ order: id, reason: "the request has expired" }))
        checks.sent(link.name, id, partition)
        return sound.submit(ticket)
      })
    return Context.make(Exchange, { ...sound, submit })
  })
