// The adversary: nodes that come, stop in order, freeze beyond their lease and wake up, and a database that is away. No
// partition may ever be run by two engines under one epoch, and none may stay dark.
import { describe, expect } from "bun:test"
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Duration, Effect, Exit, Layer, type Redacted, Scope } from "effect"
import * as Cluster from "../../src/cluster/Cluster.ts"
import { PARTITIONS, Partition } from "../../src/domain/Partition.ts"
import { LEASE_SECONDS } from "../../src/postgres/Lease.ts"
import * as Leases from "../../src/postgres/Leases.ts"
import * as Nodes from "../../src/postgres/Nodes.ts"
import * as Partitions from "../../src/postgres/Partitions.ts"
import * as Postgres from "../../src/postgres/Postgres.ts"
import { EnginePartitions } from "../../src/services/engine/EnginePartitions.ts"
import { it } from "../lib/effect.ts"
import { database, fresh, isInstalled } from "../lib/postgres/Database.ts"

/**
 * An engine that only keeps its partitions; `held` of all nodes say who runs what. `unleased` are those whose lease was
 * given back while it still had them. What follows the partitions takes so long after a taking.
 */
const engine = (settlingMs: number) => {
  const held = new Set<Partition>()
  const unleased: Array<Partition> = []
  const lease = { leftOf: (_: Partition) => 1 }
  const storing = { ends: Effect.sleep("20 millis") }
  const turn = { comes: Effect.void }
  const service = EnginePartitions.of({
    held: Effect.sync(() => new Set(held)),
    onChange: () => Effect.void,
    take: (some, isLeased = () => true) =>
      Effect.zipRight(
        Effect.map(
          Effect.suspend(() => turn.comes),
          () => {
            for (const partition of some) if (isLeased(partition)) held.add(partition)
          }
        ),
        Effect.uninterruptible(Effect.sleep(settlingMs))
      ),
    release: (some) =>
      Effect.zipRight(
        Effect.suspend(() => storing.ends),
        Effect.sync(() => {
          for (const partition of some) {
            if (held.delete(partition) && lease.leftOf(partition) <= 0) unleased.push(partition)
          }
        })
      )
  })
  return { held, unleased, lease, service, storing, turn }
}

let port = 4000

/** A node of a cluster, until it is stopped. */
const node = (url: Redacted.Redacted, settlingMs = 0) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
    const name = fresh("node")
    const { held, lease, service, storing, turn, unleased } = engine(settlingMs)
    port++
    const context = yield* Layer.build(
      Layer.scopedDiscard(Cluster.join({ host: "127.0.0.1", port })).pipe(
        Layer.provideMerge(
          Layer.merge(Leases.layer(name), Nodes.layer({ node: name, version: "1", protocol: 1 }))
        ),
        Layer.provide(Layer.succeed(EnginePartitions, service)),
        Layer.provideMerge(Partitions.layerShared),
        Layer.provideMerge(Postgres.layer({ url, node: name }))
      )
    ).pipe(Scope.extend(scope))
    const leases = Context.get(context, Leases.Leases)
    lease.leftOf = leases.leftOf
    return {
      held,
      unleased,
      storing,
      turn,
      leases,
      sql: Context.get(context, SqlClient.SqlClient),
      stop: Scope.close(scope, Exit.void)
    }
  })

type Node = Effect.Effect.Success<ReturnType<typeof node>>

/** Whether all partitions are run, each by one node, with a fair share for each. */
const isSettled = (nodes: ReadonlyArray<Node>) => {
  const sizes = nodes.map(({ held }) => held.size)
  const all = new Set(nodes.flatMap(({ held }) => [...held]))
  const sum = sizes.reduce((one, other) => one + other, 0)
  return (
    sum === PARTITIONS &&
    all.size === PARTITIONS &&
    sizes.every((size) => size > PARTITIONS / nodes.length / 3)
  )
}

/** Waits until they are; returns how long it took (ms). */
const settled = (...nodes: ReadonlyArray<Node>) =>
  Effect.gen(function* () {
    const from = performance.now()
    while (!isSettled(nodes)) yield* Effect.sleep("20 millis")
    return performance.now() - from
  }).pipe(Effect.timeout("30 seconds"))

describe.skipIf(!isInstalled)("the partitions of a cluster", () => {
  it.live(
    "are run by one node alone, shared with those that join, and given back by one that stops within 3 s, each after its bots",
    () =>
      Effect.gen(function* () {
        const { url } = yield* database()
        const one = yield* node(url)
        yield* settled(one)
        const [two, three] = yield* Effect.all([node(url), node(url)], { concurrency: 2 })
        yield* settled(one, two, three)
        yield* Effect.fork(two.stop)
        expect(yield* settled(one, three)).toBeLessThan(3000)
        expect(two.held.size).toBe(0)
        const back = yield* node(url)
        yield* settled(one, three, back)
        expect([one, two, three].flatMap(({ unleased }) => unleased)).toEqual([])
      })
  )

  it.live("that a node has just begun with, and not to the end, are given back after its bots", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      const one = yield* node(url, 1500)
      while (one.held.size === 0) yield* Effect.sleep("5 millis")
      yield* one.stop
      expect(one.held.size).toBe(0)
      expect(one.unleased).toEqual([])
    })
  )

  it.live(
    "hold a node that stops no longer than its leases, where nothing can be stored any more",
    () =>
      Effect.gen(function* () {
        const { url } = yield* database()
        const one = yield* node(url)
        yield* settled(one)
        one.storing.ends = Effect.never
        const [took] = yield* Effect.timed(one.stop)
        expect(Duration.toSeconds(took)).toBeLessThan(LEASE_SECONDS + 3)
      }),
    30_000
  )

  it.live("whose leases are gone by the time the engine's turn comes are not begun with", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      const one = yield* node(url)
      yield* settled(one)
      const comes = yield* Effect.makeLatch(false)
      one.turn.comes = comes.await
      const lost = [3, 4, 5].map((id) => Partition.make(id))
      for (const id of lost) one.held.delete(id)
      // A knock has the engine asked to take them again.
      yield* Effect.sleep("500 millis")
      yield* one.leases.release(lost)
      yield* comes.open
      yield* Effect.sleep("20 millis")
      expect(lost.filter((id) => one.held.has(id) && one.leases.leftOf(id) <= 0)).toEqual([])
      yield* settled(one)
    })
  )

  it.live("that a node has leased without Effect Cluster's knowing go back to the node that runs them", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      const [one, two] = yield* Effect.all([node(url), node(url)], { concurrency: 2 })
      yield* settled(one, two)
      const id = [...two.held][0] ?? Partition.make(0)
      let taken: ReadonlyArray<Partition> = []
      while (taken.length === 0) {
        yield* one.sql`UPDATE partitions SET lease = clock_timestamp() - interval '1 second' WHERE id = ${id}`
        // The answer to such a request comes when nobody waits for it any more.
        taken = yield* one.leases.acquire([id])
      }
      while (two.held.has(id)) yield* Effect.sleep("20 millis")
      yield* settled(one, two)
      expect(two.held.has(id)).toBe(true)
    })
  )

  it.live("that are lost are given up by the engine, and come back once nobody has them", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      const one = yield* node(url)
      yield* settled(one)
      const name = fresh("thief")
      const thief = yield* Effect.map(
        Layer.build(
          Leases.layer(name).pipe(
            Layer.provide(Partitions.layerShared),
            Layer.provide(Postgres.layer({ url, node: name }))
          )
        ),
        Context.get(Leases.Leases)
      )
      const wanted = [3, 4, 5].map((id) => Partition.make(id))
      let taken: ReadonlyArray<Partition> = []
      while (taken.length === 0) {
        yield* one.sql`UPDATE partitions SET lease = clock_timestamp() - interval '1 second' WHERE id IN (3, 4, 5)`
        taken = yield* thief.acquire(wanted)
      }
      while (taken.some((id) => one.held.has(id))) yield* Effect.sleep("20 millis")
      for (const id of taken) expect(one.leases.leftOf(id)).toBeLessThanOrEqual(0)
      expect(one.held.size).toBe(PARTITIONS - taken.length)
      yield* thief.release(taken)
      yield* settled(one)
    })
  )

  it.live(
    "that an engine forgot, because its commit was refused, are run again while the lease is its node's",
    () =>
      Effect.gen(function* () {
        const { url } = yield* database()
        const one = yield* node(url)
        yield* settled(one)
        for (const id of [3, 4, 5]) one.held.delete(Partition.make(id))
        yield* settled(one)
        expect(one.held.size).toBe(PARTITIONS)
      })
  )
})
