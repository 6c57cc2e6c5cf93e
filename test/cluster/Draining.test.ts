// The adversary: an operator who drains a node under way, the last node, one that is gone, and one that does not exist; and
// a node that dies while another is drained. No partition may stay dark for it.
import { describe, expect } from "bun:test"
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Exit, Layer, type Redacted, Scope } from "effect"
import * as Cluster from "../../src/cluster/Cluster.ts"
import { PARTITIONS, type Partition } from "../../src/domain/Partition.ts"
import * as ClusterState from "../../src/postgres/ClusterState.ts"
import * as Leases from "../../src/postgres/Leases.ts"
import * as Nodes from "../../src/postgres/Nodes.ts"
import * as Partitions from "../../src/postgres/Partitions.ts"
import * as Postgres from "../../src/postgres/Postgres.ts"
import { EnginePartitions } from "../../src/services/engine/EnginePartitions.ts"
import { it } from "../lib/effect.ts"
import { database, fresh, isInstalled } from "../lib/postgres/Database.ts"

let port = 5000

/** A node whose engine only keeps its partitions, until it is stopped. */
const node = (url: Redacted.Redacted, at?: number) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
    const name = fresh("node")
    const held = new Set<Partition>()
    const engine = EnginePartitions.of({
      held: Effect.sync(() => new Set(held)),
      onChange: () => Effect.void,
      take: (some) => Effect.sync(() => [...some].map((partition) => held.add(partition))),
      release: (some) => Effect.sync(() => [...some].map((partition) => held.delete(partition)))
    })
    const place = { host: "127.0.0.1", port: at ?? ++port }
    const context = yield* Layer.build(
      Layer.scopedDiscard(Cluster.join(place)).pipe(
        Layer.provideMerge(
          Layer.merge(Leases.layer(name), Nodes.layer({ node: name, version: "1", protocol: 1 }))
        ),
        Layer.provide(Layer.succeed(EnginePartitions, engine)),
        Layer.provideMerge(Partitions.layerShared),
        Layer.provideMerge(Postgres.layer({ url, node: name }))
      )
    ).pipe(Scope.extend(scope))
    const on = <A, E>(self: Effect.Effect<A, E, SqlClient.SqlClient>) => Effect.provide(self, context)
    return {
      held,
      on,
      at: place.port,
      address: `127.0.0.1:${place.port}`,
      sql: Context.get(context, SqlClient.SqlClient),
      stop: Scope.close(scope, Exit.void)
    }
  })

type Node = Effect.Effect.Success<ReturnType<typeof node>>

const until = (is: () => boolean) =>
  Effect.gen(function* () {
    const from = performance.now()
    while (!is()) yield* Effect.sleep("20 millis")
    return performance.now() - from
  }).pipe(Effect.timeout("30 seconds"))

const share = (...nodes: ReadonlyArray<Node>) =>
  until(() => nodes.every(({ held }) => held.size > 30) && sumOf(nodes) === PARTITIONS)
const sumOf = (nodes: ReadonlyArray<Node>) => nodes.reduce((sum, { held }) => sum + held.size, 0)

describe.skipIf(!isInstalled)("a node that is drained", () => {
  it.live("gives all it has to the others and takes none, until that is undone or it begins anew", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      const [one, two] = yield* Effect.all([node(url), node(url)])
      yield* share(one, two)
      expect(yield* one.on(ClusterState.drain(one.address, true))).toBe("draining")
      yield* until(() => one.held.size === 0 && two.held.size === PARTITIONS)
      const whole = yield* one.on(ClusterState.read)
      expect(whole.dark).toBe(0)
      expect(whole.nodes).toMatchObject([
        { address: one.address, partitions: 0, isThere: true, isDraining: true },
        { address: two.address, partitions: PARTITIONS, isThere: true, isDraining: false }
      ])
      expect(yield* two.on(ClusterState.drain(one.address, false))).toBe("draining")
      yield* share(one, two)
      yield* one.on(ClusterState.drain(one.address, true))
      yield* until(() => one.held.size === 0)
      yield* one.stop
      const again = yield* node(url, one.at)
      yield* share(again, two)
    })
  )

  it.live("is not the last one, nor one that is gone or unknown", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      const [one, two] = yield* Effect.all([node(url), node(url)])
      yield* share(one, two)
      expect(yield* one.on(ClusterState.drain("10.0.0.9:1", true))).toBe("unknown")
      // Two operators at the same moment, each with another node.
      const both = yield* Effect.all(
        [one.on(ClusterState.drain(one.address, true)), two.on(ClusterState.drain(two.address, true))],
        { concurrency: 2 }
      )
      expect([...both].sort()).toEqual(["draining", "last"])
      yield* one.sql`INSERT INTO nodes (address, node, runner, version, healthy, seen)
        VALUES ('10.0.0.8:1', 'gone', '{}', '1', true, clock_timestamp() - interval '1 minute')`
      expect(yield* one.on(ClusterState.drain("10.0.0.8:1", true))).toBe("gone")
    })
  )

  it.live("takes them back where no other is left, so that no partition stays dark", () =>
    Effect.gen(function* () {
      const { url } = yield* database()
      const [one, two] = yield* Effect.all([node(url), node(url)])
      yield* share(one, two)
      yield* one.on(ClusterState.drain(one.address, true))
      yield* until(() => one.held.size === 0)
      yield* two.stop
      yield* until(() => one.held.size === PARTITIONS)
    })
  )
})
