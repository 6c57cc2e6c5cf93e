// What decides whether a strategy could buy now, of all strategies: for the doctor, from a database at rest or served.
import type { Database } from "bun:sqlite"
import * as Schema from "effect/Schema"
import { isKnownExchange, type KnownExchange } from "../../domain/Market.ts"
import { StrategyId } from "../../domain/StrategyId.ts"
import * as Rows from "../../sql/rows/Rows.ts"

const Row = Schema.Struct({
  id: StrategyId,
  name: Schema.String,
  account: Schema.String,
  active: Rows.Bit,
  buyPercent: Schema.Number,
  signalId: Schema.NullOr(Schema.Int),
  signalActive: Rows.Bit,
  halted: Rows.Bit,
  setAside: Rows.Bit,
  hasCash: Rows.Bit,
  /** The end of a balance rule's cooldown (ms); 0 where there is none. */
  coolsUntil: Schema.Number,
  exchanges: Schema.parseJson(Schema.Array(Schema.String))
})
export type Tradeable = typeof Row.Type

const decode = Schema.decodeUnknownSync(Schema.Array(Row))

/** The first version that has halts. */
export const SINCE = 8

/** All strategies, by creation. */
export const list = (database: Database): ReadonlyArray<Tradeable> => decode(database.query(QUERY).all())

/** The exchanges that active strategies trade on. */
export const exchangesOf = (strategies: ReadonlyArray<Tradeable>): ReadonlyArray<KnownExchange> => [
  ...new Set(
    strategies
      .filter(({ active }) => active)
      .flatMap(({ exchanges }) => exchanges)
      .filter(isKnownExchange)
  )
]

const QUERY = `SELECT strategies.id, json_extract(settings, '$.name') AS name, accounts.name AS account,
  json_extract(settings, '$.active') AS active, json_extract(settings, '$.buyPercent') AS buyPercent,
  strategies.signal_id AS signalId, coalesce(signals.active, 0) AS signalActive,
  EXISTS (SELECT 1 FROM halts WHERE halts.account IN (0, strategies.account)) AS halted,
  json_extract(bots.state, '$.setAside') IS NOT NULL AS setAside,
  coalesce(CAST(json_extract(bots.state, '$.cash') AS REAL), 1) > 0 AS hasCash,
  max(coalesce(json_extract(bots.state, '$.takeProfitUntil'), 0),
    coalesce(json_extract(bots.state, '$.stopLossUntil'), 0)) AS coolsUntil,
  (SELECT json_group_array(json_extract(value, '$.exchange')) FROM json_each(settings, '$.exchanges')) AS exchanges
  FROM strategies JOIN accounts ON accounts.id = strategies.account
  LEFT JOIN signals ON signals.id = strategies.signal_id
  LEFT JOIN bots ON bots.strategy_id = strategies.id ORDER BY strategies.id`
