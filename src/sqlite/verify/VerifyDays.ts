// Checks the sums of days against the trades behind them.
import type { Database } from "bun:sqlite"
import * as Option from "effect/Option"
import * as Decimal from "../../domain/Decimal.ts"
import { PAUSE, STRETCH } from "../../trading/audit/Books.ts"
import type { Check } from "../client/Fault.ts"

/** The versions that introduced the sums, and kept real money apart in them. */
const SINCE = 6
const SINCE_LIVE = 8

const TRADES = `SELECT substr(pair, instr(pair, '/') + 1) AS currency,
  json_extract(trade, '$.live') IS NOT NULL AS live, closed_at / 86400000 AS day, json_extract(trade, '$.pnl') AS made
  FROM trades WHERE pnl IS NOT NULL`
const daysOf = (version: number) =>
  `SELECT currency, ${version < SINCE_LIVE ? "0 AS live" : "live"}, day, net AS made FROM result_days`

/**
 * Finds differing sums: by currency, over all accounts, on paper and with real money. Call it only on sound books,
 * which report faulty trades themselves.
 */
export function* disagreeing(database: Database, version: number): Check {
  if (version < SINCE) return
  const sums = new Map<string, Decimal.Decimal>()
  const add = ({ currency, day, live }: Day, made: Decimal.Decimal): void => {
    const key = `${live === 1 ? "live " : ""}${String(currency)} of day ${String(day)}`
    sums.set(key, Decimal.add(sums.get(key) ?? Decimal.zero, made))
  }
  let rows = 0
  for (const { made, ...day } of read(database, TRADES)) {
    add(day, made)
    if (++rows % STRETCH === 0) yield PAUSE
  }
  for (const { made, ...day } of read(database, daysOf(version))) add(day, Decimal.negate(made))
  for (const [name, left] of sums)
    if (!Decimal.isZero(left))
      yield { table: "result_days", text: `${name} is off by ${Decimal.toText(Decimal.negate(left))}` }
}

interface Day {
  readonly currency: unknown
  readonly live: unknown
  readonly day: unknown
}

function* read(database: Database, sql: string) {
  for (const row of database.query(sql).iterate()) {
    const [currency, live, day, amount] = Object.values(Object(row))
    const made = Option.getOrElse(Decimal.fromText(String(amount)), () => Decimal.zero)
    yield { currency, live, day, made }
  }
}
