// The front door of the Postgres layers: a database, connected to and migrated, and the ports that are on it.
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { PartitionLease } from "../services/engine/PartitionLease.ts"
import * as Accounts from "../sql/Accounts.ts"
import * as Commands from "../sql/Commands.ts"
import { ChangeWatch } from "../sql/client/ChangeWatch.ts"
import type { DatabaseNewer, DatabaseUnavailable } from "../sql/client/DatabaseErrors.ts"
import { reasonOf } from "../sql/client/SqlErrors.ts"
import * as Copies from "../sql/directory/Copies.ts"
import * as Directory from "../sql/directory/Directory.ts"
import * as ExchangeAccounts from "../sql/ExchangeAccounts.ts"
import * as EquityHistory from "../sql/equity/EquityHistory.ts"
import * as Halts from "../sql/Halts.ts"
import * as Heartbeat from "../sql/Heartbeat.ts"
import * as Idempotency from "../sql/Idempotency.ts"
import * as Markets from "../sql/Markets.ts"
import * as MoveRows from "../sql/moves/MoveRows.ts"
import * as Chats from "../sql/notify/Chats.ts"
import * as Orders from "../sql/Orders.ts"
import * as Results from "../sql/Results.ts"
import * as Retention from "../sql/Retention.ts"
import * as ActiveRules from "../sql/rules/ActiveRules.ts"
import * as RuleWitnesses from "../sql/rules/RuleWitnesses.ts"
import * as Sessions from "../sql/Sessions.ts"
import * as Signals from "../sql/Signals.ts"
import * as SignInCodes from "../sql/SignInCodes.ts"
import * as StrategyStore from "../sql/StrategyStore.ts"
import { sealTargets } from "../sql/sealing/SealTargets.ts"
import * as Targets from "../sql/Targets.ts"
import * as Timeline from "../sql/Timeline.ts"
import * as Trades from "../sql/Trades.ts"
import * as WhatIfTries from "../sql/WhatIfTries.ts"
import * as BacktestClaims from "./BacktestClaims.ts"
import * as Backups from "./Backups.ts"
import * as Cluster from "./ClusterState.ts"
import * as Confirmations from "./Confirmations.ts"
import { type Options, shown } from "./client/Address.ts"
import * as Client from "./client/Client.ts"
import type { Connections } from "./client/Connections.ts"
import type { Listener } from "./client/Listener.ts"
import * as Listening from "./client/Listener.ts"
import * as Events from "./Events.ts"
import * as Joining from "./Joining.ts"
import * as Journal from "./Journal.ts"
import * as Lease from "./Lease.ts"
import * as Leases from "./Leases.ts"
import * as Migrations from "./Migrations.ts"
import * as Nodes from "./Nodes.ts"
import * as Partitions from "./Partitions.ts"
import * as Portfolio from "./Portfolio.ts"
import * as RateLimits from "./RateLimits.ts"
import * as RecordedAlerts from "./RecordedAlerts.ts"
import * as Serving from "./Serving.ts"
import * as Storage from "./Storage.ts"
import * as Verify from "./Verify.ts"

/** The database, connected to and migrated, with a watch on what other processes write. */
export const layer = (
  options: Options & Pick<Migrations.Options, "isNode">
): Layer.Layer<
  SqlClient.SqlClient | ChangeWatch | Listener | Connections,
  DatabaseUnavailable | DatabaseNewer
> =>
  Listening.layer(options).pipe(
    Layer.provideMerge(MoveRows.layer(shown(options.url))),
    Layer.provideMerge(Migrations.layer({ ...options, shown: shown(options.url) })),
    Layer.provideMerge(Client.layer(options)),
    Layer.provideMerge(ChangeWatch.layer)
  )

/** Every port that needs no master key, for a process that has some of the partitions. */
const layerPortsOver = Layer.mergeAll(
  Accounts.layer,
  Sessions.layer,
  SignInCodes.layer,
  WhatIfTries.layer,
  Signals.layer,
  ActiveRules.layer,
  RuleWitnesses.layer,
  StrategyStore.layer,
  Markets.layer,
  Journal.layer,
  Idempotency.layer,
  Halts.layer,
  Timeline.layer,
  Commands.layer,
  Portfolio.layer,
  Orders.layer,
  Trades.layer,
  Results.layer,
  Chats.layer,
  Copies.layer,
  Directory.layer,
  EquityHistory.layer,
  Events.layer,
  Storage.layer,
  Heartbeat.layer
)

/**
 * Every port that needs no master key, on one database. Only one process may run bots on it at a time: give it
 * `layerLock` too.
 *
 * @example
 * ```ts
 * import { Effect, Layer, Redacted } from "effect"
 * import { Accounts } from "signalbox"
 * import * as Postgres from "signalbox/postgres"
 *
 * const url = Redacted.make("postgres://signalbox@localhost/signalbox")
 * const database = Postgres.layer({ url, node: `accounts ${crypto.randomUUID()}` })
 * const ports = Layer.provide(Postgres.layerPorts, database)
 * const everybody = Effect.provide(Effect.flatMap(Accounts, ({ all }) => all), ports)
 * ```
 */
export const layerPorts = Layer.provide(layerPortsOver, Partitions.layerAlone)

/** For `serve` only: deletes old rows. */
export const layerRetention = Retention.layer

/** A process that serves a database; `folder` is where it keeps what is in no database. */
export interface Served extends Process {
  readonly folder: string
}

/** A process on a database, which errors name as `shown`. */
export interface Process extends Options {
  readonly shown: string
}

/** The ports of the one server of a database, with all that runs beside them. */
export const layerServed = (served: Served) =>
  Layer.merge(layerPorts, Backups.layer).pipe(
    Layer.provideMerge(Serving.layer(served)),
    Layer.provideMerge(layer(served))
  )

/** The ports of one node of a cluster, with what it knows of partitions and of the other nodes. */
export const layerNode = (served: Served & Nodes.Options) =>
  Layer.mergeAll(layerPortsOver, Backups.layer, BacktestClaims.layer(served.node), Confirmations.layer).pipe(
    Layer.provideMerge(Layer.effect(PartitionLease, Leases.Leases)),
    Layer.provideMerge(
      Layer.mergeAll(Leases.layer(served.node), Nodes.layer(served), Cluster.ClusterState.layer(served.node))
    ),
    Layer.provideMerge(Partitions.layerShared),
    Layer.provideMerge(Serving.layer({ ...served, isShared: true })),
    Layer.provideMerge(Joining.layer(served.shown, served.protocol)),
    Layer.provideMerge(layer({ ...served, isNode: true }))
  )

/** Makes this process the one that serves the database, for as long as the layer lives. */
export const layerLock = (process: Process) =>
  Layer.discard(Lease.layer(process).pipe(Layer.provide(layer(process))))

/** Whether a server runs on the database now. */
export const isServed = (process: Process) => Serving.asking(process, Lease.isServed, false)

/** Whether the database holds records of ours, of any version. */
export const holdsRecords = (process: Process) => Serving.asking(process, Effect.succeed(true), false)

/** The cluster of a database: its nodes, and how to have one give its partitions away. */
export const cluster = {
  read: Cluster.read,
  isServedAlone: Cluster.isServedAlone,
  drain: Cluster.drain
}

/** Asks a database that is only read; one that holds nothing of ours has the answer `without`. */
export const asking = Serving.asking

/** What a doctor looks at: the server, whether a server of ours runs, and what `read` finds in the current version. */
export const checkup = <A>(
  process: Process,
  read: (version: number) => Effect.Effect<A, SqlError, ChangeWatch | SqlClient.SqlClient>
) => Serving.checkup(process, read)

/** The recorded alerts of a database that is only read. */
export const recordedAlerts = RecordedAlerts.reader

/** Verifies a whole database, row by row. */
export const verify = Verify.verify

/** Rate limits that hold over all servers of a database; `node` is the name of this one, which no other has. */
export const layerRateLimits = RateLimits.layer

/** Whose back-tests run, over all servers of a database; `node` as of `layerRateLimits`. */
export const layerBacktestClaims = BacktestClaims.layer

/** Confirmations of real money that any server of a database takes. */
export const layerConfirmations = Confirmations.layer

/** Exchange accounts, whose keys a `Vault` seals. */
export const layerExchangeAccounts = ExchangeAccounts.layer

/** Notification targets, whose addresses and secrets a `Vault` seals. Those that came here unsealed are sealed first. */
export const layerTargets = Targets.layer.pipe(
  Layer.provide(
    Layer.effectDiscard(
      Effect.catchTag(sealTargets, "SqlError", ({ cause }) =>
        Effect.logWarning(`secrets of notifications are not sealed yet: ${reasonOf(cause)}`)
      )
    )
  )
)
