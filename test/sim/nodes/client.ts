// What a node has of `src/postgres/client` here: the client of SQL, the connection that appends, and who listens, over the
// node's way to the database.
import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import * as Statement from "@effect/sql/Statement"
import { Context, Effect, Layer, Option, Schedule, type Scope, Stream } from "effect"
import { Client } from "pg"
import { Connections, type Lent } from "../../../src/postgres/client/Connections.ts"
import { Listener, type Reached } from "../../../src/postgres/client/Listener.ts"
import { inRealTime } from "../../../src/services/internal/RealTime.ts"
import { ChangeWatch } from "../../../src/sql/client/ChangeWatch.ts"
import { isSqlError } from "../../../src/sql/client/SqlErrors.ts"
import type { Link } from "./Link.ts"
import { APPEND, HEADS, type Notice, type Row, type Session } from "./SharedDatabase.ts"

/** How often a node asks for what others wrote, as on Postgres. */
const POLL = "250 millis"

const ask = (link: Link, session: Session | undefined, text: string, params: ReadonlyArray<unknown>) =>
  Effect.uninterruptible(
    Effect.async<ReadonlyArray<Row>, SqlError>((resume) =>
      link.ask(session, { text, params }, (answer) =>
        resume(answer instanceof SqlError ? Effect.fail(answer) : Effect.succeed(answer))
      )
    )
  )

const connectionOf = (link: Link, session: Session | undefined): Connection => ({
  execute: (text, params, transform) =>
    Effect.map(ask(link, session, text, params), (rows) =>
      transform === undefined ? rows : transform(rows)
    ),
  executeRaw: (text, params) => ask(link, session, text, params),
  executeValues: (text, params) =>
    Effect.map(ask(link, session, text, params), (rows) => rows.map((row) => Object.values(row))),
  executeStream: () => Stream.dieMessage("statements are not streamed"),
  executeUnprepared: (text, params) => {
    const done = ask(link, session, text, params)
    // Where the connection is gone there is nothing to undo.
    return text === "ROLLBACK" ? Effect.orElseSucceed(done, () => []) : done
  }
})

/** Transactions as `postgres/client/Client` has them. */
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

const clientOver = Effect.fnUntraced(function* (link: Link) {
  const client = yield* SqlClient.make({
    acquirer: Effect.succeed(connectionOf(link, undefined)),
    transactionAcquirer: Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => link.open()),
        (session) => Effect.sync(() => link.close(session))
      ),
      (session) => connectionOf(link, session)
    ),
    compiler: Statement.makeCompilerSqlite(),
    beginTransaction: "BEGIN IMMEDIATE",
    spanAttributes: []
  })
  return Object.assign(client, { withTransaction: announced(client.withTransaction, yield* ChangeWatch) })
})

/** The connection that appends alerts. `stir` is called where a promise goes on. */
const connections = (link: Link, stir: () => void): typeof Connections.Service => {
  const query = ({ values }: { readonly values: ReadonlyArray<unknown> }) =>
    new Promise<{ readonly rows: ReadonlyArray<Row> }>((resolve, reject) =>
      link.ask(undefined, { text: APPEND, params: values }, (answer) => {
        stir()
        if (answer instanceof SqlError) reject(answer.cause)
        else resolve({ rows: answer })
      })
    )
  const lent: Lent = {
    client: Object.assign(new Client(), { query, release: () => {} }),
    giveBack: () => {}
  }
  return {
    lend: Effect.succeed(lent),
    answers: () => 0,
    silent: () => {},
    answered: () => {},
    renew: Effect.void
  }
}

/** Hears what others write, and asks for it as well: the numbers tell what was missed. */
const listener = Effect.fnUntraced(function* (link: Link) {
  const { changed } = yield* ChangeWatch
  const all = new Set<Reached>()
  let known = 0
  const drop = (change: number) => {
    known = Math.max(known, change)
    Effect.runSync(changed)
  }
  const hear = (notice: Notice) => {
    if ("change" in notice) {
      if (notice.node !== link.name) drop(0)
    } else for (const reached of all) reached(notice.alert, notice.writer)
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => link.listen(hear)),
    (end) => Effect.sync(end)
  )
  const poll = Effect.map(ask(link, undefined, HEADS, []), ([row]) => {
    for (const reached of all) reached(Number(row?.["alert"]))
    if (Number(row?.["change"]) > known) drop(Number(row?.["change"]))
  })
  yield* Effect.ignore(poll).pipe(
    Effect.repeat(Schedule.spaced(POLL)),
    inRealTime,
    Effect.withTracerEnabled(false),
    Effect.forkScoped
  )
  return Listener.of({
    onAlerts: (reached) =>
      Effect.acquireRelease(
        Effect.sync(() => all.add(reached)),
        () => Effect.sync(() => all.delete(reached))
      ),
    onEntries: () => Effect.void
  })
})

const make = Effect.fnUntraced(function* (link: Link, stir: () => void) {
  const sql: SqlClient.SqlClient = yield* clientOver(link)
  const heard: typeof Listener.Service = yield* listener(link)
  return Context.make(SqlClient.SqlClient, sql).pipe(
    Context.add(Connections, connections(link, stir)),
    Context.add(Listener, heard)
  )
})

/** The client, the connections and the listener of a node. */
export const layer = (link: Link, stir: () => void) =>
  Layer.scopedContext(make(link, stir)).pipe(
    Layer.provide(Reactivity.layer),
    Layer.provideMerge(ChangeWatch.layer)
  )

export type Beneath = SqlClient.SqlClient | Connections | Listener | ChangeWatch | Scope.Scope
