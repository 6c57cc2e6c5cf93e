// Several nodes in this process, each with an engine and a port of its own, over the same records in memory. The test gives
// partitions to nodes, and takes leases away.
import { Context, Effect, Layer, Option, Redacted } from "effect"
import * as NodeBots from "../../../src/cluster/NodeBots.ts"
import * as NodePort from "../../../src/cluster/NodePort.ts"
import * as NodeProof from "../../../src/cluster/NodeProof.ts"
import type { NodeAddress, PartitionLease } from "../../../src/cluster/PartitionLease.ts"
import * as RoutedArming from "../../../src/cluster/RoutedArming.ts"
import * as RoutedBots from "../../../src/cluster/RoutedBots.ts"
import { STARTING_BALANCES } from "../../../src/domain/Bot.ts"
import { type Partition, partitions } from "../../../src/domain/Partition.ts"
import { manualForm } from "../../../src/http/views/ManualViews.ts"
import * as Memory from "../../../src/Memory.ts"
import { Alerts } from "../../../src/services/Alerts.ts"
import { Arming } from "../../../src/services/Arming.ts"
import { Bots } from "../../../src/services/Bots.ts"
import { Exchange } from "../../../src/services/Exchange.ts"
import * as EngineLayer from "../../../src/services/engine/EngineLayer.ts"
import { EnginePartitions } from "../../../src/services/engine/EnginePartitions.ts"
import * as ManualForms from "../../../src/services/engine/orders/ManualForms.ts"
import { Performance } from "../../../src/services/Performance.ts"
import * as PriceFeed from "../../../src/services/PriceFeed.ts"
import { Strategies } from "../../../src/services/Strategies.ts"
import { Validation } from "../../../src/services/Validation.ts"
import { DEFAULT_PATIENCE } from "../../../src/trading/AlertPatience.ts"

const paper = STARTING_BALANCES
export const secret = Redacted.make(new Uint8Array(32).fill(7))

export interface Options {
  readonly nodes?: number
  readonly certificate?: NodePort.NodeCertificate
  /** The arming of a node; without it there is none. */
  readonly armed?: (node: number) => typeof Arming.Service
  /** Wraps the bots of a node that it asks itself. */
  readonly local?: (bots: typeof Bots.Service) => typeof Bots.Service
  /** Wraps the bots that a node serves to others. */
  readonly served?: (bots: typeof Bots.Service, node: number) => typeof Bots.Service
}

const NO_ARMING = Arming.of({
  mode: () => Effect.dieMessage("not here"),
  propose: () => Effect.dieMessage("not here"),
  arm: () => Effect.dieMessage("not here"),
  disarm: () => Effect.dieMessage("not here")
})

const engineOn = <R>(records: Context.Context<R>) =>
  EngineLayer.layer({ paper, patience: DEFAULT_PATIENCE, isShared: true }).pipe(
    Layer.provideMerge(
      Layer.mergeAll(Validation.layer, Performance.layer, Exchange.layerPaper, PriceFeed.layer("by hand"))
    ),
    Layer.provideMerge(Layer.succeedContext(records))
  )

const frontOver = <R>(context: Context.Context<R>) =>
  Layer.mergeAll(Strategies.layer({ maxPairs: 200, paper }), Alerts.layer).pipe(
    Layer.provideMerge(Layer.succeedContext(context))
  )

/** The nodes; nobody owns anything yet. */
export const make = ({
  armed = () => NO_ARMING,
  certificate,
  local: ask = (bots) => bots,
  nodes = 2,
  served = (bots) => bots
}: Options = {}) =>
  Effect.gen(function* () {
    const records = yield* Layer.build(Memory.ports)
    const owners = new Map<Partition, number>()
    const doubtful = new Set<number>()
    /** How often each partition was released in good order. */
    const finished = new Map<Partition, number>()
    const addresses: Array<NodeAddress> = []
    const leaseOf = (node: number): typeof PartitionLease.Service => ({
      isHeld: (partition) => Effect.sync(() => owners.get(partition) === node && !doubtful.has(node)),
      keeping: (partition) =>
        Effect.sync(() => {
          const before = finished.get(partition)
          return () =>
            finished.get(partition) !== before || (owners.get(partition) === node && !doubtful.has(node))
        }),
      ownerOf: (partition) => Effect.sync(() => Option.fromNullable(addresses[owners.get(partition) ?? -1]))
    })
    /** Every node has the same prices. */
    const feeds: Array<typeof PriceFeed.PriceFeed.Service> = []
    const everyFeed: typeof PriceFeed.PriceFeed.Service = {
      publish: (events) => Effect.forEach(feeds, (feed) => feed.publish(events), { discard: true })
    }
    const opened = (node: number) =>
      Effect.gen(function* () {
        const engine = yield* Layer.build(engineOn(records))
        const local = Context.get(engine, Bots)
        const owner = { lease: leaseOf(node), engine: Context.get(engine, EnginePartitions) }
        const proofs = NodeProof.make(secret)
        const arming = armed(node)
        const app = yield* NodeBots.app({
          bots: served(local, node),
          arming,
          owner,
          forms: [ManualForms.text, manualForm]
        })
        const options = { host: "127.0.0.1", port: 0, certificate }
        const port = yield* Effect.orDie(NodePort.listen(options, proofs, new Map([[NodeBots.PATH, app]])))
        addresses[node] = { host: "127.0.0.1", port }
        const others = yield* NodeBots.clients({ proofs, certificate })
        const bots = RoutedBots.make(ask(local), owner, others)
        const routed = RoutedArming.make(arming, owner, others)
        feeds.push(Context.get(engine, PriceFeed.PriceFeed))
        const front = yield* Layer.build(
          frontOver(
            engine.pipe(
              Context.add(Arming, routed),
              Context.add(Bots, bots),
              Context.add(PriceFeed.PriceFeed, everyFeed)
            )
          )
        )
        return { context: front, local, port, partitions: owner.engine }
      })
    const all = yield* Effect.forEach(
      Array.from({ length: nodes }, (_, node) => node),
      opened
    )

    const drop = (partition: Partition) =>
      Effect.gen(function* () {
        const before = all[owners.get(partition) ?? -1]
        if (before !== undefined) {
          yield* before.partitions.release([partition])
          finished.set(partition, (finished.get(partition) ?? 0) + 1)
        }
        owners.delete(partition)
      })
    return {
      all,
      owners,
      addresses,
      doubtful,
      /** Gives partitions to a node, in good order. */
      give: (node: number, some: Iterable<Partition> = partitions) =>
        Effect.gen(function* () {
          for (const partition of some) yield* drop(partition)
          for (const partition of some) owners.set(partition, node)
          yield* all[node]?.partitions.take(some) ?? Effect.void
        }),
      drop
    }
  })

export type Cluster = Effect.Effect.Success<ReturnType<typeof make>>
export type Front = Cluster["all"][number]["context"] extends Context.Context<infer R> ? R : never

/** Runs something at a node. */
export const at = <A, E, R>(
  { all }: Cluster,
  node: number,
  self: Effect.Effect<A, E, R>
): Effect.Effect<A, E, Exclude<R, Front>> => {
  const found = all[node]
  return found === undefined ? Effect.dieMessage(`no node ${node}`) : Effect.provide(self, found.context)
}
