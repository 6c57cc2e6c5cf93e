// The partitions of this node: the engine runs each for as long as its entity lives here. A partition that the node has
// leased and the engine does not run yet is knocked at, so that its entity begins.

import { CurrentAddress } from "@effect/cluster/Entity"
import * as Sharding from "@effect/cluster/Sharding"
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type { Partition } from "../domain/Partition.ts"
import { Leases } from "../postgres/Leases.ts"
import { EnginePartitions } from "../services/engine/EnginePartitions.ts"
import { inRealTime } from "../services/internal/RealTime.ts"
import * as Gathering from "./Gathering.ts"
import { entityIds, PartitionEntity, partitionOf, shardOf } from "./PartitionEntity.ts"

/** How often the node looks for partitions that it has leased and does not run yet. */
const LOOK = "250 millis"
/** The longest that a knock waits: a partition that has not begun by then is knocked at again. */
const KNOCK = "30 seconds"

/** The engine has a partition for as long as its entity lives: the lease is given back only after that. */
const life = Effect.fnUntraced(function* (clock: Clock.Clock) {
  const engine = yield* EnginePartitions
  const leases = yield* Leases
  // The engine's turn may come after the lease has ended or was given back: then another node runs the partition.
  const isLeased = (partition: Partition) => leases.leftOf(partition) > 0
  const take = yield* Gathering.make((some) => Effect.withClock(engine.take(some, isLeased), clock))
  const release = yield* Gathering.make((some) =>
    // The lease counts as finished once the bots have ended. What follows the partitions may take seconds more.
    Effect.withClock(engine.release(some, leases.finish), clock)
  )
  const build = Effect.gen(function* () {
    const { shardId } = yield* CurrentAddress
    const partition = partitionOf(shardId)
    yield* Effect.acquireRelease(take(partition), () => release(partition))
    // An engine whose commit was refused has forgotten the partition, while its entity lives on where the lease is this
    // node's again before Effect Cluster has noticed.
    const isRunning = Effect.map(engine.held, (held) => held.has(partition))
    return PartitionEntity.of({ Knock: () => Effect.unlessEffect(take(partition), isRunning) })
  })
  // A partition lives until its shard leaves the node.
  return PartitionEntity.toLayer(build, {
    maxIdleTime: Duration.infinity,
    concurrency: "unbounded",
    disableFatalDefects: true
  })
})

/** Knocks at the partitions that are leased and do not run. A knock is remembered by Effect Cluster: no more than needed. */
const knocking = Effect.gen(function* () {
  const leases = yield* Leases
  const engine = yield* EnginePartitions
  const sharding = yield* Sharding.Sharding
  const client = yield* PartitionEntity.client
  const ids = entityIds(sharding)
  const knocked = new Set<Partition>()
  const scope = yield* Effect.scope

  const knock = (partition: Partition) =>
    Effect.suspend(() => {
      knocked.add(partition)
      return client(ids.get(partition) ?? "").Knock()
    }).pipe(
      Effect.timeout(KNOCK),
      Effect.catchAllCause((cause) => Effect.logDebug(`partition ${partition} has not begun yet`, cause)),
      Effect.ensuring(Effect.sync(() => knocked.delete(partition))),
      inRealTime,
      Effect.forkIn(scope)
    )

  yield* Effect.gen(function* () {
    const held = yield* engine.held
    for (const partition of yield* leases.all)
      if (!held.has(partition) && !knocked.has(partition) && sharding.hasShardId(shardOf(partition)))
        yield* knock(partition)
  }).pipe(
    Effect.repeat(Schedule.spaced(LOOK)),
    inRealTime,
    Effect.withTracerEnabled(false),
    Effect.forkScoped
  )
})

/** Runs the partitions that Effect Cluster gives to this node, whose engine goes by this clock. */
export const layer = (clock: Clock.Clock) =>
  Layer.merge(Layer.unwrapEffect(life(clock)), Layer.scopedDiscard(knocking))
