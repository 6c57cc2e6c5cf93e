// A server as one node of a cluster: requests about bots go to the node that owns them, this one answers the others at a
// port of its own, and Effect Cluster gives it partitions once it listens there.
import { readFileSync } from "node:fs"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { SettingRefused } from "../domain/requests/SettingRefused.ts"
import { Departure } from "../http/edge/Departure.ts"
import { ClusterState } from "../postgres/ClusterState.ts"
import { Leases } from "../postgres/Leases.ts"
import { Nodes } from "../postgres/Nodes.ts"
import { Arming } from "../services/Arming.ts"
import { Bots } from "../services/Bots.ts"
import { EnginePartitions } from "../services/engine/EnginePartitions.ts"
import type { ManualForm } from "../services/engine/orders/ManualForms.ts"
import { inRealTime } from "../services/internal/RealTime.ts"
import { reasonOf } from "../sql/client/SqlErrors.ts"
import { PROTOCOL } from "./BotsRpcs.ts"
import * as Cluster from "./Cluster.ts"
import * as ClusterWatch from "./ClusterWatch.ts"
import * as LeaseRows from "./LeaseRows.ts"
import * as NodeBots from "./NodeBots.ts"
import * as NodePort from "./NodePort.ts"
import * as NodeProof from "./NodeProof.ts"
import { PartitionLease, textOf } from "./PartitionLease.ts"
import * as RoutedArming from "./RoutedArming.ts"
import * as RoutedBots from "./RoutedBots.ts"

/** Where other nodes reach this one (port 0 takes a free one), the secret that all share, and the forms of answers. */
export interface Options {
  readonly place: Cluster.Place
  readonly masterKey: Redacted.Redacted<Uint8Array>
  readonly certificate: NodePort.NodeCertificate | undefined
  readonly forms: ReadonlyArray<ManualForm>
}

/**
 * How long a node that has given its partitions back still answers that it is not their owner. The others read the owners
 * twice a second: a request on its way to a port that is closed just then would break without an answer.
 */
const HEARD = "1 second"

/** The bots of this process, which the others ask for. */
class LocalBots extends Context.Tag("signalbox/cluster/LocalBots")<LocalBots, typeof Bots.Service>() {}

/** Finds a service that only a node provides, and which the types of the server's layers therefore do not name. */
const beneath = <I, S>(tag: Context.Tag<I, S>): Layer.Layer<I> =>
  Layer.effect(
    tag,
    Effect.flatMap(
      Effect.serviceOption(tag),
      Option.match({
        onNone: () => Effect.dieMessage("this server is no node of a cluster"),
        onSome: Effect.succeed
      })
    )
  )

const rows = Layer.mergeAll(beneath(Leases), beneath(Nodes), beneath(ClusterState))
const owners = Layer.provide(LeaseRows.layer, rows)

/** The certificate of a node, from PEM files that are those of the server's own listeners; none without their paths. */
export const certificateOf = (files: {
  readonly certificate: string
  readonly key: string
}): Effect.Effect<NodePort.NodeCertificate | undefined, SettingRefused> =>
  files.certificate === ""
    ? Effect.succeed(undefined)
    : Effect.try({
        try: () => ({
          certificate: readFileSync(files.certificate, "utf8"),
          key: Redacted.make(readFileSync(files.key, "utf8"))
        }),
        catch: (cause) =>
          new SettingRefused({ message: `--tls-cert and --tls-key cannot be read: ${reasonOf(cause)}` })
      })

/** Makes the layers of a node. */
export const make = ({ certificate, forms, masterKey, place }: Options) => {
  const identity = { proofs: NodeProof.make(NodeProof.secretOf(masterKey)), certificate }
  const clients = NodeBots.clients(identity)

  const answering = Effect.gen(function* () {
    const app = yield* NodeBots.app({
      bots: yield* LocalBots,
      arming: yield* Arming,
      owner: { lease: yield* PartitionLease, engine: yield* EnginePartitions },
      forms
    })
    const port = yield* NodePort.listen(
      { ...place, certificate },
      identity.proofs,
      new Map([[NodeBots.PATH, app]])
    )
    const own = { ...place, port }
    const { leave } = yield* Cluster.join(own)
    yield* Layer.build(ClusterWatch.layer(textOf(own)))
    return { leave: Effect.zipRight(leave, inRealTime(Effect.sleep(HEARD))) }
  })

  return {
    /** Of the messages that it reads and writes. */
    protocol: PROTOCOL,
    /** The use cases of all nodes, over those of this process. */
    routes: {
      bots: Layer.merge(
        Layer.effect(LocalBots, Bots),
        Layer.unwrapScoped(Effect.map(clients, RoutedBots.layer))
      ).pipe(Layer.provide(owners)),
      arming: Layer.provide(Layer.unwrapScoped(Effect.map(clients, RoutedArming.layer)), owners)
    },
    /** Listens to the other nodes, and then runs the partitions that it is given, until the server departs. */
    running: Layer.scoped(Departure, answering).pipe(
      Layer.provide(Layer.mergeAll(rows, owners, beneath(LocalBots)))
    )
  }
}
