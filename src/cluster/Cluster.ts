// One node of a cluster: Effect Cluster gives the partitions of the database to its nodes, and moves them when nodes come
// and go. Nodes see each other by the rows of the database alone, so that a network that is cut between them moves nothing.
import { layerNoop as withoutMessages } from "@effect/cluster/MessageStorage"
import { RunnerAddress } from "@effect/cluster/RunnerAddress"
import { layerNoop as alwaysAlive } from "@effect/cluster/RunnerHealth"
import { layerNoop as withoutRequests } from "@effect/cluster/Runners"
import * as Sharding from "@effect/cluster/Sharding"
import * as ShardingConfig from "@effect/cluster/ShardingConfig"
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import { PARTITIONS } from "../domain/Partition.ts"
import { LEASE_SECONDS } from "../postgres/Lease.ts"
import { RealTime } from "../services/internal/RealTime.ts"
import * as PartitionLife from "./PartitionLife.ts"
import * as RunnerRows from "./RunnerRows.ts"

/**
 * How long a node that leaves is waited for, from when it begins. While the database is away, it takes nothing back and the
 * engine cannot store what is left; the leases end by themselves.
 */
const LEAVE = Duration.seconds(LEASE_SECONDS)
const NOT_GIVEN_BACK =
  "the bots of this server could not be given back: others take them once its leases have ended"

/** Where other nodes reach this one. */
export interface Place {
  readonly host: string
  readonly port: number
}

const config = (place: Place) =>
  ShardingConfig.layer({
    runnerAddress: Option.some(RunnerAddress.make(place)),
    shardsPerGroup: PARTITIONS,
    shardLockExpiration: Duration.seconds(LEASE_SECONDS),
    // Leases are renewed by `RunnerRows`, which is only asked here how they are. Its `acquire` is waited for as long.
    shardLockRefreshInterval: Duration.seconds(1),
    // The node leaves the list before its entities end.
    preemptiveShutdown: true,
    refreshAssignmentsInterval: Duration.millis(500),
    entityMessagePollInterval: Duration.seconds(1),
    // An entity's end waits for all that runs beside its bots, too.
    entityTerminationTimeout: Duration.seconds(5),
    simulateRemoteSerialization: false
  })

const layer = (place: Place, clock: Clock.Clock) =>
  PartitionLife.layer(clock).pipe(
    Layer.provide(Sharding.layer),
    Layer.provide(Layer.mergeAll(withoutRequests, alwaysAlive, RunnerRows.layer(clock))),
    Layer.provide(Layer.merge(withoutMessages, config(place)))
  )

/**
 * Gives partitions to the engine of this node until it leaves, at the latest when the scope closes. `leave` ends when all
 * are given back. Leases go by the real clock, and the engine by the one in use, which is another in a replay.
 */
export const join = Effect.fnUntraced(function* (place: Place) {
  const [clock, real] = yield* Effect.all([Effect.clock, RealTime])
  const scope = yield* Scope.make()
  // Whoever stops waiting for it does not stop it.
  const leaving = yield* Scope.close(scope, Exit.void).pipe(
    Effect.uninterruptible,
    Effect.disconnect,
    Effect.interruptible,
    Effect.timeoutOption(LEAVE),
    Effect.flatMap((left) => Effect.when(Effect.logWarning(NOT_GIVEN_BACK), () => Option.isNone(left))),
    Effect.withClock(real),
    Effect.forkDaemon,
    Effect.cached
  )
  const leave = Effect.asVoid(Effect.flatMap(leaving, Fiber.join))
  yield* Effect.addFinalizer(() => leave)
  // Not by a layer that sets the clock: it would set that of all that is built later, too.
  yield* Effect.withClock(Layer.buildWithScope(layer(place, clock), scope), real)
  return { leave }
})
