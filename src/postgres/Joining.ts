// Whether a program may run beside the nodes that run already. Versions may differ by one step, so that nodes are upgraded
// one by one; beyond that they would not read what the others write.
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { inRealTime } from "../services/internal/RealTime.ts"
import { DatabaseUnavailable } from "../sql/client/DatabaseErrors.ts"
import { reasonOf } from "../sql/client/SqlErrors.ts"
import { LEASE_SECONDS } from "./Lease.ts"

/** How far the versions of two nodes may be apart. */
export const STEP = 1

const WAY = "upgrade one version at a time, or stop all of them first"

/** Nodes that were heard of lately (s). A row of the first tables says nothing of its versions: they are the first. */
const heard = (
  seconds: number
) => `SELECT coalesce(min(said.schema), 0) AS schema, coalesce(min(said.protocol), 0) AS "lowest",
    coalesce(max(said.protocol), 0) AS "highest"
  FROM nodes, LATERAL (SELECT coalesce((to_jsonb(nodes)->>'schema')::bigint, 1) AS schema,
    coalesce((to_jsonb(nodes)->>'protocol')::bigint, 1) AS protocol) AS said
  WHERE seen > clock_timestamp() - make_interval(secs => ${seconds})`

interface Living {
  readonly schema: number
  readonly lowest: number
  readonly highest: number
}

/** The oldest tables and the protocols of nodes that were heard of lately; 0 where there are none. */
const living = (seconds: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql.unsafe<Living>(heard(seconds)), ([row]) => row ?? { schema: 0, lowest: 0, highest: 0 })
  )

/** The rows of nodes that were killed are kept for a day (s). */
const KEPT_SECONDS = 86_400
/** How long a node takes at most to be heard of again. The wait is within a transaction, which may do nothing for eight seconds. */
const HEARD = "6 seconds"

/**
 * Why a newcomer may not join, by the versions of the nodes that are there; undefined where it may. If only nodes that were
 * not heard of lately are too far apart, it waits for them first: after a time without the database nobody was heard of.
 */
const objection = Effect.fnUntraced(function* (of: (living: Living) => string | undefined) {
  if (of(yield* living(KEPT_SECONDS)) === undefined) return undefined
  const present = Effect.map(living(LEASE_SECONDS), of)
  const found = yield* present
  if (found !== undefined) return found
  yield* inRealTime(Effect.sleep(HEARD))
  return yield* present
})

/** Why tables must not be brought to a version now; undefined where they may. */
export const whyNotMigrate = (version: number) =>
  objection(({ schema }) =>
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
      const reason = yield* objection(({ highest, lowest }) => {
        const other = [lowest, highest].find((it) => it > 0 && Math.abs(it - protocol) > STEP)
        return other === undefined
          ? undefined
          : `its servers talk to each other by protocol ${other}, and this program by protocol ${protocol}: ${WAY}`
      })
      if (reason === undefined) return
      return yield* new DatabaseUnavailable({ filename: shown, reason })
    }).pipe(
      Effect.catchTag(
        "SqlError",
        ({ cause }) => new DatabaseUnavailable({ filename: shown, reason: reasonOf(cause) })
      )
    )
  )
