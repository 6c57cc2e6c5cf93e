// The front door of the SQLite layers: a database, opened and migrated, and every port on it.
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Layer from "effect/Layer"
import * as Accounts from "../sql/Accounts.ts"
import * as Commands from "../sql/Commands.ts"
import { ChangeWatch } from "../sql/client/ChangeWatch.ts"
import type { DatabaseNewer, DatabaseUnavailable } from "../sql/client/DatabaseErrors.ts"
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
import * as Targets from "../sql/Targets.ts"
import * as Timeline from "../sql/Timeline.ts"
import * as Trades from "../sql/Trades.ts"
import * as WhatIfTries from "../sql/WhatIfTries.ts"
import * as Backups from "./Backups.ts"
import * as ChangePoll from "./client/ChangePoll.ts"
import * as Client from "./client/Client.ts"
import * as Lock from "./client/Lock.ts"
import * as Events from "./Events.ts"
import * as Journal from "./Journal.ts"
import * as Migrations from "./Migrations.ts"
import * as Portfolio from "./Portfolio.ts"
import * as Storage from "./Storage.ts"
import { sealAll } from "./sealing/Sealing.ts"

/** The database's file, whose folder is created where it is missing, or `Client.MEMORY`. */
export interface Options extends Migrations.Options {
  readonly filename: string
}

/** The database, opened and migrated, with a watch on commits of other processes. */
export const layer = ({
  filename,
  ...migrating
}: Options): Layer.Layer<SqlClient.SqlClient | ChangeWatch, DatabaseUnavailable | DatabaseNewer> =>
  ChangePoll.layer.pipe(
    // A database that stays of an older version knows nothing of moves.
    Layer.provideMerge(migrating.migrations === undefined ? MoveRows.layer(filename) : Layer.empty),
    Layer.provideMerge(Migrations.layer(filename, migrating)),
    Layer.provideMerge(Client.layer(filename)),
    Layer.provideMerge(ChangeWatch.layer)
  )

/** For `serve` only: the lock that makes it the one server of a database, for as long as the layer lives. */
export const layerLock = ({ filename }: Pick<Options, "filename">) => Lock.layer(filename)

/** For `serve` only: deletes old rows. */
export const layerRetention = Retention.layer

/** For `serve` only: backups of a served database. */
export const layerBackups = ({ filename }: Pick<Options, "filename">) => Backups.layer(filename)

/**
 * Every port that needs no master key, on one database.
 *
 * @example
 * ```ts
 * import { Effect, Layer } from "effect"
 * import { Accounts } from "signalbox"
 * import * as Sqlite from "signalbox/sqlite"
 *
 * const ports = Layer.provide(Sqlite.layerPorts, Sqlite.layer({ filename: "signalbox.db" }))
 * const everybody = Effect.provide(Effect.flatMap(Accounts, ({ all }) => all), ports)
 * ```
 */
export const layerPorts = Layer.mergeAll(
  Accounts.layer,
  Sessions.layer,
  SignInCodes.layer,
  WhatIfTries.layer,
  Chats.layer,
  Signals.layer,
  ActiveRules.layer,
  RuleWitnesses.layer,
  StrategyStore.layer,
  Directory.layer,
  Copies.layer,
  Markets.layer,
  Journal.layer,
  Timeline.layer,
  Events.layer,
  Idempotency.layer,
  Portfolio.layer,
  EquityHistory.layer,
  Orders.layer,
  Halts.layer,
  Commands.layer,
  Trades.layer,
  Results.layer,
  Storage.layer,
  Heartbeat.layer
)

/** Exchange accounts, whose keys a `Vault` seals: separate from the ports that need no master key. */
export const layerExchangeAccounts = ExchangeAccounts.layer

/**
 * Notification targets, whose addresses and secrets a `Vault` seals. Those that an older program left unsealed are
 * sealed first.
 */
export const layerTargets = Targets.layer.pipe(Layer.provide(Layer.effectDiscard(sealAll)))
