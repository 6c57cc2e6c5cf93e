// Effect Cluster over the port of nodes.
import { expect } from "bun:test"
import * as Entity from "@effect/cluster/Entity"
import * as MachineId from "@effect/cluster/MachineId"
import * as MessageStorage from "@effect/cluster/MessageStorage"
import type * as Runner from "@effect/cluster/Runner"
import * as RunnerAddress from "@effect/cluster/RunnerAddress"
import * as RunnerStorage from "@effect/cluster/RunnerStorage"
import type * as ShardId from "@effect/cluster/ShardId"
import { Sharding } from "@effect/cluster/Sharding"
import * as ShardingConfig from "@effect/cluster/ShardingConfig"
import * as Rpc from "@effect/rpc/Rpc"
import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import * as NodePort from "../../src/cluster/NodePort.ts"
import * as NodeProof from "../../src/cluster/NodeProof.ts"
import * as Transport from "../../src/cluster/Transport.ts"
import { it } from "../lib/effect.ts"

const Echo = Entity.make("Echo", [Rpc.make("where", { success: Schema.Int })])

/** A free port. */
const free = Effect.sync(() => {
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } })
  server.stop(true)
  return server.port
})

/** Locks of shards in memory: a shard is its first taker's until it is released. */
const locks = Layer.sync(RunnerStorage.RunnerStorage, () => {
  const runners = new Map<string, Runner.Runner>()
  const owners = new Map<string, string>()
  let machine = 0
  const own = (address: RunnerAddress.RunnerAddress, shards: Iterable<ShardId.ShardId>) =>
    Effect.sync(() =>
      [...shards].filter((shard) => {
        const owner = owners.get(String(shard)) ?? String(address)
        owners.set(String(shard), owner)
        return owner === String(address)
      })
    )
  return RunnerStorage.RunnerStorage.of({
    getRunners: Effect.sync(() => Array.from(runners.values(), (found) => [found, true] as const)),
    register: (found) =>
      Effect.sync(() => {
        runners.set(String(found.address), found)
        machine++
        return MachineId.make(machine)
      }),
    unregister: (address) => Effect.sync(() => runners.delete(String(address))),
    setRunnerHealth: () => Effect.void,
    acquire: own,
    refresh: own,
    release: (_, shard) => Effect.sync(() => owners.delete(String(shard))),
    releaseAll: (address) =>
      Effect.sync(() => {
        for (const [shard, owner] of owners) if (owner === String(address)) owners.delete(shard)
      })
  })
})

/** A runner under a key, whose entities say at which port they live. */
const runner = (storage: Context.Context<RunnerStorage.RunnerStorage>, key: number) =>
  Effect.gen(function* () {
    const port = yield* free
    const proofs = NodeProof.make(Redacted.make(new Uint8Array(32).fill(key)))
    const config = ShardingConfig.layer({
      runnerAddress: Option.some(RunnerAddress.make("127.0.0.1", port)),
      shardsPerGroup: 16,
      refreshAssignmentsInterval: 100,
      sendRetryInterval: 50,
      runnerHealthCheckInterval: 60_000
    })
    const beneath = yield* Layer.build(
      Transport.layer({ proofs }).pipe(
        Layer.provideMerge(MessageStorage.layerNoop),
        Layer.provide(Layer.succeedContext(storage)),
        Layer.provide(config)
      )
    )
    const app = yield* Effect.provide(Transport.app, beneath)
    yield* NodePort.listen({ host: "127.0.0.1", port }, proofs, new Map([[Transport.PATH, app]]))
    yield* Effect.provide(Layer.build(Echo.toLayer({ where: () => Effect.succeed(port) })), beneath)
    return {
      port,
      client: yield* Effect.provide(Echo.client, beneath),
      sharding: Context.get(beneath, Sharding)
    }
  })

it.live(
  "runners with the same key answer for each other's entities",
  () =>
    Effect.gen(function* () {
      const storage = yield* Layer.build(locks)
      const one = yield* runner(storage, 1)
      const other = yield* runner(storage, 1)
      const ids = Array.from({ length: 40 }, (_, id) => String(id))
      const places = (client: typeof one.client) =>
        Effect.forEach(ids, (id) => Effect.timeout(client(id).where(), "2 seconds"), { concurrency: 8 })
      yield* places(one.client).pipe(
        Effect.catchAll(() => Effect.succeed([])),
        Effect.zipLeft(Effect.sleep("100 millis")),
        Effect.repeat({ until: (found) => new Set(found).size === 2, times: 100 })
      )
      const all = yield* places(one.client)
      expect(new Set(all)).toEqual(new Set([one.port, other.port]))
      expect(yield* places(other.client)).toEqual(all)
    }),
  60_000
)
