// The nodes of a cluster as its database lists them. A node that tells nothing of itself for as long as a lease holds is
// none any more.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Partition } from "../domain/Partition.ts"
import { orDie } from "../sql/client/SqlErrors.ts"
import * as Rows from "../sql/rows/Rows.ts"
import { again } from "./client/Again.ts"
import { LEASE_SECONDS } from "./Lease.ts"
import { VERSION } from "./Migrations.ts"

/** A node: `address` is where others reach it, `runner` is how Effect Cluster describes it. */
export interface Node {
  readonly address: string
  readonly runner: string
  readonly healthy: boolean
}

/** The nodes. Effects die with `StorageUnavailable` while the database is away. */
export class Nodes extends Context.Tag("signalbox/postgres/Nodes")<
  Nodes,
  {
    /** Adds this node, or takes the place of the one that had its address; returns its number among all nodes ever. */
    readonly register: (own: Node) => Effect.Effect<number>
    readonly unregister: (address: string) => Effect.Effect<void>
    readonly setHealth: (address: string, healthy: boolean) => Effect.Effect<void>
    /** Tells that this node is there. */
    readonly seen: Effect.Effect<void>
    /** Those that were there a moment ago. */
    readonly list: Effect.Effect<ReadonlyArray<Node>>
    /** The address of the node that has each partition under a lease; those that nobody has are missing. */
    readonly owners: Effect.Effect<ReadonlyMap<Partition, string>>
  }
>() {}

const nodes = Rows.reader(
  Schema.Struct({ address: Schema.String, runner: Schema.String, healthy: Schema.Boolean })
)
const owners = Rows.reader(Schema.Struct({ id: Partition, address: Schema.String }))
const numbers = Rows.reader(Schema.Struct({ machine: Schema.Int }))

/** A process as others see it: the name by which it owns partitions, the version of its program, and of its messages. */
export interface Options {
  readonly node: string
  readonly version: string
  readonly protocol: number
}

/** How long the row of a node that is gone is kept, for the operator to see. */
const KEPT = "1 day"

const make = Effect.fnUntraced(function* ({ node, protocol, version }: Options) {
  const sql = yield* SqlClient.SqlClient
  return Nodes.of({
    register: Effect.fn("Nodes.register")(({ address, healthy, runner }) =>
      Effect.map(
        numbers.one(sql`WITH gone AS (DELETE FROM nodes
            WHERE address <> ${address} AND seen < clock_timestamp() - interval '${sql.literal(KEPT)}')
          INSERT INTO nodes (address, node, runner, version, protocol, schema, healthy, seen)
          VALUES (${address}, ${node}, ${runner}, ${version}, ${protocol}, ${VERSION}, ${healthy}, clock_timestamp())
          ON CONFLICT (address) DO UPDATE SET node = excluded.node, runner = excluded.runner,
            version = excluded.version, protocol = excluded.protocol, schema = excluded.schema,
            healthy = excluded.healthy, seen = excluded.seen,
            draining = nodes.draining AND nodes.node = excluded.node
          RETURNING machine`),
        ({ machine }) => machine
      )
    ),
    unregister: Effect.fn("Nodes.unregister")((address) =>
      orDie(again(sql`DELETE FROM nodes WHERE address = ${address} AND node = ${node}`))
    ),
    setHealth: Effect.fn("Nodes.setHealth")((address, healthy) =>
      orDie(sql`UPDATE nodes SET healthy = ${healthy} WHERE address = ${address}`)
    ),
    seen: orDie(sql`UPDATE nodes SET seen = clock_timestamp() WHERE node = ${node}`),
    // While there is nobody else, one that is to give its partitions away keeps them: they would be dark.
    list: nodes.all(sql`SELECT address, runner, healthy AND (NOT draining OR bool_and(draining) OVER ()) AS healthy
      FROM nodes WHERE seen > clock_timestamp() - make_interval(secs => ${LEASE_SECONDS}) ORDER BY address`),
    owners: Effect.map(
      owners.all(sql`SELECT partitions.id, nodes.address FROM partitions
        JOIN nodes ON nodes.node = partitions.owner WHERE partitions.lease > clock_timestamp()`),
      (rows) => new Map(rows.map(({ address, id }) => [id, address]))
    )
  })
})

/** The nodes as one of them sees them. */
export const layer = (own: Options): Layer.Layer<Nodes, never, SqlClient.SqlClient> =>
  Layer.effect(Nodes, make(own))
