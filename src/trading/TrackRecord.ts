// The arithmetic of track records: trades are folded in one by one at constant cost, and records are ranked by what was
// made since publication. Nothing but a completed trade raises a rank above what it was.
import * as Decimal from "../domain/Decimal.ts"
import type { Mode, Standing, Standings, TrackRecord } from "../domain/directory/TrackRecord.ts"
import type { Trade } from "../domain/Trade.ts"
import { endingEquity, PERCENT_PLACES, rounded, type Tally } from "./Performance.ts"

const SECOND_MS = 1000
const DAY_MS = 86_400_000

/** The trades of one commit of a bot, and the tally of their period afterwards. */
export interface Completed {
  readonly tally: Pick<Tally, "starting" | "net">
  readonly trades: ReadonlyArray<Pick<Trade, "openedAt" | "closedAt" | "pnl" | "live">>
}

/**
 * The record with more trades of its present period, in the sequence of their completion. `first` is the second of the
 * first publication; undefined where there was none.
 */
export const add = (record: TrackRecord, { tally, trades }: Completed, first?: number): TrackRecord => {
  const made = trades.map(({ pnl }) => pnl)
  let equity = Decimal.subtract(endingEquity(tally), made.reduce(Decimal.add, Decimal.zero))
  let { overall, published } = record
  for (const { closedAt, live, openedAt, pnl } of trades) {
    const mode = live === true ? "real" : "paper"
    const after = Decimal.add(equity, pnl)
    const growth = growthOf(Decimal.approximate(equity), Decimal.approximate(after))
    const one = { growth, trades: 1, until: closedAt }
    overall = joined(overall, mode, one)
    if (first !== undefined && openedAt >= first * SECOND_MS) published = joined(published, mode, one)
    equity = after
  }
  return { ...record, overall, published }
}

/** Equity after over equity before. Who had nothing keeps what he has; who lost all has nothing for ever. */
const growthOf = (before: number, after: number): number => (before > 0 ? Math.max(0, after / before) : 1)

const joined = (standings: Standings, mode: Mode, made: Standing): Standings => {
  const { growth, trades, until } = standings[mode] ?? { growth: 1, trades: 0, until: 0 }
  return {
    ...standings,
    [mode]: {
      growth: growth * made.growth,
      trades: trades + made.trades,
      until: Math.max(until, made.until)
    }
  }
}

/** The record from a new period of the bot on. `since` in ms. What was made before stays. */
export const started = (
  record: TrackRecord,
  { mode, period, since }: Pick<TrackRecord, "mode" | "period" | "since">
): TrackRecord => ({ ...record, mode, period, since })

/** The net return of a standing, in percent. */
export const returnOf = ({ growth }: Pick<Standing, "growth">): number =>
  rounded((growth - 1) * 100, PERCENT_PLACES)

/** What a record needs to be of a level: days from publication to its last trade, and trades. Highest first. */
export const LEVELS = [
  { level: 3, days: 365, trades: 50 },
  { level: 2, days: 90, trades: 25 },
  { level: 1, days: 30, trades: 10 }
] as const

/** The level of what was made since the first publication (seconds): 3, 2, 1, or 0. */
export const levelOf = (standing: Standing | undefined, first: number): number => {
  if (standing === undefined) return 0
  const days = (standing.until - first * SECOND_MS) / DAY_MS
  return LEVELS.find((it) => days >= it.days && standing.trades >= it.trades)?.level ?? 0
}

/** How far levels are apart: no return within a level reaches the next. */
const LEVEL = 1e9

/**
 * The rank of a published record; the higher, the better. A gain counts within its level, a higher level before a lower
 * one, and a loss below all gains. A record with trades both on paper and with real money has the lower of both ranks,
 * so that no change of mode leaves a loss behind.
 */
export const rankOf = ({ mode, published }: TrackRecord, first: number): number => {
  const other = published[mode === "real" ? "paper" : "real"]
  const own = scoreOf(published[mode], first)
  return other === undefined ? own : Math.min(own, scoreOf(other, first))
}

const scoreOf = (standing: Standing | undefined, first: number): number => {
  if (standing === undefined) return 0
  const percent = returnOf(standing)
  return percent <= 0 ? percent : levelOf(standing, first) * LEVEL + Math.min(percent, LEVEL - 1)
}
