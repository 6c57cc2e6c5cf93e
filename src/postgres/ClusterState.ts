// The cluster of a database as a whole: its nodes, what each has, and partitions that nobody has.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { ClusterWhole } from "../services/health/ClusterReading.ts"
import { orDie } from "../sql/client/SqlErrors.ts"
import * as Rows from "../sql/rows/Rows.ts"
import { CLUSTER, LEASE_SECONDS } from "./Lease.ts"

const LIVING = `seen > clock_timestamp() - make_interval(secs => ${LEASE_SECONDS})`

const nodes = Rows.reader(
  Schema.Struct({
    address: Schema.String,
    version: Schema.String,
    partitions: Schema.Int,
    behind: Schema.Int,
    seenMs: Schema.Number,
    isThere: Schema.Boolean,
    isDraining: Schema.Boolean
  })
)
const NODES = `SELECT address, version, behind, draining AS "isDraining", ${LIVING} AS "isThere",
    CAST(greatest(0, extract(epoch FROM clock_timestamp() - seen) * 1000) AS float8) AS "seenMs",
    (SELECT count(*) FROM partitions WHERE owner = nodes.node AND lease > clock_timestamp()) AS partitions
  FROM nodes ORDER BY address`

const sums = Rows.reader(Schema.Struct({ dark: Schema.Int, epochs: Schema.Int }))
const SUMS = `SELECT count(*) FILTER (WHERE owner IS NULL OR lease IS NULL OR lease <= clock_timestamp()) AS dark,
  CAST(sum(epoch) AS bigint) AS epochs FROM partitions`

/** Reads the cluster now. On a database of one server alone, there are no nodes, and all partitions are dark. */
export const read: Effect.Effect<ClusterWhole, never, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    Effect.zipWith(sums.one(sql.unsafe(SUMS)), nodes.all(sql.unsafe(NODES)), (sums, nodes) => ({
      ...sums,
      nodes
    }))
)

const alone = Rows.reader(Schema.Struct({ isAlone: Schema.Boolean }))

/** Whether one server has the whole database, without `--cluster`. */
export const isServedAlone: Effect.Effect<boolean, never, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    Effect.map(
      alone.one(
        sql`SELECT coalesce(owner <> ${CLUSTER} AND lease > clock_timestamp(), false) AS "isAlone" FROM server`
      ),
      ({ isAlone }) => isAlone
    )
)

/** What a request to drain a node came to. `"last"`: nobody else takes partitions. */
export type Drained = "draining" | "unknown" | "gone" | "last"

const marks = Rows.reader(
  Schema.Struct({ address: Schema.String, isThere: Schema.Boolean, isDraining: Schema.Boolean })
)

/** Tells a node to give its partitions away and to take no more, or ends that. */
export const drain = (
  address: string,
  isDraining: boolean
): Effect.Effect<Drained, never, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.withTransaction(
      Effect.gen(function* () {
        const all = yield* marks.all(
          sql.unsafe(`SELECT address, ${LIVING} AS "isThere",
          draining AS "isDraining" FROM nodes ORDER BY address FOR UPDATE`)
        )
        const node = all.find((it) => it.address === address)
        if (node === undefined) return "unknown"
        if (!node.isThere) return "gone"
        const others = all.filter((it) => it.address !== address && it.isThere && !it.isDraining)
        if (isDraining && others.length === 0) return "last"
        yield* sql`UPDATE nodes SET draining = ${isDraining} WHERE address = ${address}`
        return "draining"
      })
    )
  ).pipe(orDie)

/** The cluster as one of its nodes reads it. Effects die with `StorageUnavailable` while the database is away. */
export class ClusterState extends Context.Tag("signalbox/postgres/ClusterState")<
  ClusterState,
  {
    readonly read: Effect.Effect<ClusterWhole>
    /** Tells the others how many alerts this node has not judged yet. */
    readonly tellBehind: (alerts: number) => Effect.Effect<void>
  }
>() {
  /** Of the node with this name. */
  static readonly layer = (node: string) =>
    Layer.effect(
      ClusterState,
      Effect.map(SqlClient.SqlClient, (sql) => ({
        read: Effect.provideService(read, SqlClient.SqlClient, sql),
        tellBehind: (alerts: number) => orDie(sql`UPDATE nodes SET behind = ${alerts} WHERE node = ${node}`)
      }))
    )
}
