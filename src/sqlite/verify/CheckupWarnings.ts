// Stored data that is valid, but that its owner or the operator should know of.
import type { Database } from "bun:sqlite"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { MAX_AMOUNT } from "../../domain/requests/Bounds.ts"
import { outOfBounds } from "../../domain/requests/StrategyRequest.ts"
import type { Violation } from "../../domain/requests/Violations.ts"
import { StrategyId } from "../../domain/StrategyId.ts"
import * as StrategyRows from "../../sql/rows/StrategyRows.ts"

/** The warnings of a check. Times in ms. */
export interface CheckupWarnings {
  /** Settings older than their bounds, with the violations that a request would get. */
  readonly settings: ReadonlyArray<{ readonly id: StrategyId; readonly violations: ReadonlyArray<Violation> }>
  /** Strategies with a tp or sl beyond the bounds in a position or a held alert. */
  readonly targets: ReadonlyArray<StrategyId>
  /** Bots that are set aside, and since when. */
  readonly setAside: ReadonlyArray<typeof Aside.Type>
}

/** Nothing found. */
export const NONE: CheckupWarnings = { settings: [], targets: [], setAside: [] }

/** Checks every strategy and bot of a database of any version. */
export const find = (database: Database): CheckupWarnings => ({
  settings: texts(database.query(SETTINGS).all()).flatMap(({ id, settings }) => {
    const violations = Option.match(StrategyRows.decode(settings), { onNone: () => [], onSome: outOfBounds })
    return violations.length === 0 ? [] : [{ id, violations }]
  }),
  targets: ids(database.query(TARGETS).all(MAX_AMOUNT)).map(({ id }) => id),
  setAside: asides(database.query(SET_ASIDE).all())
})

const SETTINGS = "SELECT id, settings FROM strategies ORDER BY id"
const TARGETS = `SELECT DISTINCT bots.strategy_id AS id FROM bots
  JOIN strategies ON strategies.id = bots.strategy_id, json_tree(bots.state, '$.slots') AS node
  WHERE node.key IN ('tp', 'sl') AND node.atom > ? ORDER BY 1`
const SET_ASIDE = `SELECT bots.strategy_id AS id, json_extract(bots.state, '$.setAside') AS at,
  json_extract(bots.state, '$.unlisted') AS unlisted FROM bots
  JOIN strategies ON strategies.id = bots.strategy_id
  WHERE json_extract(bots.state, '$.setAside') IS NOT NULL ORDER BY bots.strategy_id`

const Aside = Schema.Struct({
  id: StrategyId,
  at: Schema.Int,
  /** 1 where the server did not list a venue of the strategy. */
  unlisted: Schema.optional(Schema.NullOr(Schema.Int))
})
const asides = Schema.decodeUnknownSync(Schema.Array(Aside))
const ids = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ id: StrategyId })))
const texts = Schema.decodeUnknownSync(
  Schema.Array(Schema.Struct({ id: StrategyId, settings: Schema.String }))
)
