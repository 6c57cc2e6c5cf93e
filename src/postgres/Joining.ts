// Whether a program may run beside the nodes that run already. Versions may differ by one step, so that nodes are upgraded
// one by one; beyond that they would not read what the others write.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { DatabaseUnavailable } from "../sql/client/DatabaseErrors.ts"
import { reasonOf } from "../sql/client/SqlErrors.ts"
import { LEASE_SECONDS } from "./Lease.ts"

/** How far the versions of two nodes may be apart. */
export const STEP = 1

const WAY = "upgrade one version at a time, or stop all of them first"

/** The nodes that are there. A row of the first tables says nothing of its versions: they are the first. */
const LIVING = `SELECT coalesce(min(said.schema), 0) AS schema, coalesce(min(said.protocol), 0) AS "lowest",
    coalesce(max(said.protocol), 0) AS "highest"
  FROM nodes, LATERAL (SELECT coalesce((to_jsonb(nodes)->>'schema')::bigint, 1) AS schema,
    coalesce((to_jsonb(nodes)->>'protocol')::bigint, 1) AS protocol) AS said
  WHERE seen > clock_timestamp() - make_interval(secs => ${LEASE_SECONDS})`

interface Living {
  readonly schema: number
  readonly lowest: number
  readonly highest: number
}

/** The oldest tables and the protocols of the nodes that are there; 0 where there are none. */
const living = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql.unsafe<Living>(LIVING), ([row]) => row ?? { schema: 0, lowest: 0, highest: 0 })
)

/** Why tables must not be brought to a version now; undefined where they may. */
export const whyNotMigrate = (version: number) =>
  Effect.map(living, ({ schema }) =>
    schema === 0 || version - schema <= STEP
      ? undefined
      : `servers that know its version ${schema} run on it, and this program would make it version ${version}: ${WAY}`
  )

/** Refuses a node of this protocol that those which are there could not talk with. */
export const layer = (
  shown: string,
  protocol: number
): Layer.Layer<never, DatabaseUnavailable, SqlClient.SqlClient> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { highest, lowest } = yield* living
      const other = [lowest, highest].find((it) => it > 0 && Math.abs(it - protocol) > STEP)
      if (other === undefined) return
      const reason = `its servers talk to each other by protocol ${other}, and this program by protocol ${protocol}: ${WAY}`
      return yield* new DatabaseUnavailable({ filename: shown, reason })
    }).pipe(
      Effect.catchTag(
        "SqlError",
        ({ cause }) => new DatabaseUnavailable({ filename: shown, reason: reasonOf(cause) })
      )
    )
  )
