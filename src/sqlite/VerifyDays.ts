import type { Database } from "bun:sqlite"
import * as Option from "effect/Option"
import * as Decimal from "../domain/Decimal.ts"
import { PAUSE, STRETCH } from "../trading/Books.ts"
import type { Look } from "./Fault.ts"

/** The version that the sums came with. */
const SINCE = 6

const TRADES = `SELECT substr(pair, instr(pair, '/') + 1), closed_at / 86400000, json_extract(trade, '$.pnl')
  FROM trades WHERE pnl IS NOT NULL`
const DAYS = "SELECT currency, day, net FROM result_days"

/**
 * The sums of days, each currency's over all accounts, against the trades that they are made of. To be asked only of
 * books that are sound: what is wrong with a trade is told of there.
 */
export function* disagreeing(database: Database, version: number): Look {
  if (version < SINCE) return
  const sums = new Map<string, Decimal.Decimal>()
  const add = (currency: unknown, day: unknown, made: Decimal.Decimal): void => {
    const key = `${String(currency)} of day ${String(day)}`
    sums.set(key, Decimal.add(sums.get(key) ?? Decimal.zero, made))
  }
  let rows = 0
  for (const { currency, day, made } of read(database, TRADES)) {
    add(currency, day, made)
    if (++rows % STRETCH === 0) yield PAUSE
  }
  for (const { currency, day, made } of read(database, DAYS)) add(currency, day, Decimal.negate(made))
  for (const [name, left] of sums)
    if (!Decimal.isZero(left))
      yield { table: "result_days", text: `${name} is off by ${Decimal.toText(Decimal.negate(left))}` }
}

function* read(database: Database, sql: string) {
  for (const row of database.query(sql).iterate()) {
    const [currency, day, amount] = Object.values(Object(row))
    yield { currency, day, made: Option.getOrElse(Decimal.fromText(String(amount)), () => Decimal.zero) }
  }
}
