// The ports that keep records, over a file of SQLite or a database of Postgres: the one place that tells the two apart.
// A server on a file never loads the modules of Postgres.
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Records } from "./Composition.ts"
import { type Database, type PostgresDatabase, shownAddress } from "./domain/requests/Database.ts"
import type { Backups } from "./services/Backups.ts"
import type { ExchangeAccounts } from "./services/ExchangeAccounts.ts"
import { whileFirst } from "./services/engine/EnginePartitions.ts"
import type { Targets } from "./services/notify/Targets.ts"
import type { RateLimits, Rates } from "./services/RateLimits.ts"
import type { ChangeWatch } from "./sql/client/ChangeWatch.ts"
import type { DatabaseNewer, DatabaseServed, DatabaseUnavailable } from "./sql/client/DatabaseErrors.ts"
import { Ownership } from "./sql/client/Ownership.ts"
import * as ExchangeAccountRows from "./sql/ExchangeAccounts.ts"
import * as Retention from "./sql/Retention.ts"
import * as OwnedSignals from "./sql/readers/OwnedSignals.ts"
import type * as RecordedAlerts from "./sql/readers/RecordedAlerts.ts"
import * as TargetRows from "./sql/Targets.ts"
import * as Checkup from "./sqlite/Checkup.ts"
import * as ReadOnly from "./sqlite/client/ReadOnly.ts"
import * as FileSignals from "./sqlite/readers/OwnedSignals.ts"
import * as FileAlerts from "./sqlite/readers/RecordedAlerts.ts"
import * as Sqlite from "./sqlite/Sqlite.ts"
import * as Verify from "./sqlite/Verify.ts"

/** The connection beneath the ports. */
export type Connection = ChangeWatch | SqlClient.SqlClient

/** The ports that need no master key, and are no server's alone. */
export type Ports = Exclude<Records, Backups | ExchangeAccounts | Targets>

/** Why a database cannot be opened. */
export type OpenError = DatabaseNewer | DatabaseUnavailable

/** The ports on a database, whether a server runs on it or not. */
export const layer = (database: Database): Layer.Layer<Ports | Connection, OpenError> =>
  database._tag === "File"
    ? Layer.provideMerge(Sqlite.layerPorts, Sqlite.layer(database))
    : postgres(({ layer, layerPorts }) =>
        Layer.provideMerge(layerPorts, layer({ ...processOf(database), isPatient: true }))
      )

/**
 * The ports of a server of a database, with what runs beside them: backups are written.
 * `folder` is where the server keeps what is in no database of Postgres.
 */
export const layerServed = (
  database: Database,
  folder: string
): Layer.Layer<Ports | Backups | Ownership | Connection, OpenError | DatabaseServed> =>
  database._tag === "File"
    ? Sqlite.layerPorts.pipe(
        Layer.provideMerge(Sqlite.layerBackups(database)),
        Layer.provideMerge(Sqlite.layer(database)),
        Layer.provideMerge(Sqlite.layerLock(database)),
        Layer.provideMerge(Ownership.layerForever)
      )
    : postgres(({ layerServed }) => layerServed({ ...processOf(database), folder }))

/** Deletes old rows, on the server with the first partition. */
export const layerRetention = Layer.scopedDiscard(whileFirst(Retention.clearing))

/** The ports of one node of a cluster. Its leases, and the list of nodes, are beneath them without being in the type. */
export const layerNode = (
  database: PostgresDatabase,
  folder: string,
  program: { readonly version: string; readonly protocol: number }
): Layer.Layer<Ports | Backups | Ownership | Connection, OpenError | DatabaseServed> =>
  postgres(({ layerNode }) => layerNode({ ...processOf(database), folder, ...program }))

/** Rate limits that all nodes of a database share. */
export const layerRateLimits = (rates: Rates): Layer.Layer<RateLimits, never, SqlClient.SqlClient> =>
  postgres(({ layerRateLimits }) => layerRateLimits(rates, crypto.randomUUID()))

/** Makes this process the one that serves a database, for as long as the layer lives. */
export const layerLock = (database: Database): Layer.Layer<never, OpenError | DatabaseServed> =>
  database._tag === "File"
    ? Sqlite.layerLock(database)
    : postgres(({ layerLock }) => layerLock(processOf(database)))

/** Exchange accounts, whose keys a `Vault` seals. */
export const layerExchangeAccounts = ExchangeAccountRows.layer

/** Notification targets, whose addresses and secrets a `Vault` seals. */
export const layerTargets = Layer.unwrapEffect(
  Effect.map(SqlClient.SqlClient, (sql) =>
    sql.onDialectOrElse({ pg: () => TargetRows.layer, orElse: () => Sqlite.layerTargets })
  )
)

/** Whether a server runs on the database now. */
export const isServed = (database: Database): Effect.Effect<boolean, DatabaseUnavailable> =>
  database._tag === "File"
    ? Effect.sync(() => Checkup.isServed(database.filename))
    : Effect.flatMap(loaded, ({ isServed }) => isServed(processOf(database)))

/** Whether the database of Postgres holds records of ours, of any version. */
export const holdsRecords = (database: PostgresDatabase): Effect.Effect<boolean, DatabaseUnavailable> =>
  Effect.flatMap(loaded, ({ holdsRecords }) => holdsRecords(processOf(database)))

/** Verifies all that a database holds, whether a server runs or not. */
export const verify = (database: Database) =>
  database._tag === "File"
    ? Verify.verify(database.filename)
    : Effect.flatMap(loaded, ({ verify }) => verify(processOf(database)))

/** Reads the state of a Postgres server for `doctor`, and the records with `read` where they are of this version. */
export const postgresCheckup = <A>(
  database: PostgresDatabase,
  read: (version: number) => Effect.Effect<A, SqlError, Connection>
) => Effect.flatMap(loaded, ({ checkup }) => checkup(processOf(database), read))

/** The recorded alerts, of a file of any version, for as long as the scope lives. */
export const recordedAlerts = (
  database: Database
): Effect.Effect<RecordedAlerts.Reader, OpenError, Scope.Scope> =>
  database._tag === "File"
    ? Effect.map(ReadOnly.open(database.filename), FileAlerts.reader)
    : Effect.flatMap(loaded, ({ recordedAlerts }) => recordedAlerts(processOf(database)))

/** The signals of all accounts, or of one, of a file of any version. */
export const ownedSignals = (
  database: Database,
  account: string | undefined
): Effect.Effect<ReadonlyArray<OwnedSignals.Owned>, OpenError> =>
  database._tag === "File"
    ? Effect.scoped(
        Effect.map(ReadOnly.open(database.filename), ({ database }) => FileSignals.list(database, account))
      )
    : Effect.flatMap(loaded, ({ asking }) => asking(processOf(database), OwnedSignals.list(account), []))

const loaded = Effect.promise(() => import("./postgres/Postgres.ts"))

type Postgres = Effect.Effect.Success<typeof loaded>

const postgres = <A, E, R>(use: (module: Postgres) => Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  Layer.unwrapEffect(Effect.map(loaded, use))

/** A process as Postgres lists it, with a name that no other one has. */
const processOf = ({ url }: PostgresDatabase) => ({
  url,
  shown: shownAddress(url),
  node: `signalbox ${crypto.randomUUID()}`
})
