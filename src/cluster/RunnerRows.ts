// What Effect Cluster asks about nodes and partitions, over the rows of the database. Leases are renewed here, all of a
// node in one statement, and with patience: a database that is slow for a moment costs no lease. Effect Cluster hears
// of a lease that may end before it does.
import { PersistenceError } from "@effect/cluster/ClusterError"
import * as MachineId from "@effect/cluster/MachineId"
import { Runner } from "@effect/cluster/Runner"
import * as RunnerStorage from "@effect/cluster/RunnerStorage"
import type { ShardId } from "@effect/cluster/ShardId"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type { Partition } from "../domain/Partition.ts"
import { Leases } from "../postgres/Leases.ts"
import { type Node, Nodes } from "../postgres/Nodes.ts"
import { EnginePartitions } from "../services/engine/EnginePartitions.ts"
import { inRealTime } from "../services/internal/RealTime.ts"
import * as Gathering from "./Gathering.ts"
import { partitionOf, shardOf } from "./PartitionEntity.ts"
import { textOf } from "./PartitionLease.ts"

/** How often leases are renewed. */
const RENEW = "2 seconds"
/** The longest that a renewal may take before it is tried again. */
const RENEWAL = "3 seconds"
/** A lease with less left than this (ms) may end before the engine has stopped: its partition is given up. */
const GIVE_UP_MS = 2500
/** For how long Effect Cluster may know nothing of a partition that the node has leased (ms). */
const STRAY_MS = 4000
/** A database that has answered within this time (ms) is there. */
const FRESH_MS = 4000

/** How long partitions are waited for that another node may be giving back, and how often they are tried (ms). */
const HANDOVER_MS = 600
const AGAIN_MS = 100
/** For how long they are tried where none was taken (ms): Effect Cluster stops waiting for an answer after a second. */
const PATIENCE_MS = 800

/** A defect of the database as the error that Effect Cluster tries again after. */
const failing = <A>(self: Effect.Effect<A>): Effect.Effect<A, PersistenceError> =>
  Effect.catchAllCause(self, (cause) =>
    Cause.isInterruptedOnly(cause) ? Effect.failCause(Cause.empty) : new PersistenceError({ cause })
  )

const make = Effect.fnUntraced(function* (inEngineTime: InEngineTime) {
  const leases = yield* Leases
  const engine = yield* EnginePartitions
  const nodes = yield* Nodes
  const answeredAt = yield* renewing(leases, nodes)
  const release = givingBack(leases, engine, inEngineTime)
  // Each release waits for a turn of the engine, and Effect Cluster asks for each partition by itself.
  const releaseOne = yield* Gathering.make(release)
  const refresh = yield* refreshing(leases, release, answeredAt)
  const releaseAll = failing(Effect.flatMap(leases.all, (all) => release([...all])))
  let isLeaving = false
  const acquire = acquiring(leases, release, () => isLeaving)
  return RunnerStorage.RunnerStorage.of({
    register: (runner, healthy) =>
      failing(
        Effect.map(
          nodes.register({ address: textOf(runner.address), runner: Runner.encodeSync(runner), healthy }),
          (machine) => MachineId.make(machine % MACHINES)
        )
      ),
    // Effect Cluster asks for this once, first of all when the node leaves. All is given back here, together, so that
    // others begin while the entities still end.
    unregister: (address) =>
      Effect.suspend(() => {
        isLeaving = true
        return Effect.ensuring(failing(nodes.unregister(textOf(address))), Effect.ignore(releaseAll))
      }),
    setRunnerHealth: (address, healthy) => failing(nodes.setHealth(textOf(address), healthy)),
    getRunners: failing(Effect.map(nodes.list, (all) => all.flatMap(runnerOf))),
    acquire: (_, shards) =>
      failing(Effect.map(acquire(Array.from(shards, partitionOf)), (all) => all.map(shardOf))),
    refresh: (_, shards) =>
      Effect.map(refresh(new Set(Array.from(shards, partitionOf))), (held) =>
        Array.from(shards).filter((shard) => held.has(partitionOf(shard)))
      ),
    release: (_, shard: ShardId) => failing(releaseOne(partitionOf(shard))),
    releaseAll: () =>
      Effect.tapErrorCause(releaseAll, (cause) =>
        Effect.logWarning("partitions could not be given back", cause)
      )
  })
})

/** Renews the leases for as long as the scope is open; reads when the database last answered. */
const renewing = Effect.fnUntraced(function* (leases: typeof Leases.Service, nodes: typeof Nodes.Service) {
  let answeredAt = Number.NEGATIVE_INFINITY
  const renewal = Effect.gen(function* () {
    yield* nodes.seen
    yield* leases.renew(yield* leases.all)
    answeredAt = yield* Clock.currentTimeMillis
  })
  yield* Effect.timeout(renewal, RENEWAL).pipe(
    Effect.catchAllCause((cause) => Effect.logDebug("leases could not be renewed", cause)),
    Effect.repeat(Schedule.spaced(RENEW)),
    inRealTime,
    Effect.withTracerEnabled(false),
    Effect.forkScoped
  )
  return () => answeredAt
})

/**
 * Makes the taking of partitions, which waits a moment for those that are not free. After an answer, even an empty one,
 * Effect Cluster rests for a second, in which nobody runs them; without an answer it asks again at once. So there is no answer
 * while nothing is free. A node that leaves keeps nothing that it takes.
 */
const acquiring = (
  leases: typeof Leases.Service,
  release: (some: ReadonlyArray<Partition>) => Effect.Effect<void>,
  isLeaving: () => boolean
) =>
  Effect.fnUntraced(function* (some: Iterable<Partition>) {
    const wanted = new Set(some)
    const taken: Array<Partition> = []
    const from = yield* Clock.currentTimeMillis
    while (!isLeaving()) {
      for (const partition of yield* leases.acquire(wanted)) {
        wanted.delete(partition)
        taken.push(partition)
      }
      const waited = (yield* Clock.currentTimeMillis) - from
      if (isLeaving()) break
      if (wanted.size === 0 || (taken.length > 0 && waited >= HANDOVER_MS)) return taken
      // Effect Cluster's limit ends the last wait.
      yield* waited < PATIENCE_MS ? Effect.sleep(AGAIN_MS) : Effect.never
    }
    yield* release(taken)
    return []
  })

/** Makes the look at how leases are, of which Effect Cluster knows some; `answeredAt` is when the database last answered. */
const refreshing = Effect.fnUntraced(function* (
  leases: typeof Leases.Service,
  release: (some: ReadonlyArray<Partition>) => Effect.Effect<void>,
  answeredAt: () => number
) {
  const strays = strayLeases()
  const scope = yield* Effect.scope
  return Effect.fnUntraced(function* (known: ReadonlySet<Partition>) {
    const all = yield* leases.all
    const now = yield* inRealTime(Clock.currentTimeMillis)
    const stray = strays(all, known, now)
    if (stray.length > 0) yield* Effect.forkIn(Effect.ignore(failing(release(stray))), scope)
    const isDue = [...all].some((id) => (known.size === 0 || known.has(id)) && leases.leftOf(id) < GIVE_UP_MS)
    if (isDue || (all.size === 0 && now - answeredAt() > FRESH_MS))
      return yield* new PersistenceError({ cause: new Error("the leases of this node are about to end") })
    return all
  })
})

/**
 * Makes what finds leases that Effect Cluster has not known of for a while: it stops to wait for an answer after a second,
 * and one that comes later would be renewed for ever, by a node that does not run the bots.
 */
const strayLeases = () => {
  const since = new Map<Partition, number>()
  return (all: ReadonlySet<Partition>, known: ReadonlySet<Partition>, now: number) => {
    for (const partition of since.keys())
      if (!all.has(partition) || known.has(partition)) since.delete(partition)
    for (const partition of all) if (!known.has(partition) && !since.has(partition)) since.set(partition, now)
    const found = [...since].flatMap(([partition, at]) => (now - at >= STRAY_MS ? [partition] : []))
    for (const partition of found) since.delete(partition)
    return found
  }
}

/**
 * Makes the giving back of partitions, after their bots have ended: Effect Cluster does not end those of an entity that has
 * just begun. It waits for a turn of the engine where they run or are about to begin. Leases that could not be given back before
 * go with the next ones, and also where there are no others.
 */
const givingBack = (
  leases: typeof Leases.Service,
  engine: typeof EnginePartitions.Service,
  inEngineTime: InEngineTime
) =>
  Effect.fnUntraced(function* (some: ReadonlyArray<Partition>) {
    if (some.length > 0) yield* inEngineTime(engine.release(some, leases.finish))
    yield* leases.release(some)
  }, Effect.uninterruptible)

/** Effect Cluster has so many numbers for machines. */
const MACHINES = 1024

/** A node of an unknown version describes itself as this one cannot read: it is ignored. */
const runnerOf = ({ healthy, runner }: Node): ReadonlyArray<readonly [Runner, boolean]> =>
  Either.match(
    Either.try(() => Runner.decodeSync(runner)),
    {
      onLeft: () => [],
      onRight: (found) => [[found, healthy] as const]
    }
  )

/** Has an effect go by the clock of the engine, which is another one in a replay. */
type InEngineTime = <A, E>(self: Effect.Effect<A, E>) => Effect.Effect<A, E>

/** The nodes and the leases of a database, as Effect Cluster asks for them, of a node whose engine goes by this clock. */
export const layer = (
  clock: Clock.Clock
): Layer.Layer<RunnerStorage.RunnerStorage, never, EnginePartitions | Leases | Nodes> =>
  Layer.scoped(RunnerStorage.RunnerStorage, make(Effect.withClock(clock)))
