// What the one server of a database of Postgres holds, and what a command beside it asks.
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ChangeWatch } from "../sql/client/ChangeWatch.ts"
import { DatabaseServed, DatabaseUnavailable } from "../sql/client/DatabaseErrors.ts"
import { Ownership } from "../sql/client/Ownership.ts"
import { reasonOf } from "../sql/client/SqlErrors.ts"
import type { Options } from "./client/Address.ts"
import * as Client from "./client/Client.ts"
import * as Health from "./Health.ts"
import * as Identity from "./Identity.ts"
import * as Lease from "./Lease.ts"
import * as Migrations from "./Migrations.ts"

/** A process on a database, which errors name as `shown`. */
interface Process extends Options {
  readonly shown: string
  readonly isShared?: boolean
}

const unavailable =
  ({ shown }: Process) =>
  ({ cause }: SqlError) =>
    new DatabaseUnavailable({ filename: shown, reason: reasonOf(cause) })

/** Holds the lease, and then looks whether the database is the one that was served last. */
export const layer = (
  process: Process & { readonly folder: string }
): Layer.Layer<Ownership, DatabaseServed | DatabaseUnavailable, SqlClient.SqlClient> =>
  Layer.scoped(
    Ownership,
    Effect.gen(function* () {
      const { lost } = yield* Lease.Lease
      yield* Effect.catchTag(Identity.keep(process.folder), "SqlError", unavailable(process))
      return { lost: Effect.zipRight(lost, new DatabaseServed({ filename: process.shown })) }
    })
  ).pipe(Layer.provide(Lease.layer(process)))

/** Asks a database that is only read, of any version; one that holds nothing of ours has the answer `without`. */
export const asking = <A>(
  process: Process,
  question: Effect.Effect<A, SqlError, ChangeWatch | SqlClient.SqlClient>,
  without: A
): Effect.Effect<A, DatabaseUnavailable> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{
      readonly there: boolean
    }>`SELECT to_regclass(${Migrations.TABLE}) IS NOT NULL AS there`
    return row?.there === true ? yield* question : without
  }).pipe(
    Effect.catchTag("SqlError", unavailable(process)),
    Effect.provide(Layer.provideMerge(Client.layer(process), ChangeWatch.layer))
  )

/** Looks at a server, at the version of its database (0 where it holds nothing), and at the records of the current one. */
export const checkup = <A>(
  process: Process,
  read: (version: number) => Effect.Effect<A, SqlError, ChangeWatch | SqlClient.SqlClient>
) =>
  Effect.gen(function* () {
    const health = yield* Health.read
    const version = yield* Migrations.found(process.shown)
    const isServed = version > 0 ? yield* Lease.isServed : false
    const found = version === Migrations.VERSION ? yield* read(version) : undefined
    return { health, version, isServed, found }
  }).pipe(
    Effect.catchTag("SqlError", unavailable(process)),
    Effect.provide(Layer.provideMerge(Client.layer(process), ChangeWatch.layer))
  )
