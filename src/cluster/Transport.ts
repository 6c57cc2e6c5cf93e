// How the runners of Effect Cluster reach each other: over the port of nodes, with its proofs and its certificate.
import * as HttpRunner from "@effect/cluster/HttpRunner"
import type { MessageStorage } from "@effect/cluster/MessageStorage"
import * as RunnerHealth from "@effect/cluster/RunnerHealth"
import type { RunnerStorage } from "@effect/cluster/RunnerStorage"
import * as Runners from "@effect/cluster/Runners"
import * as Sharding from "@effect/cluster/Sharding"
import type { ShardingConfig } from "@effect/cluster/ShardingConfig"
import * as RpcClient from "@effect/rpc/RpcClient"
import * as RpcSerialization from "@effect/rpc/RpcSerialization"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as NodeClient from "./NodeClient.ts"

/** The path of the runners' messages. It names the version of Effect Cluster, whose messages may differ in another one. */
export const PATH = "/runner/0.60"

const serialization = RpcSerialization.layerMsgPack

/** The runners of other nodes, as Effect Cluster asks them. */
const layerClients = (identity: NodeClient.Identity) =>
  Layer.effect(
    Runners.RpcClientProtocol,
    Effect.map(
      RpcSerialization.RpcSerialization,
      (format) => (address) =>
        Effect.provideService(
          RpcClient.makeProtocolHttp(NodeClient.make(address, PATH, identity)),
          RpcSerialization.RpcSerialization,
          format
        )
    )
  ).pipe(Layer.provide(serialization))

/** Effect Cluster on this node. Serve `app` at the node's port before others look for this node. */
export const layer = (
  identity: NodeClient.Identity
): Layer.Layer<Sharding.Sharding | Runners.Runners, never, RunnerStorage | MessageStorage | ShardingConfig> =>
  Sharding.layer.pipe(
    Layer.provide(RunnerHealth.layerPing),
    Layer.provideMerge(Runners.layerRpc),
    Layer.provide(layerClients(identity))
  )

/** The runner of this node as an app for its port. */
export const app = Effect.provide(HttpRunner.toHttpEffect, serialization)
