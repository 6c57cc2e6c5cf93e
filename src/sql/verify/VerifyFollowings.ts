// Checks that each strategy acts on the alerts of the signal that its row names.
import * as Schema from "effect/Schema"
import type { Check } from "./Fault.ts"
import { each, type Source } from "./Source.ts"

/** The version that introduced followings. */
const SINCE = 9

const DIFFERING = `SELECT strategies.id AS strategy, strategies.signal_id AS stated, followings.signal_id AS kept
  FROM strategies LEFT JOIN followings ON strategy_id = strategies.id AND until_alert IS NULL
  WHERE strategies.signal_id IS DISTINCT FROM followings.signal_id ORDER BY strategies.id`

const Signal = Schema.NullOr(Schema.Int)
const differingOf = Schema.decodeUnknownSync(
  Schema.Struct({ strategy: Schema.Int, stated: Signal, kept: Signal })
)

/** Finds strategies whose row names another signal than their following. */
export function* contradicted(source: Source): Check {
  if (source.version < SINCE) return
  yield* each(source.rows(DIFFERING), (row) => {
    const { kept, stated, strategy } = differingOf(row)
    const text = `it follows ${nameOf(stated)}, and acts on the alerts of ${nameOf(kept)}`
    return [{ strategy, table: "followings", text }]
  })
}

const nameOf = (signal: number | null): string => (signal === null ? "no signal" : `signal ${signal}`)
