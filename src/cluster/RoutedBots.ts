// The port `Bots` on one of several nodes. Each request is answered by the node that owns the account's partition: by this
// one from its own engine, or by another one that is asked. Nothing that may have begun is asked for again.

import * as RpcClientError from "@effect/rpc/RpcClientError"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { AccountId, type Identity } from "../domain/Account.ts"
import type { Instruction } from "../domain/Alert.ts"
import { PARTITIONS, type Partition, partitionOf, partitions } from "../domain/Partition.ts"
import type { ManualOrder } from "../domain/position/ManualOrder.ts"
import type { OwnedStrategy, Strategy } from "../domain/Strategy.ts"
import type { StrategyId } from "../domain/StrategyId.ts"
import { Bots } from "../services/Bots.ts"
import { EnginePartitions } from "../services/engine/EnginePartitions.ts"
import type { BotSnapshot } from "../services/engine/prices/BotSnapshots.ts"
import { StorageUnavailable } from "../services/records/StorageUnavailable.ts"
import { LIMIT, NotOwner } from "./BotsRpcs.ts"
import * as NodeBots from "./NodeBots.ts"
import { changing, owns, reading } from "./Ownership.ts"
import { type NodeAddress, PartitionLease } from "./PartitionLease.ts"
import { changeOf, manualOf } from "./wire/Requests.ts"
import { received } from "./wire/Snapshots.ts"

/** The pause before the owner is looked up again, where nobody is it or the one that was asked is not. */
const AGAIN = "100 millis"
/** Partitions that are asked at once. */
const AT_ONCE = 8

const NOBODY = "no node runs the bots of this account now"
const SILENT = "the node that runs the bots of this account does not answer"
const BROKEN =
  "the connection to the node that runs the bots of this account broke: see what was done before you ask again"

/** Finds the procedures of a node. */
export type Nodes = (address: NodeAddress) => Effect.Effect<NodeBots.Client, never, Scope.Scope>

/** The bots of all nodes, over those of this process. */
export const layer = (nodes: Nodes) =>
  Layer.effect(
    Bots,
    Effect.gen(function* () {
      const owner = { lease: yield* PartitionLease, engine: yield* EnginePartitions }
      return make(yield* Bots, owner, nodes)
    })
  )

/** What this node owns, and who owns the rest. */
interface Owners {
  readonly lease: typeof PartitionLease.Service
  readonly engine: typeof EnginePartitions.Service
}

/** A request to the owner's procedures. */
type Remote<A, E> = (
  client: NodeBots.Client
) => Effect.Effect<A, E | NotOwner | StorageUnavailable | RpcClientError.RpcClientError>

/** The bots of all nodes. Those of `started` and `watchAlso` are this node's own. */
export const make = (local: typeof Bots.Service, owner: Owners, nodes: Nodes): typeof Bots.Service => {
  const route = routing(owner, nodes)
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

/** Makes what finds the owner of a partition and has it answer, here or there. */
const routing =
  ({ engine, lease }: Owners, nodes: Nodes) =>
  <A, E>(
    partition: Partition,
    here: Effect.Effect<A, E | NotOwner>,
    there: Remote<A, E>
  ): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      let reason = NOBODY
      const notBegun = (why: string) => {
        reason = why
        return new NotOwner()
      }
      const once = Effect.gen(function* () {
        if (yield* owns({ engine, lease }, new Set([partition]))) return yield* here
        const address = yield* lease.ownerOf(partition)
        if (Option.isNone(address)) return yield* notBegun(NOBODY)
        reason = SILENT
        return yield* request(nodes(address.value), there, notBegun)
      })
      const insistent: Effect.Effect<A, E> = Effect.catchIf(once, isNotOwner, () =>
        Effect.zipRight(
          Effect.sleep(AGAIN),
          Effect.suspend(() => insistent)
        )
      )
      return Effect.timeoutFailCause(insistent, {
        duration: LIMIT,
        onTimeout: () =>
          Cause.die(
            new StorageUnavailable({
              reason,
              advice: "the bots of this account cannot be reached now; try again"
            })
          )
      })
    })

/**
 * Asks a node. What has certainly not begun there is `NotOwner`; whatever else went wrong passes, like storage that is away.
 */
const request = <A, E>(
  node: ReturnType<Nodes>,
  there: Remote<A, E>,
  notBegun: (why: string) => NotOwner
): Effect.Effect<A, E | NotOwner> =>
  Effect.flatMap(node, there).pipe(
    Effect.scoped,
    Effect.catchIf(isStorageUnavailable, (away) => Effect.die(away)),
    Effect.catchIf(isClientError, (error) => {
      const why = NodeBots.whyNotBegun(error)
      return why === undefined
        ? Effect.die(new StorageUnavailable({ reason: BROKEN, advice: BROKEN }))
        : notBegun(why)
    })
  )

const isNotOwner = (error: unknown): error is NotOwner => error instanceof NotOwner
const isStorageUnavailable = (error: unknown): error is StorageUnavailable =>
  error instanceof StorageUnavailable
const isClientError = (error: unknown): error is RpcClientError.RpcClientError =>
  error instanceof RpcClientError.RpcClientError

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
