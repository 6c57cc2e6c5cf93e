// The figures of a record as they are shown: percentages to 4 decimals, times in seconds.
import type { Publication, Standing, TrackRecord } from "../../domain/directory/TrackRecord.ts"
import type { EquityPoint } from "../../domain/equity/EquityFigures.ts"
import { PERCENT_PLACES, rounded, summary } from "../../trading/Performance.ts"
import { levelOf, returnOf } from "../../trading/TrackRecord.ts"
import type { PeriodRecord } from "./Recording.ts"

const seconds = (at: number): number => Math.floor(at / 1000)

/** The return of several completed trades; null where there were none. */
export const standing = (made: Standing | undefined) =>
  made === undefined ? null : { return_pct: returnOf(made), trades: made.trades, until: seconds(made.until) }

/** The level of what was made since publication, in the present mode. */
export const level = ({ mode, published }: TrackRecord, { first }: Publication): number =>
  levelOf(published[mode], first)

/** A period, as of a time (ms). */
export const period = ({ currency, mode, period, tally, until }: PeriodRecord, now: number) => {
  const { max_drawdown_pct, profit_factor, roi_pct, trade_count, win_rate_pct } = summary(tally, now)
  return {
    period,
    mode,
    currency,
    since: seconds(tally.createdAt),
    until: seconds(until),
    trades: trade_count,
    return_pct: roi_pct,
    max_drawdown_pct,
    win_rate_pct,
    profit_factor
  }
}

/** A curve without its amounts: time, return and drawdown in percent. `starting` is the equity at its start. */
export const curve = (points: ReadonlyArray<EquityPoint>, starting: number) =>
  points.map(
    ([at, equity, drawdown]) =>
      [at, starting === 0 ? 0 : rounded((equity / starting - 1) * 100, PERCENT_PLACES), drawdown] as const
  )
