// Checks the sums of trades by market, reason and month against the trades behind them.
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Decimal from "../../domain/Decimal.ts"
import * as TradeGroupRows from "../rows/TradeGroupRows.ts"
import type { Check } from "./Fault.ts"
import * as RowDecoder from "./RowDecoder.ts"
import { each, type Source } from "./Source.ts"

/** The version that introduced the sums. */
const SINCE = 14

const Trade = Schema.Struct({ strategy: Schema.Int, trade: Schema.parseJson(TradeGroupRows.Grouped) })
const decodeTrade = RowDecoder.make(Trade)
const groupOf = Schema.decodeUnknownSync(TradeGroupRows.OwnGroup)

const TRADES = `SELECT strategy_id AS strategy, trade FROM trades
  WHERE strategy_id IN (SELECT id FROM strategies)`
const GROUPS = `SELECT ${TradeGroupRows.COLUMNS} FROM trade_groups`

/**
 * Finds groups that are not the sums of the strategy's trades. Call it only on sound books, which report faulty trades
 * themselves.
 */
export function* differing(source: Source): Check {
  if (source.version < SINCE) return
  const sums = new Map<string, TradeGroupRows.OwnGroup>()
  yield* each(source.rows(TRADES), (row) => {
    const { strategy, trade } = Either.getOrThrow(decodeTrade(row))
    TradeGroupRows.sum(sums, strategy, trade)
    return undefined
  })
  yield* each(source.rows(GROUPS), (row) => {
    const group = groupOf(row)
    const due = sums.get(TradeGroupRows.keyOf(group))
    sums.delete(TradeGroupRows.keyOf(group))
    return due !== undefined && textOf(due) === textOf(group)
      ? undefined
      : [faultOf(group, "is not the sum of its trades")]
  })
  for (const group of sums.values()) yield faultOf(group, "is missing")
}

const faultOf = ({ by, name, period, strategy }: TradeGroupRows.OwnGroup, text: string) => ({
  table: "trade_groups",
  strategy,
  row: period,
  text: `the group ${by} ${name} ${text}`.replace(/ +/g, " ")
})

const textOf = ({ fees, gained, losses, lost, trades, wins }: TradeGroupRows.OwnGroup): string =>
  [trades, wins, losses, ...[gained, lost, fees].map(Decimal.toText)].join(" ")
