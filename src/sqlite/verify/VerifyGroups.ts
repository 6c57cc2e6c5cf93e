// Checks the sums of trades by market, reason and month against the trades behind them.
import type { Database } from "bun:sqlite"
import * as Schema from "effect/Schema"
import * as Decimal from "../../domain/Decimal.ts"
import * as TradeGroupRows from "../../sql/rows/TradeGroupRows.ts"
import { PAUSE, STRETCH } from "../../trading/audit/Books.ts"
import type { Check } from "../client/Fault.ts"

/** The version that introduced the sums. */
const SINCE = 14

const Trade = Schema.Struct({ strategy: Schema.Int, trade: Schema.parseJson(TradeGroupRows.Grouped) })
const tradeOf = Schema.decodeUnknownSync(Trade)
const groupOf = Schema.decodeUnknownSync(TradeGroupRows.OwnGroup)

const TRADES = `SELECT strategy_id AS strategy, trade FROM trades
  WHERE strategy_id IN (SELECT id FROM strategies)`
const GROUPS = `SELECT ${TradeGroupRows.COLUMNS} FROM trade_groups`

/**
 * Finds groups that are not the sums of the strategy's trades. Call it only on sound books, which report faulty trades
 * themselves.
 */
export function* differing(database: Database, version: number): Check {
  if (version < SINCE) return
  const sums = new Map<string, TradeGroupRows.OwnGroup>()
  let rows = 0
  for (const row of database.query(TRADES).iterate()) {
    const { strategy, trade } = tradeOf(row)
    TradeGroupRows.sum(sums, strategy, trade)
    if (++rows % STRETCH === 0) yield PAUSE
  }
  for (const row of database.query(GROUPS).iterate()) {
    const group = groupOf(row)
    const due = sums.get(TradeGroupRows.keyOf(group))
    sums.delete(TradeGroupRows.keyOf(group))
    if (due === undefined || textOf(due) !== textOf(group))
      yield faultOf(group, "is not the sum of its trades")
  }
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
