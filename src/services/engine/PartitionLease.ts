// How long this process may still act for the bots of a partition. A server that is alone holds all of them for ever.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { AccountId } from "../../domain/Account.ts"
import { type Partition, partitionOf } from "../../domain/Partition.ts"
import { SendingLease } from "./orders/SendingLease.ts"

/** What this process knows of its leases, without asking anybody. */
interface Leases {
  /** How long the lease of a partition still holds (ms). */
  readonly leftOf: (partition: Partition) => number
  /**
   * Reads how long the lease that is held now still holds (ms), as often as it is called. It never holds again once it was
   * lost, also where the partition was taken anew since: another process may have had it in between.
   */
  readonly lasting: (partition: Partition) => () => number
}

const always = () => Number.POSITIVE_INFINITY

export class PartitionLease extends Context.Reference<PartitionLease>()(
  "signalbox/services/engine/PartitionLease",
  { defaultValue: (): Leases => ({ leftOf: always, lasting: () => always }) }
) {}

/** Sends or cancels an order of an account under the lease that its partition has now. */
export const sending = <A, E, R>(
  { lasting }: Pick<Leases, "lasting">,
  account: AccountId,
  request: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => Effect.provideService(request, SendingLease, lasting(partitionOf(account)))
