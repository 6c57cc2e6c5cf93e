// The connections to the database: a pool in which each statement and each transaction takes one, and gives back only
// one that works. Postgres may go and come back: a statement meanwhile fails as unavailable, and the next one connects.
import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Pool, type PoolClient } from "pg"
import { ChangeWatch } from "../../sql/client/ChangeWatch.ts"
import { DatabaseUnavailable } from "../../sql/client/DatabaseErrors.ts"
import { isSqlError, reasonOf } from "../../sql/client/SqlErrors.ts"
import { configOf, type Options, SETTINGS, shown } from "./Address.ts"
import * as Connection from "./Connection.ts"
import { errorOf, sqlErrorOf } from "./PostgresError.ts"
import { reading } from "./Reading.ts"

/** The most connections of one process beside those that listen. */
const MAX_CONNECTIONS = 10
/** How long an unused connection is kept (ms). */
const UNUSED_MILLIS = 60_000

/** Opens the pool and tries it: the address, the user, the database. */
export const layer = (options: Options): Layer.Layer<SqlClient.SqlClient, DatabaseUnavailable, ChangeWatch> =>
  Layer.scoped(SqlClient.SqlClient, make(options)).pipe(Layer.provide(Reactivity.layer))

const make = Effect.fn("Postgres.make")(function* (options: Options) {
  const pool = yield* open(options)
  const nameOf = Connection.names()
  const lent = Effect.acquireRelease(
    Effect.map(connect(pool), (client) => lend(client, nameOf)),
    ({ giveBack }) => Effect.sync(giveBack)
  )
  const transactionAcquirer = Effect.map(lent, ({ connection }) => connection)
  const client = yield* SqlClient.make({
    acquirer: Effect.map(lent, ({ connection, giveBack }) =>
      reading(connection, Effect.zipRight(Effect.sync(giveBack), transactionAcquirer))
    ),
    transactionAcquirer,
    compiler: PgClient.makeCompiler(),
    spanAttributes: []
  })
  yield* Effect.mapError(
    client`SELECT 1`,
    (error) => new DatabaseUnavailable({ filename: shown(options.url), reason: reasonOf(error.cause) })
  )
  const watch = yield* ChangeWatch
  return Object.assign(client, { withTransaction: announced(client.withTransaction, watch) })
})

/** A connection of the pool, to be given back once. */
const lend = (client: PoolClient, nameOf: (text: string) => string | undefined) => {
  const { connection, isBroken } = Connection.make(client, nameOf)
  let isLent = true
  const giveBack = () => {
    if (isLent) client.release(isBroken())
    isLent = false
  }
  return { connection, giveBack }
}

const open = Effect.fn("Postgres.open")(function* (options: Options) {
  const config = yield* configOf(options)
  return yield* Effect.acquireRelease(
    Effect.try({
      try: () => {
        const pool = new Pool({
          ...config,
          max: MAX_CONNECTIONS,
          idleTimeoutMillis: UNUSED_MILLIS,
          onConnect: async (client) => {
            // Without a listener, a connection that is lost while in use would end the process.
            client.on("error", () => {})
            await client.query(SETTINGS)
          }
        })
        // An unused connection that is lost is gone from the pool, and that is all.
        pool.on("error", () => {})
        return pool
      },
      catch: (cause) =>
        new DatabaseUnavailable({ filename: shown(options.url), reason: reasonOf(errorOf(cause)) })
    }),
    (pool) => Effect.promise(() => pool.end())
  )
})

const connect = (pool: Pool): Effect.Effect<PoolClient, SqlError> =>
  Effect.tryPromise({ try: () => pool.connect(), catch: sqlErrorOf })

/**
 * Turns the library's defect of a failed commit into an error, and has caches dropped again when a transaction has ended:
 * until then, others read what was there before it.
 */
const announced =
  (withTransaction: SqlClient.SqlClient["withTransaction"], watch: typeof ChangeWatch.Service) =>
  <R, E, A>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> => {
    const transaction = withTransaction(self).pipe(
      Effect.catchAllDefect((defect) => (isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect))),
      Effect.onError(() => watch.changed)
    )
    return Effect.flatMap(Effect.serviceOption(SqlClient.TransactionConnection), (outer) =>
      Option.isSome(outer) ? transaction : watch.during(transaction)
    )
  }
