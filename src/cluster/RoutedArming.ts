// The use case `Arming` on one of several nodes. Proposing and arming are the owner's: it keeps the confirmations, and arms one
// strategy at a time for each exchange. Everything else goes by the bots, which are routed themselves.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { partitionOf } from "../domain/Partition.ts"
import { Arming } from "../services/Arming.ts"
import { EnginePartitions } from "../services/engine/EnginePartitions.ts"
import { ARMING_LIMIT } from "./BotsRpcs.ts"
import { changing } from "./Ownership.ts"
import { PartitionLease } from "./PartitionLease.ts"
import { type Nodes, type Owners, routing } from "./Routing.ts"

/** Arming by the owner's node, over the use case of this process. */
export const layer = (nodes: Nodes) =>
  Layer.effect(
    Arming,
    Effect.gen(function* () {
      const owner = { lease: yield* PartitionLease, engine: yield* EnginePartitions }
      return make(yield* Arming, owner, nodes)
    })
  )

/** Arming by the owner's node. */
export const make = (local: typeof Arming.Service, owner: Owners, nodes: Nodes): typeof Arming.Service => {
  const route = routing(owner, nodes, ARMING_LIMIT)
  return Arming.of({
    mode: local.mode,
    disarm: local.disarm,
    propose: (account, strategy, terms) =>
      route(
        partitionOf(account),
        changing(owner, account, local.propose(account, strategy, terms)),
        (client) => client.propose({ account, strategy, terms })
      ),
    arm: (account, strategy, terms, confirmation) => {
      const here = Effect.asVoid(local.arm(account, strategy, terms, confirmation))
      return route(partitionOf(account), changing(owner, account, here), (client) =>
        client.confirm({ account, strategy, terms, confirmation })
      ).pipe(Effect.zipRight(local.mode(account, strategy)))
    }
  })
}
