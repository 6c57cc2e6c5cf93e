// The port `Bots` on one of several nodes. Each request is answered by the node that owns the account's partition: by this
// one from its own engine, or by another one that is asked. Nothing that may have begun is asked for again.

import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { AccountId, type Identity } from "../domain/Account.ts"
import type { Instruction } from "../domain/Alert.ts"
import { PARTITIONS, type Partition, partitionOf, partitions } from "../domain/Partition.ts"
import type { ManualOrder } from "../domain/position/ManualOrder.ts"
import type { OwnedStrategy, Strategy } from "../domain/Strategy.ts"
import type { StrategyId } from "../domain/StrategyId.ts"
import { Bots } from "../services/Bots.ts"
import { EnginePartitions } from "../services/engine/EnginePartitions.ts"
import type { BotSnapshot } from "../services/engine/prices/BotSnapshots.ts"
import { LIMIT } from "./BotsRpcs.ts"
import { changing, owns, reading } from "./Ownership.ts"
import { PartitionLease } from "./PartitionLease.ts"
import { type Nodes, type Owners, type Remote, routing } from "./Routing.ts"
import { changeOf, manualOf } from "./wire/Requests.ts"
import { received } from "./wire/Snapshots.ts"

/** Partitions that are asked at once. */
const AT_ONCE = 8

/** The bots of all nodes, over those of this process. */
export const layer = (nodes: Nodes) =>
  Layer.effect(
    Bots,
    Effect.gen(function* () {
      const owner = { lease: yield* PartitionLease, engine: yield* EnginePartitions }
      return make(yield* Bots, owner, nodes)
    })
  )

/** The bots of all nodes. Those of `started` and `watchAlso` are this node's own. */
export const make = (local: typeof Bots.Service, owner: Owners, nodes: Nodes): typeof Bots.Service => {
  const route = routing(owner, nodes, LIMIT)
  return Bots.of({
    ...readsOf(
      local,
      (account, here, there) => route(partitionOf(account), reading(owner, [account], here), there),
      onePerOwner(owner)
    ),
    ...changesOf(local, (account, here, there) =>
      route(partitionOf(account), changing(owner, account, here), there)
    ),
    started: local.started,
    watchAlso: local.watchAlso
  })
}

/** Has the owner of an account's partition do something: by this node's own bots, or by a procedure of another node. */
type Route = <A, E>(account: AccountId, here: Effect.Effect<A, E>, there: Remote<A, E>) => Effect.Effect<A, E>

const readsOf = (
  local: typeof Bots.Service,
  read: Route,
  onePerOwner: Effect.Effect<Iterable<AccountId>>
) => {
  const standingsOf = (some: ReadonlyArray<OwnedStrategy>, account: AccountId) =>
    read(
      account,
      Effect.map(local.standings(some), (found) => [...found]),
      (client) =>
        Effect.map(
          client.standings({ strategies: some.map(({ account, id }) => ({ account, id })) }),
          (all) => all.map((one): [StrategyId, BotSnapshot] => [one.strategy, received(one)])
        )
    )
  return {
    preview: (sender: Identity, instruction: Instruction) =>
      read(sender.account, local.preview(sender, instruction), (client) =>
        client.preview({ sender, instruction })
      ),
    standings: (strategies: Iterable<OwnedStrategy>) =>
      Effect.forEach(
        byPartition(strategies),
        ([first, ...others]) => standingsOf([first, ...others], first.account),
        { concurrency: AT_ONCE }
      ).pipe(Effect.map((all) => new Map(all.flat()))),
    previewByHand: (strategy: Strategy, order: ManualOrder) =>
      read(strategy.account, local.previewByHand(strategy, order), (client) =>
        client.previewByHand({ strategy, order })
      ),
    stand: (strategy: Strategy) =>
      read(strategy.account, local.stand(strategy), (client) => client.stand({ strategy })),
    caughtUp: Effect.flatMap(onePerOwner, (some) =>
      Effect.forEach(
        some,
        (account) => read(account, local.caughtUp, (client) => client.caughtUp({ account })),
        { concurrency: AT_ONCE, discard: true }
      )
    )
  } satisfies Partial<typeof Bots.Service>
}

const changesOf = (local: typeof Bots.Service, change: Route) =>
  ({
    admit: (account, changes) =>
      change(account, local.admit(account, changes), (client) =>
        client.admit({ account, changes: changes.map(changeOf) })
      ),
    end: (account, strategy) =>
      change(account, local.end(account, strategy), (client) => client.end({ account, strategy })),
    arm: (strategy, terms, twins = []) =>
      change(strategy.account, local.arm(strategy, terms, twins), (client) =>
        client.arm({ strategy, terms, twins })
      ),
    disarm: (strategy, how) =>
      change(strategy.account, local.disarm(strategy, how), (client) => client.disarm({ strategy, how })),
    byHand: (strategy, order, request) =>
      change(strategy.account, local.byHand(strategy, order, request), (client) =>
        client.byHand({ strategy, order, request: manualOf(request) })
      )
  }) satisfies Partial<typeof Bots.Service>

/** The strategies of each partition. */
const byPartition = (strategies: Iterable<OwnedStrategy>) => {
  const groups = new Map<Partition, [OwnedStrategy, ...Array<OwnedStrategy>]>()
  for (const one of strategies) {
    const group = groups.get(partitionOf(one.account))
    if (group === undefined) groups.set(partitionOf(one.account), [one])
    else group.push(one)
  }
  return [...groups.values()]
}

/** An account of each node, and one of each partition that nobody owns. */
const onePerOwner = ({ engine, lease }: Owners) =>
  Effect.gen(function* () {
    const accounts = new Map<string, AccountId>()
    for (const partition of partitions) {
      const isOwn = yield* owns({ engine, lease }, new Set([partition]))
      const address = isOwn ? Option.none() : yield* lease.ownerOf(partition)
      const name = Option.match(address, {
        onNone: () => (isOwn ? "here" : `partition ${partition}`),
        onSome: ({ host, port }) => `${host} ${port}`
      })
      accounts.set(name, AccountId.make(partition + PARTITIONS))
    }
    return accounts.values()
  })
