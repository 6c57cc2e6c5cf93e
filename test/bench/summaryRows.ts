// Writes a million trades and their tally to a database, and computes them again in two ways.
import { Database } from "bun:sqlite"
import * as Schema from "effect/Schema"
import { BotState, STARTING_BALANCES } from "../../src/domain/Bot.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { Trade } from "../../src/domain/Trade.ts"
import { start } from "../../src/trading/Bot.ts"
import * as Performance from "../../src/trading/Performance.ts"
import { drawing } from "./liveWorld.ts"

export const TRADES = 1_000_000
const BEGAN = Date.UTC(2024, 0, 1)
const START = STARTING_BALANCES.USDT

const tallyText = Schema.encodeSync(Schema.parseJson(Performance.Tally))
const stateText = Schema.encodeSync(Schema.parseJson(BotState))

/** A trade's row as the portfolio writes it: decimals as text, most with all their 18 places. */
type Row = typeof Trade.Encoded

const tradesOf = function* (length: number): Iterable<Row> {
  const draw = drawing(5)
  let at = BEGAN
  for (let i = 0; i < length; i++) {
    at += draw.below(60_000)
    const places = draw.chance(0.8) ? 18 : 8
    const digits = (most: number) =>
      `${draw.below(most)}.${String(draw.below(1e9) * 1e9 + draw.below(1e9))
        .padStart(18, "0")
        .slice(0, places)}`
    yield {
      exchange: "binance",
      pair: "BTC/USDT",
      kind: "spot",
      side: "long",
      openedAt: at - draw.below(3_600_000),
      closedAt: at,
      entryPrice: draw.between(20_000, 70_000),
      exitPrice: draw.between(20_000, 70_000),
      quantity: digits(2),
      cost: digits(2000),
      proceeds: digits(2000),
      fees: digits(2),
      pnl: `${draw.chance(0.48) ? "-" : ""}${digits(12)}`,
      profitPercent: draw.between(-2, 2),
      exitReason: "take_profit",
      entries: 1 + draw.below(3)
    }
  }
}

const completed = (text: string): Performance.Completed => {
  const row: Row = JSON.parse(text)
  return {
    openedAt: row.openedAt,
    closedAt: row.closedAt,
    pnl: Decimal.unsafeFromText(row.pnl),
    fees: Decimal.unsafeFromText(row.fees)
  }
}

/** Writes the rows, and the bot with its tally after each trade; returns the tally's text. */
export const write = (db: string, strategy: number, length: number): string => {
  const database = new Database(db)
  database.exec("PRAGMA synchronous = OFF")
  const insert = database.query("INSERT INTO trades (strategy_id, trade) VALUES (?, ?)")
  let tally = Performance.begin(START, BEGAN)
  database.transaction(() => {
    for (const row of tradesOf(length)) {
      const text = JSON.stringify(row)
      tally = Performance.add(tally, completed(text))
      insert.run(strategy, text)
    }
    database
      .query("INSERT OR REPLACE INTO bots (strategy_id, step, state, tally) VALUES (?, 1, ?, ?)")
      .run(strategy, stateText(start("USDT", START)), tallyText(tally))
  })()
  database.close()
  return tallyText(tally)
}

const rowsOf = function* (database: Database, strategy: number): Iterable<string> {
  const rows = database
    .query<{ trade: string }, [number]>("SELECT trade FROM trades WHERE strategy_id = ? ORDER BY id")
    .iterate(strategy)
  for (const { trade } of rows) yield trade
}

const completedIn = function* (database: Database, strategy: number): Iterable<Performance.Completed> {
  for (const text of rowsOf(database, strategy)) yield completed(text)
}

export interface Recomputed {
  readonly tally: Performance.Tally
  readonly text: string
}

export const recomputed = (database: Database, strategy: number): Recomputed => {
  const tally = Performance.recompute(START, BEGAN, completedIn(database, strategy))
  return { tally, text: tallyText(tally) }
}

export interface Sums {
  readonly count: number
  readonly wins: number
  readonly net: bigint
  readonly fees: bigint
}

/**
 * The bare way reads and parses the same rows, and sums their money exactly in units of 10^-18. It computes no equity,
 * no peak, no best and worst trade and no days, and trusts every text to be a plain decimal.
 */
export const bare = (database: Database, strategy: number): Sums => {
  let count = 0
  let wins = 0
  let net = 0n
  let fees = 0n
  for (const text of rowsOf(database, strategy)) {
    const row: Row = JSON.parse(text)
    const pnl = unitsOf(row.pnl)
    count++
    net += pnl
    fees += unitsOf(row.fees)
    if (pnl > 0n) wins++
  }
  return { count, wins, net, fees }
}

const unitsOf = (text: string): bigint => {
  const point = text.indexOf(".")
  return BigInt(text.slice(0, point) + text.slice(point + 1).padEnd(18, "0"))
}

export const agrees = (tally: Performance.Tally, sums: Sums): boolean =>
  tally.count === sums.count &&
  tally.wins === sums.wins &&
  Decimal.toText(tally.net) === textOf(sums.net) &&
  Decimal.toText(tally.fees) === textOf(sums.fees)

const textOf = (units: bigint): string =>
  Decimal.toText(
    Decimal.divide(Decimal.unsafeFromText(units.toString()), Decimal.unsafeFromText(`${10n ** 18n}`))
  )
