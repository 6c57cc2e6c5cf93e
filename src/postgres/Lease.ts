// The lease that makes one process, or the nodes of one cluster, the server of a database. Its owner renews it, and each
// server that is alone has a higher epoch than the one before: a server that was stopped dead and goes on finds its epoch
// old, and what it commits stores nothing.
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type * as Statement from "@effect/sql/Statement"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { inRealTime } from "../services/internal/RealTime.ts"
import { DatabaseServed, DatabaseUnavailable } from "../sql/client/DatabaseErrors.ts"
import { reasonOf } from "../sql/client/SqlErrors.ts"
import * as ProcessName from "./client/ProcessName.ts"

/** How long a lease holds without being renewed, and how often it is renewed. */
export const LEASE_SECONDS = 10
const RENEW = "2 seconds"
/** How often a lease is looked at that its owner may have left behind. */
const LOOK = "250 millis"
/** The longest that giving the lease back may take: a database that is away gets it back by itself. */
const RELEASE = "1 second"

/** Held by the one server of a database. */
export class Lease extends Context.Tag("signalbox/postgres/Lease")<
  Lease,
  {
    /** Above that of every server before, but for nodes, which keep that of the last server that was alone. */
    readonly epoch: number
    /** Ends once another server has taken the database over; never while this one holds it. */
    readonly lost: Effect.Effect<void>
  }
>() {}

/** A process as it holds the lease: a name that no other process has, and the name of the database for errors. */
export interface Options {
  readonly node: string
  readonly shown: string
  /** The process on its machine; a test brings others. */
  readonly process?: string
  /** Whether the process is one of a cluster's nodes, which hold the lease together. */
  readonly isShared?: boolean
}

/** The owner of a database that a cluster serves. */
export const CLUSTER = "cluster"

const ownerOf = ({ isShared, node }: Pick<Options, "isShared" | "node">) =>
  isShared === true ? CLUSTER : node

/** Holds the lease for as long as the layer lives; fails with `DatabaseServed` where another process holds it. */
export const layer = (
  options: Options
): Layer.Layer<Lease, DatabaseServed | DatabaseUnavailable, SqlClient.SqlClient> =>
  Layer.scoped(Lease, make(options))

const make = Effect.fn("Lease.make")(
  function* (options: Options) {
    const sql = yield* SqlClient.SqlClient
    const epoch = yield* Effect.acquireRelease(taken(sql, options), (epoch) => released(sql, options, epoch))
    const lost = yield* Deferred.make<void>()
    yield* Effect.forkScoped(renewing(sql, { ...options, epoch }, lost))
    return Lease.of({ epoch, lost: Deferred.await(lost) })
  },
  (
    effect,
    { shown }
  ): Effect.Effect<
    typeof Lease.Service,
    DatabaseServed | DatabaseUnavailable,
    SqlClient.SqlClient | Scope.Scope
  > =>
    Effect.catchTag(
      effect,
      "SqlError",
      (error) => new DatabaseUnavailable({ filename: shown, reason: reasonOf(error.cause) })
    )
)

interface Row {
  readonly epoch: number
  readonly owner: string | null
  readonly process: string | null
  readonly lease: string | null
  readonly free: boolean
}

const READ = `SELECT epoch, owner, process, lease::text AS lease, (owner IS NULL OR lease IS NULL
  OR lease < clock_timestamp()) AS free FROM server`

/**
 * Takes the lease, and with it all partitions:
 * 1. One that is free, has ended, or is of a process of this machine that has ended is taken at once.
 * 2. One of a process of this machine that runs is not taken.
 * 3. Any other is looked at until it is renewed, which only a running server does, or until it ends.
 *
 * A node of a cluster takes no partitions with it, and joins others that hold it, also where they have not renewed it in
 * time: whoever took it anew would take it from them.
 */
const taken = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, options: Options) {
  let first: Row | undefined
  while (true) {
    const [row] = yield* sql.unsafe<Row>(READ)
    const isRunning = ProcessName.isRunning(row?.process ?? "")
    if (options.isShared === true && row?.owner === CLUSTER) {
      if (yield* renew(sql, { ...options, epoch: row.epoch })) return row.epoch
    } else if (row === undefined || row.free || isRunning === false) {
      const epoch = yield* take(sql, options, row)
      if (epoch !== undefined) return epoch
      // Another process was faster.
      first = undefined
    } else {
      first ??= row
      if (isRunning === true || first.owner !== row.owner || first.lease !== row.lease)
        return yield* new DatabaseServed({ filename: options.shown })
    }
    yield* inRealTime(Effect.sleep(LOOK))
  }
})

/** Takes the lease as it was read; undefined where it is another by now. */
const take = (
  sql: SqlClient.SqlClient,
  options: Options,
  before: Row | undefined
): Effect.Effect<number | undefined, SqlError> => {
  const { isShared = false, process = ProcessName.own() } = options
  const taken = sql`UPDATE server SET owner = ${ownerOf(options)}, process = ${isShared ? null : process},
      epoch = epoch + ${isShared ? 0 : 1}, lease = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    WHERE owner IS NOT DISTINCT FROM ${before?.owner ?? null}
      AND lease IS NOT DISTINCT FROM ${before?.lease ?? null}::timestamptz RETURNING epoch`
  const given = sql`UPDATE partitions SET owner = ${options.node}, lease = NULL, epoch = partitions.epoch + 1
    FROM taken WHERE partitions.id IN (SELECT id FROM partitions ORDER BY id FOR UPDATE) RETURNING 1`
  const found = isShared
    ? sql<{ readonly epoch: number }>`${taken}`
    : sql<{ readonly epoch: number }>`WITH taken AS (${taken}), given AS (${given}) SELECT epoch FROM taken`
  return Effect.map(found, ([row]) => row?.epoch)
}

/** Whether the lease is still this server's: it then holds anew. */
const renew = (
  sql: SqlClient.SqlClient,
  held: Options & { readonly epoch: number }
): Effect.Effect<boolean, SqlError> =>
  Effect.map(
    sql`UPDATE server SET owner = ${ownerOf(held)}, lease = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
      WHERE ${isOwn(sql, held)} RETURNING 1`,
    (rows) => rows.length > 0
  )

/**
 * The lease as its server has it. The nodes of a cluster have it back where one of them gave it back as the last, because it
 * had not heard of the others for a while. A server that was alone in between has left another epoch: they end.
 */
const isOwn = (
  sql: SqlClient.SqlClient,
  { epoch, ...options }: Options & { readonly epoch: number }
): Statement.Fragment =>
  options.isShared === true
    ? sql`((owner = ${CLUSTER} OR owner IS NULL) AND epoch = ${epoch})`
    : sql`(owner = ${options.node} AND epoch = ${epoch})`

/** While the database is away nobody can take the lease: it is renewed once the database is back. */
const renewing = (
  sql: SqlClient.SqlClient,
  held: Options & { readonly epoch: number },
  lost: Deferred.Deferred<void>
) =>
  Effect.orElseSucceed(renew(sql, held), () => true).pipe(
    Effect.repeat({ while: (isHeld: boolean) => isHeld, schedule: Schedule.spaced(RENEW) }),
    Effect.zipRight(Effect.logError(`another server has taken over the database ${held.shown}`)),
    Effect.zipRight(Deferred.succeed(lost, undefined)),
    inRealTime,
    Effect.withTracerEnabled(false)
  )

/** The last node of a cluster gives it back. */
const released = (sql: SqlClient.SqlClient, options: Options, epoch: number) =>
  sql`UPDATE server SET owner = NULL, process = NULL, lease = NULL
    WHERE ${isOwn(sql, { ...options, epoch })} AND NOT (${options.isShared === true} AND EXISTS (
      SELECT 1 FROM nodes WHERE seen > clock_timestamp() - make_interval(secs => ${LEASE_SECONDS})))`.pipe(
    Effect.timeout(RELEASE),
    inRealTime,
    Effect.ignore,
    Effect.interruptible
  )

/** Whether a server runs on the database now. */
export const isServed: Effect.Effect<boolean, SqlError, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    Effect.map(
      sql.unsafe<Row>(READ),
      ([row]) => row !== undefined && !row.free && ProcessName.isRunning(row.process ?? "") !== false
    )
)
