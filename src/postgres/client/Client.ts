// The SQL client of a database: each statement and each transaction takes a connection, and gives back only one that
// works. Postgres may go and come back: a statement meanwhile fails as unavailable, and the next one connects.
import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { ChangeWatch } from "../../sql/client/ChangeWatch.ts"
import { DatabaseUnavailable } from "../../sql/client/DatabaseErrors.ts"
import { isSqlError, reasonOf } from "../../sql/client/SqlErrors.ts"
import { configOf, type Options, shown } from "./Address.ts"
import * as Connection from "./Connection.ts"
import * as Connections from "./Connections.ts"
import { errorOf } from "./PostgresError.ts"
import { reading } from "./Reading.ts"

/** Opens the connections and tries one: the address, the user, the database. */
export const layer = (
  options: Options
): Layer.Layer<SqlClient.SqlClient | Connections.Connections, DatabaseUnavailable, ChangeWatch> =>
  Layer.scopedContext(make(options)).pipe(Layer.provide(Reactivity.layer))

const make = Effect.fn("Postgres.make")(function* (options: Options) {
  const unavailable = (cause: unknown) =>
    new DatabaseUnavailable({ filename: shown(options.url), reason: reasonOf(cause) })
  const config = yield* configOf(options)
  const connections = yield* Effect.catchAllDefect(Connections.make(config), (defect) =>
    unavailable(errorOf(defect))
  )
  const nameOf = Connection.names()
  const lent = Effect.acquireRelease(
    Effect.map(connections.lend, ({ client, giveBack }) => {
      const { connection, isBroken } = Connection.make(client, nameOf)
      return { connection, giveBack: () => giveBack(isBroken()) }
    }),
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
  yield* Effect.mapError(client`SELECT 1`, (error) => unavailable(error.cause))
  const watch = yield* ChangeWatch
  const announcing = Object.assign(client, { withTransaction: announced(client.withTransaction, watch) })
  return Context.make(SqlClient.SqlClient, announcing).pipe(Context.add(Connections.Connections, connections))
})

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
