// The bots of other nodes: a client of their procedures for each node.
import * as RpcClient from "@effect/rpc/RpcClient"
import type * as RpcClientError from "@effect/rpc/RpcClientError"
import * as RpcSerialization from "@effect/rpc/RpcSerialization"
import * as RpcServer from "@effect/rpc/RpcServer"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as RcMap from "effect/RcMap"
import { BotsRpcs, PROTOCOL } from "./BotsRpcs.ts"
import { handlers, type Served } from "./BotsServer.ts"
import * as NodeClient from "./NodeClient.ts"
import type { NodeAddress } from "./PartitionLease.ts"

/** The path of the procedures. */
export const PATH = `/bots/${PROTOCOL}`

/** How long a client of a node that is not asked any more is kept. */
const IDLE = "1 minute"

const serialization = RpcSerialization.layerMsgPack

/** Makes the procedures of this node as an app for its port. */
export const app = Effect.fnUntraced(function* (served: Served) {
  const context = yield* Layer.build(Layer.merge(handlers(served), serialization))
  return yield* Effect.gen(function* () {
    const { httpApp, protocol } = yield* RpcServer.makeProtocolWithHttpApp
    yield* RpcServer.make(BotsRpcs, { spanPrefix: "Node", disableFatalDefects: true }).pipe(
      // HTTP's headers have the caller's span only as its client saw it: the message has it as it was.
      Effect.provideService(RpcServer.Protocol, { ...protocol, supportsSpanPropagation: true }),
      Effect.interruptible,
      Effect.forkScoped
    )
    return httpApp
  }).pipe(Effect.provide(context))
})

/** The procedures of another node. */
export type Client = RpcClient.FromGroup<typeof BotsRpcs, RpcClientError.RpcClientError>

/** Makes the look-up of a node's client. */
export const clients = Effect.fnUntraced(function* (identity: NodeClient.Identity) {
  const map = yield* RcMap.make({
    idleTimeToLive: IDLE,
    lookup: (address: NodeAddress) =>
      Effect.gen(function* () {
        const protocol = yield* RpcClient.makeProtocolHttp(NodeClient.make(address, PATH, identity))
        return yield* Effect.provideService(
          RpcClient.make(BotsRpcs, { spanPrefix: "Node" }),
          RpcClient.Protocol,
          protocol
        )
      }).pipe(Effect.provide(serialization))
  })
  return ({ host, port }: NodeAddress) => RcMap.get(map, Data.struct({ host, port }))
})

/** Why the request has certainly not begun at the other node; undefined where it may have. */
export const whyNotBegun = ({ cause }: RpcClientError.RpcClientError): string | undefined =>
  cause instanceof Error && cause.cause instanceof NodeClient.NotBegun ? cause.cause.message : undefined
